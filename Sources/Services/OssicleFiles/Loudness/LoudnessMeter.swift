// How loud a sound is, while it goes by.

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

    private var weighting: [KWeighting]
    private var peaks: [TruePeakMeter]
    private let findsTruePeaks: Bool
    /// What each channel's power counts for; those of a pair, of which the last may lack its second.
    private let weights: [SIMD2<Double>]
    /// Power of each of the last frames, summed over the channels: 3 s of them.
    private var powers: [Double]
    /// Sums of the last steps: of 3 s.
    private var steps = [Double](repeating: 0, count: LoudnessMeter.longSteps)
    private var stepCount = 0
    private var gatingBlocks: LoudnessBlocks
    private var rangeBlocks: LoudnessBlocks
    /// Frames between two readings of the maxima: 100 ms, the step of Tech 3341's blocks.
    private let step: Int
    private var untilLook: Int
    private static let chunk = 4096
    /// Steps of 400 ms, of 3 s, and from one block of the loudness range to the next.
    private static let shortSteps = 4, longSteps = 30, rangeSteps = 10

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
        let rate = sampleRate.rounded()
        guard (16.0...2_822_400).contains(rate), (1...64).contains(channelCount) else { return nil }
        let weights = ChannelRole.weights(channelCount: channelCount, labels: labels)
        self.weights = stride(from: 0, to: channelCount, by: 2).map {
            SIMD2(weights[$0], $0 + 1 < channelCount ? weights[$0 + 1] : 0)
        }
        self.channelCount = channelCount
        self.sampleRate = sampleRate
        self.findsTruePeaks = findsTruePeaks
        step = max(1, Int(rate / 10))
        untilLook = step
        weighting = self.weights.map { _ in KWeighting(sampleRate: rate) }
        peaks = (0..<channelCount).map { _ in
            TruePeakMeter(sampleRate: rate, findsTruePeaks: findsTruePeaks, longest: Self.chunk)
        }
        powers = [Double](repeating: 0, count: Self.longSteps * step)
        gatingBlocks = LoudnessBlocks(memory)
        rangeBlocks = LoudnessBlocks(memory)
    }

    /// Takes the next `frames` frames, one plane per channel; nothing when there are fewer planes than channels.
    package func add(_ planes: [UnsafePointer<Float>], frames: Int) { take(planes, frames) }

    /// Like `add(_:frames:)`, from double precision; measured is single precision.
    package func add(_ planes: [UnsafePointer<Double>], frames: Int) { take(planes, frames) }

    private func take<Sample: BinaryFloatingPoint>(_ planes: [UnsafePointer<Sample>], _ frames: Int) {
        guard planes.count >= channelCount else { return }
        var done = 0
        while done < frames {
            // The ring of powers is a whole number of steps long, so that a piece never goes over its end.
            let count = min(frames - done, untilLook, Self.chunk)
            let start = Int(frameCount % Int64(powers.count))
            for frame in start..<start + count { powers[frame] = 0 }
            for (pair, weight) in weights.enumerated() {
                let left = planes[2 * pair] + done
                let right = 2 * pair + 1 < channelCount ? planes[2 * pair + 1] + done : nil
                add(left, right, pair, weight, count, at: start)
            }
            for frame in start..<start + count { steps[stepCount % Self.longSteps] += powers[frame] }
            done += count
            frameCount += Int64(count)
            untilLook -= count
            if untilLook == 0 { endStep() }
        }
    }

    /// Two channels, or the last one alone.
    private func add<Sample: BinaryFloatingPoint>(
        _ left: UnsafePointer<Sample>, _ right: UnsafePointer<Sample>?, _ pair: Int, _ weight: SIMD2<Double>,
        _ count: Int,
        at start: Int
    ) {
        peaks[2 * pair].add(count) { Float(left[$0]) }
        if let right { peaks[2 * pair + 1].add(count) { Float(right[$0]) } }
        guard weight != .zero else { return }
        var filter = weighting[pair]
        powers.withUnsafeMutableBufferPointer { powers in
            for frame in 0..<count {
                let heard = filter.next(
                    SIMD2(Double(Float(left[frame])), right.map { Double(Float($0[frame])) } ?? 0))
                powers[start + frame] += (heard * heard * weight).sum()
            }
        }
        filter.settle()
        weighting[pair] = filter
    }

    private func endStep() {
        untilLook = step
        stepCount += 1
        if stepCount >= Self.shortSteps {
            let power = power(ofSteps: Self.shortSteps)
            gatingBlocks.append(power)
            maximumMomentary = max(maximumMomentary, LoudnessBlocks.loudness(ofPower: power))
        }
        if stepCount >= Self.longSteps {
            let power = power(ofSteps: Self.longSteps)
            if (stepCount - Self.longSteps) % Self.rangeSteps == 0 { rangeBlocks.append(power) }
            maximumShortTerm = max(maximumShortTerm, LoudnessBlocks.loudness(ofPower: power))
        }
        steps[stepCount % Self.longSteps] = 0
    }

    /// Mean power of the last whole steps.
    private func power(ofSteps count: Int) -> Double {
        let sum = (stepCount - count..<stepCount).reduce(0) { $0 + steps[$1 % Self.longSteps] }
        return sum / Double(count * step)
    }

    /// Mean power of as many frames as steps have, of which the last is the last; nil before there are so many.
    private func lastLoudness(ofSteps count: Int) -> Double {
        guard frameCount >= Int64(count * step) else { return -.infinity }
        let first = frameCount - Int64(count * step)
        let sum = (first..<frameCount).reduce(0) { $0 + powers[Int($1 % Int64(powers.count))] }
        return LoudnessBlocks.loudness(ofPower: sum / Double(count * step))
    }

    /// Gated loudness of all so far.
    package var integrated: Double { gatingBlocks.gatedLoudness }

    /// Loudness of the last 400 ms.
    package var momentary: Double { lastLoudness(ofSteps: Self.shortSteps) }

    /// Loudness of the last 3 s.
    package var shortTerm: Double { lastLoudness(ofSteps: Self.longSteps) }

    /// Loudness range in LU: from the 10th to the 95th percentile of short-term loudness, gated; 0 before there is any.
    package var range: Double { rangeBlocks.range }

    /// The highest sample of each channel.
    package var samplePeaks: [Double] { peaks.map { Double($0.samplePeak) } }

    /// The highest value of each channel between samples, found at four times the rate (twice from 96 kHz on, at the
    /// samples alone from 192 kHz on).
    package var truePeaks: [Double] { peaks.map { findsTruePeaks ? Double($0.truePeak) : 0 } }
}

/// Roles of channels by ITU-R BS.1770-4.
package enum ChannelRole {
    /// What each channel's mean square counts for: surrounds 1.41, low-frequency effects nothing, all others 1. Without
    /// labels, five channels are L R C Ls Rs, six L R C LFE Ls Rs, and all others weigh 1.
    package static func weights(channelCount: Int, labels: [UInt32]?) -> [Double] {
        let labels = labels?.count == channelCount ? labels : usual(channelCount)
        guard let labels else { return [Double](repeating: 1, count: channelCount) }
        return labels.map { label in
            switch label {
            case ChannelLabel.lfe, ChannelLabel.lfe2, ChannelLabel.lfe3: 0
            case ChannelLabel.leftSurround, ChannelLabel.leftSurroundDirect, ChannelLabel.rearLeft,
                ChannelLabel.leftSide, ChannelLabel.backLeft, ChannelLabel.rightSurround,
                ChannelLabel.rightSurroundDirect, ChannelLabel.rearRight, ChannelLabel.rightSide,
                ChannelLabel.backRight:
                1.41
            default: 1
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
}
