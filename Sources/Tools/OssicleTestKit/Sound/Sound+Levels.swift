import Foundation
import OssicleAnalysis
import OssicleCore
import OssicleFiles
import OssicleResponses

/// How loud it is.
extension Sound {
    /// Root mean square in dB re full scale: a sine of amplitude 1 has −3.01 dB, a square wave 0 dB.
    ///
    /// In a band it is that of the sound behind a zero-phase Butterworth filter of eighth order in both directions,
    /// whose corners are such that white noise has the power of the ideal band: a tone in the middle of an octave loses
    /// 0.03 dB, one at an edge 3 dB, one an octave outside 90 dB. The filter sees the whole sound, the window is cut
    /// afterwards.
    /// - Parameters:
    ///   - band: Hz; nil for all frequencies.
    ///   - window: seconds.
    ///   - channel: from 0 on; nil for the mean of all channels' powers.
    /// - Returns: −∞ for silence; NaN where there is no such channel or no frame in the window.
    public func level(
        in band: ClosedRange<Double>? = nil, during window: Range<Double>? = nil, channel: Int? = nil
    ) -> Double {
        let frames = frames(window)
        guard !frames.isEmpty, channel.map(channels.indices.contains) ?? true else { return .nan }
        let filter = band.map { BandFilter($0, sampleRate: sampleRate) }
        let chosen = channel.map { [$0] } ?? Array(channels.indices)
        let power = chosen.reduce(0.0) { sum, index in
            let sound =
                filter.map { $0.filtered(samples(index, 0..<frameCount))[frames] } ?? samples(index, frames)[...]
            return sum + sound.reduce(0) { $0 + $1 * $1 } / Double(frames.count)
        }
        return Decibels.of(energy: power / Double(chosen.count))
    }

    /// The largest sample in dB re full scale; −∞ for silence. Between samples it may be higher: `loudness()` has the
    /// true peak.
    public func peak(during window: Range<Double>? = nil) -> Double {
        let frames = frames(window)
        let peak = channels.reduce(Float(0)) { $1[frames].reduce($0) { $1.isFinite ? max($0, abs($1)) : $0 } }
        return Decibels.of(amplitude: Double(peak))
    }

    /// Loudness by ITU-R BS.1770-4 and EBU R 128.
    public struct Loudness: Sendable, Equatable {
        /// Gated, of the whole, in LUFS; −∞ for silence and for less than 0.4 s.
        public let integrated: Double
        /// The highest of any 0.4 s and of any 3 s, in LUFS; −∞ for shorter sounds.
        public let maximumMomentary, maximumShortTerm: Double
        /// By EBU Tech 3342, in LU.
        public let range: Double
        /// The highest value between samples, found at four times the rate, in dBTP; −∞ for silence.
        public let truePeak: Double
    }

    /// Channels are weighed by their labels: surrounds by 1.41, LFE not at all. Without labels, five channels are L R C
    /// Ls Rs, six L R C LFE Ls Rs, and all others weigh 1.
    /// - Returns: nil for rates below 16 Hz and more than 64 channels.
    public func loudness(during window: Range<Double>? = nil) -> Loudness? {
        guard
            let meter = LoudnessMeter(
                channelCount: channels.count, sampleRate: sampleRate, labels: channelLabels, memory: .blocks)
        else { return nil }
        let frames = frames(window), sound = allSamples(frames)
        Self.withPlanes(sound) { meter.add($0, frames: frames.count) }
        let measured = LoudnessMeasurement(meter)
        return Loudness(
            integrated: measured.integrated, maximumMomentary: measured.maximumMomentary,
            maximumShortTerm: measured.maximumShortTerm, range: measured.range, truePeak: measured.truePeakDecibels)
    }

    static func withPlanes(_ channels: [[Double]], _ body: ([UnsafePointer<Double>]) -> Void) {
        let planes = channels.map { channel in
            let plane = UnsafeMutablePointer<Double>.allocate(capacity: max(channel.count, 1))
            plane.initialize(from: channel, count: channel.count)
            return plane
        }
        defer { planes.forEach { $0.deallocate() } }
        body(planes.map { UnsafePointer($0) })
    }
}

/// Whether and where there is any.
extension Sound {
    /// Whether no sample is above `level`, dB re full scale.
    public func isSilent(below level: Double = -80, during window: Range<Double>? = nil) -> Bool {
        !(peak(during: window) > level)
    }

    /// The stretches of at least `length` seconds in which no sample of any channel is above `level`, dB re full scale.
    public func silences(below level: Double = -80, ofAtLeast length: Double = 0.05) -> [Range<Double>] {
        let limit = Float(Decibels.amplitude(level)), least = max(length * sampleRate, 1)
        var found: [Range<Double>] = [], start = 0
        func end(at frame: Int) {
            if Double(frame - start) >= least { found.append(Double(start) / sampleRate..<Double(frame) / sampleRate) }
        }
        for frame in 0..<frameCount where channels.contains(where: { abs($0[frame]) > limit }) {
            end(at: frame)
            start = frame + 1
        }
        end(at: frameCount)
        return found
    }

    /// Seconds at which something begins: the energy of the next 10 ms is `rise` dB above that of the 50 ms before and
    /// above `floor`, dB re full scale. At most 20 a second. The time is that of the first sample with a tenth of the
    /// amplitude that follows.
    public func onsets(rise: Double = 10, floor: Double = -60, during window: Range<Double>? = nil) -> [Double] {
        let frames = frames(window)
        return Transients.onsets(
            allSamples(frames), sampleRate: sampleRate, rise: rise, floor: Decibels.energy(floor)
        ).map { Double($0 + frames.lowerBound) / sampleRate }
    }

    /// Seconds at which a channel breaks: its second difference is `ratio` times the root mean square of that of the 5
    /// ms on the louder side, and at least `least`. White noise reaches 5; a fade has none; a sound that begins or is
    /// cut off at once has one.
    public func clicks(
        ratio: Double = 8, least: Double = 0.001, during window: Range<Double>? = nil
    ) -> [Double] {
        let frames = frames(window)
        let all = channels.indices.flatMap { Transients.clicks(samples($0, frames), ratio: ratio, least: least) }
        return Set(all).sorted().map { Double($0 + frames.lowerBound) / sampleRate }
    }
}
