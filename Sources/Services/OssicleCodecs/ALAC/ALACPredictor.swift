/// The predictor of Apple Lossless: each sample is foretold from the ones before it, as they differ from one further
/// back, with weights that follow the sign of the error. All of it is done modulo 2^32, as the format wants.
struct ALACPredictor {
    /// One weight per past sample, the newest first; 31 of them stand for a plain difference, none for no prediction.
    var weights: [Int16]
    /// Bits to the right of the point in a weight.
    var shift: Int32
    /// Bits of a sample; results wrap around.
    var bits: Int32

    private static let plainDifference = 31

    /// Turns errors into samples, in place.
    mutating func restore(_ samples: UnsafeMutablePointer<Int32>, count: Int) {
        guard count > 1, !weights.isEmpty else { return }
        let order = weights.count, wrap = 32 - bits
        let first = order == Self.plainDifference ? count : min(order + 1, count)
        for index in 1..<first { samples[index] = Self.wrapped(samples[index] &+ samples[index - 1], wrap) }
        run(order, first..<count, samples: samples) { index, foretold in
            let error = samples[index]
            samples[index] = Self.wrapped(error &+ foretold, wrap)
            return error
        }
    }

    /// Turns samples into errors.
    mutating func errors(of samples: UnsafePointer<Int32>, into errors: UnsafeMutablePointer<Int32>, count: Int) {
        guard count > 0 else { return }
        let order = weights.count, wrap = 32 - bits
        let first = min(order + 1, count)
        errors[0] = samples[0]
        for index in 1..<max(first, 1) { errors[index] = Self.wrapped(samples[index] &- samples[index - 1], wrap) }
        run(order, first..<count, samples: samples) { index, foretold in
            errors[index] = Self.wrapped(samples[index] &- foretold, wrap)
            return errors[index]
        }
    }

    @inline(__always) private static func wrapped(_ value: Int32, _ wrap: Int32) -> Int32 { (value &<< wrap) &>> wrap }

    /// Foretells each sample of `range` from the ones before it, lets `settle` tell the error, and adapts.
    @inline(__always)
    private mutating func run(
        _ order: Int, _ range: Range<Int>, samples: UnsafePointer<Int32>,
        settle: (_ index: Int, _ foretold: Int32) -> Int32
    ) {
        let half: Int32 = shift > 0 ? 1 << (shift - 1) : 0
        let shift = shift
        weights.withUnsafeMutableBufferPointer { weights in
            for index in range {
                let base = samples[index - order - 1]
                var sum = half
                for tap in 0..<order { sum &+= Int32(weights[tap]) &* (samples[index - 1 - tap] &- base) }
                let error = settle(index, base &+ sum &>> shift)
                if error != 0 { Self.adapt(weights, samples + (index - 1), base: base, error: error, shift: shift) }
            }
        }
    }

    /// Moves the weights, the oldest first, by one against the sign of the error, until their moves would have made it
    /// up.
    @inline(__always)
    private static func adapt(
        _ weights: UnsafeMutableBufferPointer<Int16>, _ newest: UnsafePointer<Int32>, base: Int32, error: Int32,
        shift: Int32
    ) {
        let direction = error.signum()
        var left = error
        var tap = weights.count - 1
        while tap >= 0 {
            let difference = base &- newest[-tap]
            let sign = difference.signum()
            weights[tap] = weights[tap] &- Int16(truncatingIfNeeded: sign * direction)
            left = left &- Int32(weights.count - tap) &* ((sign &* direction &* difference) &>> shift)
            if direction > 0 ? left <= 0 : left >= 0 { return }
            tap -= 1
        }
    }
}
