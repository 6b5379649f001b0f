// How loud a whole sound is.

import Foundation

/// Loudness of a sound by ITU-R BS.1770-4 and EBU R 128.
package struct LoudnessMeasurement: Equatable, Sendable {
    /// Gated loudness of the whole, in LUFS; -infinity for silence and for sounds shorter than one 400 ms block.
    package let integrated: Double
    /// The highest loudness of any 400 ms and of any 3 s, in LUFS; -infinity for sounds that are shorter.
    package let maximumMomentary: Double
    package let maximumShortTerm: Double
    /// Loudness range by EBU Tech 3342, in LU.
    package let range: Double
    /// Highest value between samples, found at four times the rate; linear, 1 is full scale. The largest channel
    /// counts.
    package let truePeak: Double
    /// Highest sample; linear.
    package let samplePeak: Double
    /// The same for each channel.
    package let truePeaks: [Double]
    package let samplePeaks: [Double]

    /// True peak in dBTP.
    package var truePeakDecibels: Double { 20 * log10(truePeak) }

    /// What `meter` has measured so far.
    package init(_ meter: LoudnessMeter) {
        integrated = meter.integrated
        maximumMomentary = meter.maximumMomentary
        maximumShortTerm = meter.maximumShortTerm
        range = meter.range
        truePeaks = meter.truePeaks
        samplePeaks = meter.samplePeaks
        truePeak = truePeaks.max() ?? 0
        samplePeak = samplePeaks.max() ?? 0
    }

    /// Measures `audio`, or `nil` when it has no channels the measure knows how to weigh or its rate is out of range.
    ///
    /// Channels are weighed by their labels: surrounds by 1.41, LFE not at all. Without labels, five channels are
    /// L R C Ls Rs, six L R C LFE Ls Rs, and all others weigh 1.
    package init?(_ audio: ResidentAudio) {
        guard
            let meter = LoudnessMeter(
                channelCount: audio.channelCount, sampleRate: audio.sampleRate, labels: audio.channelLabels,
                memory: .blocks)
        else { return nil }
        meter.add((0..<audio.channelCount).map { audio[$0] }, frames: audio.frameCount)
        self.init(meter)
    }

    private static let chunk = 4096

    /// Measures the file at `path` without holding it in memory; the same numbers as for the resident sound.
    package init?(path: String) throws(AudioFileError) {
        let reader = try AudioFileReader(path: path), info = reader.info
        guard
            let meter = LoudnessMeter(
                channelCount: info.channelCount, sampleRate: info.sampleRate, labels: info.channelLabels,
                memory: .blocks)
        else {
            return nil
        }
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: Self.chunk * info.channelCount)
        defer { memory.deallocate() }
        let planes = (0..<info.channelCount).map { memory + $0 * Self.chunk }
        while true {
            let count = try reader.read(into: planes, frames: Self.chunk)
            guard count > 0 else { break }
            meter.add(planes.map { UnsafePointer($0) }, frames: count)
        }
        self.init(meter)
    }
}
