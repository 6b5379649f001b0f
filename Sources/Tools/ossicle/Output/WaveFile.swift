/// A stereo 24-bit PCM WAVE file as bytes.
///
/// Written here and not by a codec library, because the file's hash is a promise: no version of a library may change a
/// header chunk or a rounding. Samples are rounded to nearest (ties to even) and limited to full scale; there is no dither.
struct WaveFile {
    let bytes: [UInt8]

    /// - Parameters:
    ///   - left, right: samples, full scale ±1, of equal length. - sampleRate: in Hz.
    init(left: [Float], right: [Float], sampleRate: Int) {
        let frames = min(left.count, right.count)
        let dataSize = frames * 6
        var bytes: [UInt8] = []
        bytes.reserveCapacity(44 + dataSize)
        func append(_ tag: String) { bytes.append(contentsOf: tag.utf8) }
        func append(_ value: Int, size: Int) { for shift in 0..<size { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * shift))) } }

        append("RIFF"); append(36 + dataSize, size: 4); append("WAVE")
        append("fmt "); append(16, size: 4)
        append(1, size: 2); append(2, size: 2)                            // PCM, two channels
        append(sampleRate, size: 4); append(sampleRate * 6, size: 4)      // frames and bytes per second
        append(6, size: 2); append(24, size: 2)                           // bytes per frame, bits per sample
        append("data"); append(dataSize, size: 4)
        for frame in 0..<frames {
            append(WaveFile.integer(left[frame]), size: 3)
            append(WaveFile.integer(right[frame]), size: 3)
        }
        self.bytes = bytes
    }

    private static func integer(_ sample: Float) -> Int {
        guard !sample.isNaN else { return 0 }
        return Int((Double(min(max(sample, -1), 1)) * 8_388_607).rounded(.toNearestOrEven))
    }
}
