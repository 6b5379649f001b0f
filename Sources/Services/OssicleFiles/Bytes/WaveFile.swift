/// A WAVE file as bytes.
///
/// Written here and not by a codec library, because the file's hash is a promise: no version of a library may change a
/// header chunk or a rounding.
package struct WaveFile {
    package let bytes: [UInt8]

    /// Stereo of 24 bits. Samples are rounded to nearest (ties to even) and limited to full scale; there is no dither.
    ///
    /// - Parameters:
    ///   - left, right: samples, full scale ±1, of equal length. - sampleRate: in Hz.
    package init(left: [Float], right: [Float], sampleRate: Int) {
        let frames = min(left.count, right.count)
        let dataSize = frames * 6
        var bytes: [UInt8] = []
        func append(_ tag: String) { bytes.append(contentsOf: tag.utf8) }
        func append(_ value: Int, size: Int) {
            for shift in 0..<size { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * shift))) }
        }

        append("RIFF"); append(36 + dataSize, size: 4); append("WAVE")
        append("fmt "); append(16, size: 4)
        append(1, size: 2); append(2, size: 2) // PCM, two channels
        append(sampleRate, size: 4); append(sampleRate * 6, size: 4) // frames and bytes per second
        append(6, size: 2); append(24, size: 2) // bytes per frame, bits per sample
        append("data"); append(dataSize, size: 4)
        self.bytes = [UInt8](unsafeUninitializedCapacity: bytes.count + dataSize) { memory, count in
            count = bytes.count + dataSize
            _ = memory.initialize(fromContentsOf: bytes)
            func put(_ sample: Float, at place: Int) {
                let value = WaveFile.integer(sample)
                for byte in 0..<3 { memory[place + byte] = UInt8(truncatingIfNeeded: value >> (8 * byte)) }
            }
            for frame in 0..<frames {
                put(left[frame], at: bytes.count + 6 * frame)
                put(right[frame], at: bytes.count + 6 * frame + 3)
            }
        }
    }

    /// Any number of channels of the same length, as 32-bit floating point, which may exceed full scale. More than two
    /// name no loudspeakers (WAVE_FORMAT_EXTENSIBLE with an empty mask). Nil where the file would be longer than its
    /// header can say.
    package init?(channels: [[Float]], sampleRate: Int) {
        let frames = channels.map(\.count).min() ?? 0
        let frameSize = 4 * channels.count
        let (dataSize, isTooLong) = frames.multipliedReportingOverflow(by: frameSize)
        guard !isTooLong, dataSize < 0xFFFF_FF00, channels.count <= 0xFFFF else { return nil }
        let isExtensible = channels.count > 2
        var bytes: [UInt8] = []
        bytes.reserveCapacity(80 + dataSize)
        func append(_ tag: String) { bytes.append(contentsOf: tag.utf8) }
        func append(_ value: Int, size: Int) {
            for shift in 0..<size { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * shift))) }
        }

        append("RIFF"); append(4 + (isExtensible ? 48 : 26) + 12 + 8 + dataSize, size: 4); append("WAVE")
        append("fmt "); append(isExtensible ? 40 : 18, size: 4)
        append(isExtensible ? 0xFFFE : 3, size: 2); append(channels.count, size: 2) // 3: floating point
        append(sampleRate, size: 4); append(sampleRate * frameSize, size: 4)
        append(frameSize, size: 2); append(32, size: 2)
        append(isExtensible ? 22 : 0, size: 2)
        if isExtensible {
            append(32, size: 2); append(0, size: 4); append(3, size: 2)
            bytes += [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71] // the rest of the format's GUID
        }
        append("fact"); append(4, size: 4); append(frames, size: 4)
        append("data"); append(dataSize, size: 4)
        for frame in 0..<frames {
            for channel in channels { append(Int(channel[frame].bitPattern), size: 4) }
        }
        self.bytes = bytes
    }

    private static func integer(_ sample: Float) -> Int {
        guard !sample.isNaN else { return 0 }
        return Int((Double(min(max(sample, -1), 1)) * 8_388_607).rounded(.toNearestOrEven))
    }
}
