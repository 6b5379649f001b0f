/// How one channel of an element is coded: its predictor and its entropy coder's factor.
struct ALACChannelCoder {
    var predictor: ALACPredictor
    /// Other than 0: plain differences were taken of the errors.
    private var mode: UInt32
    private var factor: Int

    /// What an encoder begins with: weights halfway between those of the straight line and of the parabola through the
    /// last samples.
    init(bits: Int) {
        predictor = ALACPredictor(weights: [1280, -1024, 256, 0, 0, 0, 0, 0], shift: 9, bits: Int32(bits))
        (mode, factor) = (0, 4)
    }

    /// Reads what a packet tells.
    init(_ reader: inout BitReader, bits: Int) {
        mode = reader.read(4)
        let shift = Int32(reader.read(4))
        factor = Int(reader.read(3))
        let order = Int(reader.read(5))
        predictor = ALACPredictor(
            weights: (0..<order).map { _ in Int16(truncatingIfNeeded: reader.readSigned(16)) }, shift: shift,
            bits: Int32(bits))
    }

    /// Writes what a packet tells.
    func writeHead(to writer: inout BitWriter) {
        writer.write(mode, 4)
        writer.write(UInt32(predictor.shift), 4)
        writer.write(UInt32(factor), 3)
        writer.write(UInt32(predictor.weights.count), 5)
        for weight in predictor.weights { writer.write(UInt32(truncatingIfNeeded: weight), 16) }
    }

    /// Reads `count` samples; `false` when they do not end well.
    mutating func read(
        _ reader: inout BitReader, into samples: UnsafeMutablePointer<Int32>, count: Int,
        configuration: ALACConfiguration
    ) -> Bool {
        let bits = Int(predictor.bits)
        guard ALACEntropy(configuration, factor: factor).read(&reader, into: samples, count: count, bits: bits) else {
            return false
        }
        if mode != 0 {
            var difference = ALACPredictor(weights: [Int16](repeating: 0, count: 31), shift: 0, bits: predictor.bits)
            difference.restore(samples, count: count)
        }
        predictor.restore(samples, count: count)
        return true
    }

    /// Writes `count` errors that the predictor left.
    func write(
        _ errors: UnsafePointer<Int32>, count: Int, configuration: ALACConfiguration, to writer: inout BitWriter
    ) {
        ALACEntropy(configuration, factor: factor).write(errors, count: count, bits: Int(predictor.bits), to: &writer)
    }
}

/// Two channels of Apple Lossless as a mixture and a difference.
struct ALACStereo: Equatable {
    /// The share of the left channel in the mixture, in 1/2^bits; 0 keeps left and right as they are.
    var weight: Int32
    var bits: Int32

    /// From mixture and difference to left and right, in place.
    func unmix(_ first: UnsafeMutablePointer<Int32>, _ second: UnsafeMutablePointer<Int32>, count: Int) {
        guard weight != 0 else { return }
        for index in 0..<count {
            let difference = second[index]
            let left = first[index] &+ difference &- ((weight &* difference) >> bits)
            first[index] = left
            second[index] = left &- difference
        }
    }

    /// From left and right to mixture and difference, in place.
    func mix(_ first: UnsafeMutablePointer<Int32>, _ second: UnsafeMutablePointer<Int32>, count: Int) {
        guard weight != 0 else { return }
        for index in 0..<count {
            let (left, right) = (first[index], second[index])
            first[index] = mixture(left, right)
            second[index] = left &- right
        }
    }

    @inline(__always) private func mixture(_ left: Int32, _ right: Int32) -> Int32 {
        (weight &* left &+ (1 << bits &- weight) &* right) >> bits
    }

    /// The mixture whose channels bend least: the sum of second differences is a fair guess of what a predictor leaves.
    static func best(_ left: UnsafePointer<Int32>, _ right: UnsafePointer<Int32>, count: Int) -> ALACStereo {
        let candidates = (0...4).map { ALACStereo(weight: $0, bits: 2) }
        let costs = candidates.map { $0.cost(left, right, count: count) }
        return candidates.indices.min { costs[$0] < costs[$1] }.map { candidates[$0] } ?? ALACStereo(weight: 0, bits: 0)
    }

    private func cost(_ left: UnsafePointer<Int32>, _ right: UnsafePointer<Int32>, count: Int) -> UInt64 {
        func curvature(_ a: Int32, _ b: Int32, c: Int32) -> UInt64 { UInt64((a &- 2 &* b &+ c).magnitude) }
        var cost: UInt64 = 0
        var last = (Int32(0), Int32(0)), beforeLast = (Int32(0), Int32(0))
        for index in 0..<count {
            let pair =
                weight == 0
                ? (left[index], right[index]) : (mixture(left[index], right[index]), left[index] &- right[index])
            cost &+= curvature(pair.0, last.0, c: beforeLast.0) &+ curvature(pair.1, last.1, c: beforeLast.1)
            (beforeLast, last) = (last, pair)
        }
        return cost
    }
}
