// How loud a sound is: an addition to Apple's interface.

import OssicleCoreAudioTypes
import OssicleFiles

/// The loudness of a sound by ITU-R BS.1770-4, EBU R 128 and EBU Tech 3341 and 3342. Surrounds count 1.41 times,
/// channels for low frequencies not at all.
public struct AudioLoudness: Equatable, Sendable {
    /// Gated loudness of the whole, in LUFS; −infinity for silence and for less than 400 ms.
    public let integrated: Double
    /// The highest loudness of any 400 ms, in LUFS; −infinity for silence and for less.
    public let momentaryMaximum: Double
    /// The highest loudness of any 3 s, in LUFS; −infinity for silence and for less.
    public let shortTermMaximum: Double
    /// Loudness range in LU; 0 where there is too little to tell.
    public let range: Double
    /// The highest value between samples, in dBTP; −infinity for silence. The loudest channel counts.
    public let truePeak: Double
    /// The highest sample, in dBFS; −infinity for silence. The loudest channel counts.
    public let samplePeak: Double

    init(_ measurement: LoudnessMeasurement) {
        integrated = measurement.integrated
        momentaryMaximum = measurement.maximumMomentary
        shortTermMaximum = measurement.maximumShortTerm
        range = measurement.range
        truePeak = measurement.truePeakDecibels
        samplePeak = 20 * log10(measurement.samplePeak)
    }
}

extension OssicleAdditions where Self: AVAudioPCMBuffer {
    /// The loudness of the valid frames. Throws for formats that cannot be measured.
    public func loudness() throws -> AudioLoudness {
        let meter = try AudioLoudnessMeter(format: format, memory: .blocks)
        try meter.process(self)
        return meter.loudness
    }
}

extension OssicleAdditions where Self: AVAudioFile {
    /// The loudness of the whole file, read piece by piece; `framePosition` stays. Throws when the file is closed or
    /// being written, and when it cannot be read or measured.
    public func loudness() throws -> AudioLoudness {
        try checkReadable()
        let measurement = try AudioFileRequest.translating { () throws(AudioFileError) in
            try LoudnessMeasurement(path: url.path)
        }
        guard let measurement else { throw AudioLoudnessMeter.refusal(fileFormat) }
        return AudioLoudness(measurement)
    }
}
