// How loud a sound is, while it goes by.

import CEbur128
import Foundation
import OssicleChannels

/// Measures loudness by ITU-R BS.1770-4, EBU R 128 and EBU Tech 3341 and 3342, from frames in pieces of any length. For
/// one thread at a time; not for the audio thread.
///
/// Loudness is in LUFS and -infinity before there is enough sound: 400 ms for momentary and integrated, 3 s for
/// short-term loudness. Peaks are linear, 1 is full scale.
package final class LoudnessMeter {
    package let channelCount: Int
    package let sampleRate: Double
    /// Frames measured so far.
    package private(set) var frameCount: Int64 = 0
    /// The highest momentary and short-term loudness so far, looked at ten times a second.
    package private(set) var maximumMomentary = -Double.infinity
    package private(set) var maximumShortTerm = -Double.infinity

    private let state: UnsafeMutablePointer<ebur128_state>
    private let interleaved: UnsafeMutablePointer<Float>
    /// Frames between two readings of the maxima: 100 ms, the step of Tech 3341's blocks.
    private let step: Int
    private var untilLook: Int
    private static let chunk = 4096

    /// What is kept of the past for integrated loudness and range.
    package enum Memory: Sendable {
        /// Histograms in steps of 0.1 LU, which do not grow with the sound.
        case histogram
        /// Every block's loudness: about 10 MB for ten hours.
        case blocks
    }

    /// - Parameter labels: one per channel, as in `AudioFileInfo`; see `ChannelRole` for sounds without.
    /// - Parameter findsTruePeaks: costs most of the time; without, true peaks are 0.
    /// - Returns: `nil` for rates outside 16 Hz ... 2.8224 MHz and for other than 1 ... 64 channels.
    package init?(
        channelCount: Int, sampleRate: Double, labels: [UInt32]? = nil, memory: Memory = .histogram,
        findsTruePeaks: Bool = true
    ) {
        let measures = [
            EBUR128_MODE_I, EBUR128_MODE_S, EBUR128_MODE_LRA,
            findsTruePeaks ? EBUR128_MODE_TRUE_PEAK : EBUR128_MODE_SAMPLE_PEAK,
        ]
        let modes = measures.reduce(memory == .histogram ? EBUR128_MODE_HISTOGRAM.rawValue : 0) { $0 | $1.rawValue }
        let rate = sampleRate.rounded()
        guard (16.0...2_822_400).contains(rate), (1...64).contains(channelCount),
            let state = ebur128_init(UInt32(channelCount), UInt(rate), Int32(bitPattern: modes))
        else { return nil }
        for (channel, role) in ChannelRole.roles(channelCount: channelCount, labels: labels).enumerated() {
            ebur128_set_channel(state, UInt32(channel), Int32(bitPattern: role.rawValue))
        }
        self.state = state
        self.channelCount = channelCount
        self.sampleRate = sampleRate
        step = max(1, Int(rate / 10))
        untilLook = step
        interleaved = .allocate(capacity: Self.chunk * channelCount)
    }

    deinit {
        var state: UnsafeMutablePointer<ebur128_state>? = state
        ebur128_destroy(&state)
        interleaved.deallocate()
    }

    /// Takes the next `frames` frames, one plane per channel; nothing when there are fewer planes than channels.
    package func add(_ planes: [UnsafePointer<Float>], frames: Int) { take(planes, frames) }

    /// Like `add(_:frames:)`, from double precision; measured is single precision.
    package func add(_ planes: [UnsafePointer<Double>], frames: Int) { take(planes, frames) }

    private func take<Sample: BinaryFloatingPoint>(_ planes: [UnsafePointer<Sample>], _ frames: Int) {
        guard planes.count >= channelCount else { return }
        var done = 0
        while done < frames {
            let count = min(frames - done, untilLook, Self.chunk)
            for (channel, plane) in planes.prefix(channelCount).enumerated() {
                for frame in 0..<count { interleaved[frame * channelCount + channel] = Float(plane[done + frame]) }
            }
            ebur128_add_frames_float(state, interleaved, count)
            done += count
            frameCount += Int64(count)
            untilLook -= count
            if untilLook == 0 { look() }
        }
    }

    /// Gated loudness of all so far.
    package var integrated: Double { value { ebur128_loudness_global(state, $0) } }

    /// Loudness of the last 400 ms.
    package var momentary: Double {
        frameCount < Int64(step) * 4 ? -.infinity : value { ebur128_loudness_momentary(state, $0) }
    }

    /// Loudness of the last 3 s.
    package var shortTerm: Double {
        frameCount < Int64(step) * 30 ? -.infinity : value { ebur128_loudness_shortterm(state, $0) }
    }

    /// Loudness range in LU: from the 10th to the 95th percentile of short-term loudness, gated; 0 before there is any.
    package var range: Double {
        let range = value { ebur128_loudness_range(state, $0) }
        return range.isFinite ? range : 0
    }

    /// The highest sample of each channel.
    package var samplePeaks: [Double] { peaks { ebur128_sample_peak(state, $0, $1) } }

    /// The highest value of each channel between samples, found at four times the rate (twice from 96 kHz on, at the
    /// samples alone from 192 kHz on).
    package var truePeaks: [Double] { peaks { ebur128_true_peak(state, $0, $1) } }

    private func look() {
        untilLook = step
        maximumMomentary = max(maximumMomentary, momentary)
        maximumShortTerm = max(maximumShortTerm, shortTerm)
    }

    private func value(_ read: (UnsafeMutablePointer<Double>) -> Int32) -> Double {
        var value = 0.0
        return read(&value) == Int32(EBUR128_SUCCESS.rawValue) ? value : -.infinity
    }

    private func peaks(_ read: (UInt32, UnsafeMutablePointer<Double>) -> Int32) -> [Double] {
        (0..<UInt32(channelCount)).map { channel in
            var value = 0.0
            return read(channel, &value) == Int32(EBUR128_SUCCESS.rawValue) ? value : 0
        }
    }
}

