// How loud a sound is.

import CEbur128
import Foundation

/// Loudness of a sound by ITU-R BS.1770-4 and EBU R 128.
package struct LoudnessMeasurement: Equatable, Sendable {
    /// Gated loudness of the whole, in LUFS; -infinity for silence and for sounds shorter than one 400 ms block.
    package let integrated: Double
    /// Highest value between samples, found at four times the rate or more; linear, 1 is full scale. The largest channel counts.
    package let truePeak: Double
    /// Highest sample; linear.
    package let samplePeak: Double

    /// True peak in dBTP.
    package var truePeakDecibels: Double { 20 * log10(truePeak) }

    /// Measures `audio`, or `nil` when it has no channels the measure knows how to weigh or its rate is out of range.
    ///
    /// Channels are weighed by their labels: surrounds by 1.41, LFE not at all. Without labels, five channels are
    /// L R C Ls Rs, six L R C LFE Ls Rs, and all others weigh 1.
    package init?(_ audio: ResidentAudio) {
        var next = 0
        self.init(channelCount: audio.channelCount, sampleRate: audio.sampleRate, labels: audio.channelLabels) { planes, limit in
            let frames = min(limit, audio.frameCount - next)
            for (channel, plane) in planes.enumerated() { plane.update(from: audio[channel] + next, count: frames) }
            next += frames
            return frames
        }
    }

    /// Measures the file at `path` without holding it in memory; the same numbers as for the resident sound.
    package init?(path: String) throws(AudioFileError) {
        let reader = try AudioFileReader(path: path)
        var failure: AudioFileError?
        self.init(channelCount: reader.info.channelCount, sampleRate: reader.info.sampleRate, labels: reader.info.channelLabels) { planes, limit in
            do throws(AudioFileError) {
                return try reader.read(into: planes, frames: limit)
            } catch {
                failure = error
                return 0
            }
        }
        if let failure { throw failure }
    }

    private static let chunk = 4096

    /// - Parameter read: fills up to that many frames of every channel and says how many; 0 ends the sound.
    private init?(channelCount: Int, sampleRate: Double, labels: [UInt32]?, read: ([UnsafeMutablePointer<Float>], Int) -> Int) {
        let modes = EBUR128_MODE_I.rawValue | EBUR128_MODE_SAMPLE_PEAK.rawValue | EBUR128_MODE_TRUE_PEAK.rawValue
        let rate = sampleRate.rounded()
        guard (16.0...2_822_400).contains(rate), (1...64).contains(channelCount) else { return nil }
        var meter = ebur128_init(UInt32(channelCount), UInt(rate), Int32(bitPattern: modes))
        guard let state = meter else { return nil }
        defer { ebur128_destroy(&meter) }
        for (channel, role) in Self.roles(channelCount, labels).enumerated() {
            ebur128_set_channel(state, UInt32(channel), Int32(bitPattern: role.rawValue))
        }
        guard Self.feed(channelCount, to: state, read) else { return nil }
        var loudness = 0.0
        guard ebur128_loudness_global(state, &loudness) == EBUR128_SUCCESS.rawValue else { return nil }
        integrated = loudness
        truePeak = Self.peak(channelCount) { ebur128_true_peak(state, $0, $1) }
        samplePeak = Self.peak(channelCount) { ebur128_sample_peak(state, $0, $1) }
    }

    private static func feed(_ channels: Int, to state: UnsafeMutablePointer<ebur128_state>,
                             _ read: ([UnsafeMutablePointer<Float>], Int) -> Int) -> Bool {
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: chunk * channels)
        defer { memory.deallocate() }
        memory.initialize(repeating: 0, count: chunk * channels)
        let planes = (0..<channels).map { memory + $0 * chunk }
        var interleaved = [Float](repeating: 0, count: chunk * channels)
        while true {
            let frames = read(planes, chunk)
            guard frames > 0 else { return true }
            for (channel, plane) in planes.enumerated() {
                for frame in 0..<frames { interleaved[frame * channels + channel] = plane[frame] }
            }
            guard ebur128_add_frames_float(state, interleaved, frames) == Int32(EBUR128_SUCCESS.rawValue) else { return false }
        }
    }

    private static func peak(_ channels: Int, _ read: (UInt32, UnsafeMutablePointer<Double>) -> Int32) -> Double {
        var highest = 0.0
        for channel in 0..<UInt32(channels) {
            var value = 0.0
            if read(channel, &value) == Int32(EBUR128_SUCCESS.rawValue) { highest = max(highest, value) }
        }
        return highest
    }

    private static func roles(_ channelCount: Int, _ labels: [UInt32]?) -> [channel] {
        guard let labels else {
            switch channelCount {
            case 5: return [EBUR128_LEFT, EBUR128_RIGHT, EBUR128_CENTER, EBUR128_LEFT_SURROUND, EBUR128_RIGHT_SURROUND]
            case 6: return [EBUR128_LEFT, EBUR128_RIGHT, EBUR128_CENTER, EBUR128_UNUSED, EBUR128_LEFT_SURROUND, EBUR128_RIGHT_SURROUND]
            default: return [channel](repeating: EBUR128_CENTER, count: channelCount)
            }
        }
        return labels.map { label in
            switch label {
            case 4, 37, 62: EBUR128_UNUSED
            case 5, 10, 33, 55, 63: EBUR128_LEFT_SURROUND
            case 6, 11, 34, 56, 64: EBUR128_RIGHT_SURROUND
            default: EBUR128_CENTER
            }
        }
    }
}
