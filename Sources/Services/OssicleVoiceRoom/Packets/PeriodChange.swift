import OssicleCore

/// Makes speech shorter or longer by one period of its pitch, or what is most like one: where the sound is like itself
/// a little later, the two are blended over that time (after Verhelst and Roelands, "WSOLA", 1993).
enum PeriodChange {
    /// Frames at 48 kHz that a change has at most: 15 ms, down to 2.5.
    static let longest = 720
    private static let shortest = 120

    /// Leaves a period out.
    /// - Parameter count: frames of `samples`, at least 2 · `longest`.
    /// - Returns: how many are left.
    static func shorten(_ samples: UnsafeMutablePointer<Float>, _ count: Int) -> Int {
        let period = period(samples)
        for i in 0..<period {
            let weight = Float(i) / Float(period)
            samples[i] = samples[i] * (1 - weight) + samples[i + period] * weight
        }
        (samples + period).update(from: samples + 2 * period, count: count - 2 * period)
        return count - period
    }

    /// Puts a period in. `samples` has room for `longest` more.
    static func lengthen(_ samples: UnsafeMutablePointer<Float>, _ count: Int) -> Int {
        let period = period(samples)
        var i = count - 1
        while i >= period {
            samples[i + period] = samples[i]
            i -= 1
        }
        // What follows the first period leads back to its beginning, and is followed by what followed it.
        for i in 0..<period {
            let weight = Float(i) / Float(period)
            samples[period + i] = samples[2 * period + i] * (1 - weight) + samples[i] * weight
        }
        return count + period
    }

    /// The lag of the highest normalised correlation, in steps of an eighth of a millisecond.
    private static func period(_ samples: UnsafeMutablePointer<Float>) -> Int {
        var (best, value) = (longest / 2, -Double.infinity)
        var lag = shortest
        while lag <= longest {
            var (product, energy) = (0.0, 1e-9)
            var i = 0
            while i < longest {
                product += Double(samples[i]) * Double(samples[i + lag])
                energy += Double(samples[i + lag]) * Double(samples[i + lag])
                i += 2
            }
            let likeness = product / energy.squareRoot()
            if likeness > value { (best, value) = (lag, likeness) }
            lag += 6
        }
        return best
    }
}
