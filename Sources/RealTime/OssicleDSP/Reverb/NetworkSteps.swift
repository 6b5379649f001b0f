/// The inner steps of `FeedbackDelayNetwork` in Swift: for other processors, and to test the C versions against.
enum NetworkSteps {
    typealias Lanes = SIMD16<Float>

    /// frames[i][line] = ends[line][i].
    static func gather(_ ends: UnsafePointer<UnsafeMutablePointer<Float>>, _ frames: UnsafeMutablePointer<Lanes>, _ n: Int) {
        for i in 0..<n {
            for line in 0..<Lanes.scalarCount { frames[i][line] = ends[line][i] }
        }
    }

    /// One vector per frame through a cascade of sections, in place; `state` holds s₁ and s₂ of each.
    static func filter(_ sections: UnsafePointer<StateVariableSection<Lanes>>, _ state: UnsafeMutablePointer<Lanes>, count: Int,
                       _ frames: UnsafeMutablePointer<Lanes>, _ n: Int) {
        for j in 0..<count {
            let c = sections[j]
            var (s1, s2) = (state[2 * j], state[2 * j + 1])
            for i in 0..<n {
                let x = frames[i]
                let e = x - s2
                frames[i] = c.d * x + c.p * s1 + c.q * s2
                s2 = s2 + c.beta * s1 + c.gamma * e
                s1 = c.alpha * s1 + c.beta * e
            }
            (state[2 * j], state[2 * j + 1]) = (s1, s2)
        }
    }

    /// What is heard, and what goes back into the lines.
    static func mix(_ frames: UnsafePointer<Lanes>, _ mono: UnsafePointer<Float>, output: Lanes, input: Lanes,
                    to outputs: UnsafePointer<UnsafeMutablePointer<Float>>, _ ends: UnsafePointer<UnsafeMutablePointer<Float>>, _ n: Int) {
        for i in 0..<n {
            let heard = (frames[i] * output).hadamard
            for channel in 0..<FeedbackDelayNetwork.outputCount { outputs[channel][i] = heard[channel] }
            let fed = frames[i].hadamard * 0.25 + input * mono[i]
            for line in 0..<Lanes.scalarCount { ends[line][i] = fed[line] }
        }
    }
}

extension SIMD16<Float> {
    /// The sixteen sums with the signs of a Hadamard matrix. Energy grows sixteenfold.
    ///
    /// Sums and differences over each of the four bits of the lane number: the upper two bits by halves, the lower two by neighbours.
    @inline(__always)
    var hadamard: Self {
        let (sum, difference) = (lowHalf + highHalf, lowHalf - highHalf)
        var v = Self(lowHalf: SIMD8(lowHalf: sum.lowHalf + sum.highHalf, highHalf: sum.lowHalf - sum.highHalf),
                     highHalf: SIMD8(lowHalf: difference.lowHalf + difference.highHalf, highHalf: difference.lowHalf - difference.highHalf))
        v = Self(lowHalf: v.evenHalf + v.oddHalf, highHalf: v.evenHalf - v.oddHalf)
        return Self(lowHalf: v.evenHalf + v.oddHalf, highHalf: v.evenHalf - v.oddHalf)
    }
}
