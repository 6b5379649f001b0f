import Foundation
import OssicleAcoustics
import OssicleCore
import OssicleFiles
import OssicleResponses

/// What `ossicle analyze` measures of one file.
struct SoundAnalysis {
    struct Channel: Encodable, Equatable {
        let name: String
        /// dBFS; nil for silence.
        let peak, truePeak, rms: Double?
        /// dB, peak over root mean square.
        let crest: Double?
        /// Mean of the samples, full scale 1.
        let offset: Double
    }

    struct Loudness: Encodable, Equatable {
        /// LUFS, LU for the range.
        let integrated, range, maximumMomentary, maximumShortTerm: Double?
        /// LUFS over time, in steps of `interval` seconds: of the 0.4 s and the 3 s before.
        let interval: Double
        let momentary, shortTerm: [Double?]
    }

    struct Band: Encodable, Equatable {
        /// Nominal, Hz.
        let frequency: Double
        /// dB re full scale, mean square, mean of the channels.
        let level: Double?
    }

    let facts: SoundFacts
    let channels: [Channel]
    let loudness: Loudness?
    let spectrum: [Band]
    /// How directions were found; nil where none are defined.
    let receiver: DirectionMethod?
    let directions: [DirectionPoint]
    /// nil where the sound is no impulse response.
    let decay: ResponseDecay?

    /// What the user says of the file.
    struct Wishes {
        var receiver: DirectionMethod.Name?
        var isResponse = false
        /// Amplitude of the direct sound at 1 m, for levels of a response.
        var reference: Double?
        var speech: SpeechConditions?
        /// Seconds of a stretch whose direction is found.
        var interval = 0.1
        var draws = false
    }

    /// Reads the file twice, in bounded memory but for the first minute, which may be a response.
    /// - Parameter progress: receives the share that is done.
    init(of path: String, _ wishes: Wishes, _ progress: (Double) -> Void) throws {
        facts = try SoundFacts(of: path, draws: wishes.draws) { progress($0 / 2) }
        let reader = try AudioFileReader(path: path), info = reader.info
        let receiver = DirectionMethod(wishes.receiver, channelCount: info.channelCount, labels: info.channelLabels)
        self.receiver = receiver
        var measures = Measures(
            info, receiver.map { DirectionAnalysis(receiver: $0, sampleRate: info.sampleRate) },
            interval: wishes.interval)
        let block = SampleBlock(
            channels: info.channelCount, capacity: max(Int((info.sampleRate * wishes.interval).rounded()), 1))
        while case let count = try reader.read(into: block.planes, frames: block.capacity), count > 0 {
            measures.add(block.constPlanes, frames: count)
            progress(0.5 + Double(reader.position) / Double(max(info.frameCount, 1)) / 2)
        }
        let names = (0..<info.channelCount).map {
            ChannelWords.short($0, of: info.channelCount, labels: info.channelLabels)
        }
        channels = measures.channels(names, facts.loudness)
        let seconds = facts.seconds
        loudness = facts.loudness.map { measured in
            Loudness(
                integrated: measured.integrated.known, range: seconds < 0.4 ? nil : measured.range.known,
                maximumMomentary: measured.maximumMomentary.known, maximumShortTerm: measured.maximumShortTerm.known,
                interval: wishes.interval, momentary: measures.momentary, shortTerm: measures.shortTerm)
        }
        spectrum = zip(ThirdOctaves.nominal, measures.spectrum.finish()).compactMap { frequency, power in
            power.map { Band(frequency: frequency, level: $0 > 0 ? 10 * log10($0) : nil) }
        }
        directions = measures.directions
        decay = measures.start.flatMap { samples in
            let (channels, kind) = receiver.responseChannels(samples)
            return ResponseDecay(
                channels, sampleRate: info.sampleRate, isSure: wishes.isResponse, kind: kind,
                reference: wishes.reference, speech: wishes.speech)
        }
    }
}

extension DirectionMethod? {
    /// The channels of a response that its quantities are read from, and what they are.
    fileprivate func responseChannels(_ samples: [[Double]]) -> ([[Double]], ResponseMetrics.Kind) {
        switch self {
        case .binaural: return (samples, .ears)
        case .ambisonic(let format):
            // W and Y, in SN3D.
            let found = [0, 1].compactMap { index in
                zip(format.channels, samples).lazy.compactMap { channel, samples in
                    channel.flatMap { used in used.index == index ? samples.map { $0 * used.gain } : nil }
                }.first
            }
            return found.count == 2 ? (found, .field) : (samples, .microphones)
        case .stereo, .loudspeakers, nil: return (samples, .microphones)
        }
    }
}

/// What is measured while the sound passes by.
private struct Measures {
    let spectrum: ThirdOctaves
    private let direction: DirectionAnalysis?
    private let meter: LoudnessMeter?
    private let info: AudioFileInfo
    private let interval: Double
    private var sums, squares, peaks: [Double]
    private var frames = 0
    private(set) var momentary: [Double?] = []
    private(set) var shortTerm: [Double?] = []
    private(set) var directions: [DirectionPoint] = []
    /// All of it; nil once it is longer than a response may be.
    private(set) var start: [[Double]]?

    init(_ info: AudioFileInfo, _ direction: DirectionAnalysis?, interval: Double) {
        (self.info, self.direction, self.interval) = (info, direction, interval)
        spectrum = ThirdOctaves(channelCount: info.channelCount, sampleRate: info.sampleRate)
        meter = LoudnessMeter(
            channelCount: info.channelCount, sampleRate: info.sampleRate, labels: info.channelLabels,
            findsTruePeaks: false)
        sums = Array(repeating: 0, count: info.channelCount)
        (squares, peaks) = (sums, sums)
        start = Array(repeating: [], count: info.channelCount)
    }

    mutating func add(_ planes: [UnsafePointer<Double>], frames count: Int) {
        let block = planes.map { Array(UnsafeBufferPointer(start: $0, count: count)) }
        for (channel, samples) in block.enumerated() {
            for sample in samples where sample.isFinite {
                sums[channel] += sample
                squares[channel] += sample * sample
                peaks[channel] = max(peaks[channel], abs(sample))
            }
            start?[channel] += samples
        }
        spectrum.add(planes, frames: count)
        if let meter {
            meter.add(planes, frames: count)
            momentary.append(meter.momentary.known)
            shortTerm.append(meter.shortTerm.known)
        }
        let middle = (Double(frames) + Double(count) / 2) / max(info.sampleRate, 1)
        if let point = direction?.point(block, at: middle) { directions.append(point) }
        frames += count
        if Double(frames) > ResponseDecay.longest * info.sampleRate { start = nil }
    }

    func channels(_ names: [String], _ loudness: LoudnessMeasurement?) -> [SoundAnalysis.Channel] {
        names.enumerated().map { channel, name in
            let meanSquare = squares[channel] / Double(max(frames, 1)), peak = peaks[channel]
            let truePeak = loudness.flatMap { channel < $0.truePeaks.count ? $0.truePeaks[channel] : nil }
            return SoundAnalysis.Channel(
                name: name, peak: Decibels.of(amplitude: peak).known,
                truePeak: truePeak.flatMap { Decibels.of(amplitude: $0).known },
                rms: Decibels.of(energy: meanSquare).known,
                crest: meanSquare > 0 ? Decibels.of(energy: peak * peak / meanSquare) : nil,
                offset: sums[channel] / Double(max(frames, 1)))
        }
    }
}