/// Roles of channels by ITU-R BS.1770-4: surrounds weigh 1.41, low-frequency effects nothing, all others 1.
package enum ChannelRole {
    /// Without labels, five channels are L R C Ls Rs, six L R C LFE Ls Rs, and all others weigh 1.
    static func roles(channelCount: Int, labels: [UInt32]?) -> [channel] {
        let labels = labels?.count == channelCount ? labels : usual(channelCount)
        guard let labels else { return [channel](repeating: EBUR128_CENTER, count: channelCount) }
        return labels.map { label in
            switch label {
            case ChannelLabel.lfe, ChannelLabel.lfe2, ChannelLabel.lfe3: EBUR128_UNUSED
            case ChannelLabel.leftSurround, ChannelLabel.leftSurroundDirect, ChannelLabel.rearLeft,
                ChannelLabel.leftSide, ChannelLabel.backLeft:
                EBUR128_LEFT_SURROUND
            case ChannelLabel.rightSurround, ChannelLabel.rightSurroundDirect, ChannelLabel.rearRight,
                ChannelLabel.rightSide, ChannelLabel.backRight:
                EBUR128_RIGHT_SURROUND
            default: EBUR128_CENTER
            }
        }
    }

    private static func usual(_ channelCount: Int) -> [UInt32]? {
        switch channelCount {
        case 5: ChannelOrder.labels(named: "L R C Ls Rs")
        case 6: ChannelOrder.labels(named: "L R C LFE Ls Rs")
        default: nil
        }
    }

    /// What each channel's mean square counts for.
    package static func weights(channelCount: Int, labels: [UInt32]?) -> [Double] {
        roles(channelCount: channelCount, labels: labels).map { role in
            switch role {
            case EBUR128_UNUSED: 0
            case EBUR128_LEFT_SURROUND, EBUR128_RIGHT_SURROUND: 1.41
            default: 1
            }
        }
    }
}
