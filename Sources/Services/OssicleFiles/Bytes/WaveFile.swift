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
        var header = Header()
        header.append("RIFF"); header.append(36 + dataSize, size: 4); header.append("WAVE")
        header.append("fmt "); header.append(16, size: 4)
        header.append(1, size: 2); header.append(2, size: 2) // PCM, two channels
        header.append(sampleRate, size: 4); header.append(sampleRate * 6, size: 4) // frames and bytes per second
        header.append(6, size: 2); header.append(24, size: 2) // bytes per frame, bits per sample
        header.append("data"); header.append(dataSize, size: 4)
        bytes = header.followed(by: dataSize) { data in
            left.withUnsafeBufferPointer { left in
                right.withUnsafeBufferPointer { right in
                    for frame in 0..<frames {
                        let (a, b) = (WaveFile.integer(left[frame]), WaveFile.integer(right[frame]))
                        let (low, high) = ((a | b << 24).littleEndian, UInt16(b >> 8).littleEndian)
                        data.storeBytes(of: low, toByteOffset: 6 * frame, as: UInt32.self)
                        data.storeBytes(of: high, toByteOffset: 6 * frame + 4, as: UInt16.self)
                    }
                }
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
        var header = Header()
        header.append("RIFF"); header.append(4 + (isExtensible ? 48 : 26) + 12 + 8 + dataSize, size: 4)
        header.append("WAVE")
        header.append("fmt "); header.append(isExtensible ? 40 : 18, size: 4)
        header.append(isExtensible ? 0xFFFE : 3, size: 2); header.append(channels.count, size: 2) // 3: floating point
        header.append(sampleRate, size: 4); header.append(sampleRate * frameSize, size: 4)
        header.append(frameSize, size: 2); header.append(32, size: 2)
        header.append(isExtensible ? 22 : 0, size: 2)
        if isExtensible {
            header.append(32, size: 2); header.append(0, size: 4); header.append(3, size: 2)
            // The rest of the format's GUID.
            header.bytes += [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
        }
        header.append("fact"); header.append(4, size: 4); header.append(frames, size: 4)
        header.append("data"); header.append(dataSize, size: 4)
        bytes = header.followed(by: dataSize) { data in
            for (number, channel) in channels.enumerated() {
                channel.withUnsafeBufferPointer { channel in
                    for frame in 0..<frames {
                        data.storeBytes(
                            of: channel[frame].bitPattern.littleEndian, toByteOffset: frame * frameSize + 4 * number,
                            as: UInt32.self)
                    }
                }
            }
        }
    }

    /// What comes before the samples.
    private struct Header {
        var bytes: [UInt8] = []

        mutating func append(_ tag: String) { bytes.append(contentsOf: tag.utf8) }

        mutating func append(_ value: Int, size: Int) {
            for shift in 0..<size { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * shift))) }
        }

        /// All of the file. `fill` writes the samples.
        func followed(by dataSize: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Void) -> [UInt8] {
            [UInt8](unsafeUninitializedCapacity: bytes.count + dataSize) { memory, count in
                _ = memory.initialize(fromContentsOf: bytes)
                fill(UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(memory)[bytes.count...]))
                count = bytes.count + dataSize
            }
        }
    }

    /// Of 24 bits, in the low bits.
    private static func integer(_ sample: Float) -> UInt32 {
        guard !sample.isNaN else { return 0 }
        // The sum has no bits left for fractions: its lowest ones are the integer.
        let sum = Double(min(max(sample, -1), 1)) * 8_388_607 + 0x1.8p52
        return UInt32(truncatingIfNeeded: sum.bitPattern) & 0xFF_FFFF
    }
}
