// Bit rates and quality in libsndfile's terms.

import CSndfile
import OssicleCodecs

extension EncoderSettings {
    /// Sets an encoder before its first frame. libsndfile has one scale for all, from 0 (largest) to 1 (smallest), which each codec reads in its
    /// own way; where both are given a bit rate goes before quality.
    func apply(to file: VirtualFile, _ request: FileEncoderRequest) {
        switch request.codec {
        case .mp3: applyMP3(to: file, request.sampleRate)
        case .opus:
            let perChannel = bitRate.map { Double($0) / Double(request.channelCount) }
            // 6 … 256 kbit/s for each channel.
            setLevel(perChannel.map { 1 - ($0 - 6000) / 250_000 } ?? quality.map { 1 - $0 }, file)
            // The longest stretch a killed process loses, in milliseconds.
            var latency = 200.0
            sf_command(file.handle, Int32(SFC_SET_OGG_PAGE_LATENCY_MS), &latency, Int32(MemoryLayout<Double>.size))
        case .vorbis: setLevel(bitRate.map { 1 - Self.vorbisQuality($0, request) } ?? quality.map { 1 - $0 }, file)
        // Of FLAC quality is only how hard the encoder tries.
        case .flac8, .flac16, .flac24: setLevel(quality, file)
        default: break
        }
    }

    /// Constant and average rates are LAME's own, variable ones its quality scale.
    private func applyMP3(to file: VirtualFile, _ sampleRate: Double) {
        let strategy = strategy ?? .constant
        var mode = Int32((strategy == .constant ? SF_BITRATE_MODE_CONSTANT : strategy == .variable && bitRate == nil ? SF_BITRATE_MODE_VARIABLE
            : SF_BITRATE_MODE_AVERAGE))
        sf_command(file.handle, Int32(SFC_SET_BITRATE_MODE), &mode, Int32(MemoryLayout<Int32>.size))
        let range = Self.mp3Rates(sampleRate)
        // The library cuts to whole kilobits; half of one more makes it round.
        let level = bitRate.map { (range.upperBound - Double($0) / 1000 - 0.5) / (range.upperBound - range.lowerBound) }
        setLevel(level ?? quality.map { 1 - $0 }, file)
    }

    private func setLevel(_ level: Double?, _ file: VirtualFile) {
        guard let level, level.isFinite else { return }
        var clamped = min(max(level, 0), 1)
        sf_command(file.handle, Int32(SFC_SET_COMPRESSION_LEVEL), &clamped, Int32(MemoryLayout<Double>.size))
    }

    /// Kilobits per second of MPEG 1, 2 and 2.5.
    private static func mp3Rates(_ sampleRate: Double) -> ClosedRange<Double> {
        sampleRate >= 32_000 ? 32...320 : sampleRate >= 16_000 ? 8...160 : 8...64
    }

    /// The quality at which Vorbis' documented nominal rate for 44.1 kHz stereo, scaled by channels and rate, is the one asked for.
    private static func vorbisQuality(_ bitRate: Int, _ request: FileEncoderRequest) -> Double {
        let kilobits: [Double] = [64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 500]
        let asked = Double(bitRate) / 1000 * 2 / Double(request.channelCount) * 44_100 / request.sampleRate
        guard let upper = kilobits.firstIndex(where: { $0 >= asked }) else { return 1 }
        guard upper > 0 else { return 0 }
        return (Double(upper) - (kilobits[upper] - asked) / (kilobits[upper] - kilobits[upper - 1])) / 10
    }
}
