/// How one channel of an element is coded: its predictor and its entropy coder's factor.
struct ALACChannelCoder {
    var predictor: ALACPredictor
    /// Other than 0: plain differences were taken of the errors.
    private var mode: UInt32
    private var factor: Int

    /// What an encoder begins with: weights halfway between those of the straight line and of the parabola through the last samples.
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
        predictor = ALACPredictor(weights: (0..<order).map { _ in Int16(truncatingIfNeeded: reader.readSigned(16)) }, shift: shift, bits: Int32(bits))
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
    mutating func read(_ reader: inout BitReader, into samples: UnsafeMutablePointer<Int32>, count: Int, _ configuration: ALACConfiguration) -> Bool {
        let bits = Int(predictor.bits)
        guard ALACEntropy(configuration, factor: factor).read(&reader, into: samples, count: count, bits: bits) else { return false }
        if mode != 0 {
            var difference = ALACPredictor(weights: [Int16](repeating: 0, count: 31), shift: 0, bits: predictor.bits)
            difference.restore(samples, count: count)
        }
        predictor.restore(samples, count: count)
        return true
    }

    /// Writes `count` errors that the predictor left.
    func write(_ errors: UnsafePointer<Int32>, count: Int, _ configuration: ALACConfiguration, to writer: inout BitWriter) {
        ALACEntropy(configuration, factor: factor).write(errors, count: count, bits: Int(predictor.bits), to: &writer)
    }
}
