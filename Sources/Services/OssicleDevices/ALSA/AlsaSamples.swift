import CAlsa

/// How a device takes samples, in the machine's byte order.
enum AlsaSamples: CaseIterable, Sendable {
    // The best first.
    case float32, int32, int24, int16

    /// ALSA's number.
    var code: Int32 {
        let little =
            switch self {
            case .float32: OSSICLE_ALSA_FLOAT
            case .int32: OSSICLE_ALSA_S32
            case .int24: OSSICLE_ALSA_S24
            case .int16: OSSICLE_ALSA_S16
            }
        #if _endian(little)
        return Int32(little)
        #else
        return Int32(little + 1)
        #endif
    }

    var byteCount: Int { self == .int16 ? 2 : 4 }

    /// Writes samples as the device takes them: an integer of b bits is the value times 2^(b−1), to the nearest,
    /// within its range.
    func encode(_ source: UnsafePointer<Float>, count: Int, into target: UnsafeMutableRawPointer) {
        switch self {
        case .float32: target.copyMemory(from: source, byteCount: count * 4)
        case .int32: AlsaSamples.encode(source, count, into: target.assumingMemoryBound(to: Int32.self), bits: 32)
        case .int24: AlsaSamples.encode(source, count, into: target.assumingMemoryBound(to: Int32.self), bits: 24)
        case .int16: AlsaSamples.encode(source, count, into: target.assumingMemoryBound(to: Int16.self), bits: 16)
        }
    }

    /// Reads samples as the device gives them: an integer of b bits divided by 2^(b−1).
    func decode(_ source: UnsafeRawPointer, count: Int, into target: UnsafeMutablePointer<Float>) {
        switch self {
        case .float32:
            UnsafeMutableRawPointer(target).copyMemory(from: source, byteCount: count * 4)
        case .int32:
            let samples = source.assumingMemoryBound(to: Int32.self)
            for k in 0..<count { target[k] = Float(Double(samples[k]) * 0x1p-31) }
        case .int24:
            // The fourth byte has no meaning.
            let samples = source.assumingMemoryBound(to: Int32.self)
            for k in 0..<count { target[k] = Float(Double((samples[k] << 8) >> 8) * 0x1p-23) }
        case .int16:
            let samples = source.assumingMemoryBound(to: Int16.self)
            for k in 0..<count { target[k] = Float(samples[k]) * 0x1p-15 }
        }
    }

    private static func encode<Sample: FixedWidthInteger>(
        _ source: UnsafePointer<Float>, _ count: Int, into target: UnsafeMutablePointer<Sample>, bits: Int
    ) {
        let scale = Double(1 << (bits - 1))
        for k in 0..<count {
            let value = (Double(source[k]) * scale).rounded()
            // What is not a number is silence.
            target[k] = value == value ? Sample(min(max(value, -scale), scale - 1)) : 0
        }
    }
}
