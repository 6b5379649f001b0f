import OssicleFiles

/// Listens to a sound that passes by once and keeps what `ossicle info` tells of it.
final class Ear {
    private var waveform: Waveform
    private let spectrogram: SpectrogramRecorder?
    private let meter: LoudnessMeter?
    private var curve = LoudnessCurve()
    private let names: [String]
    /// Frames until the next point of the loudness curve.
    private let interval: Int
    private var untilPoint: Int

    init(for info: AudioFileInfo, draws: Bool) {
        waveform = Waveform(channelCount: info.channelCount, frameCount: info.frameCount, bits: info.codec.isInteger ? info.bitDepth : 0)
        spectrogram = draws ? SpectrogramRecorder(channelCount: info.channelCount, sampleRate: info.sampleRate, frameCount: info.frameCount, rows: 256) : nil
        meter = LoudnessMeter(channelCount: info.channelCount, sampleRate: info.sampleRate, labels: info.channelLabels, memory: .blocks)
        names = (0..<info.channelCount).map { ChannelWords.short($0, of: info.channelCount, info.channelLabels) }
        interval = max(Int(exactly: (info.sampleRate / 10).rounded()) ?? 4800, 1)
        untilPoint = interval
    }

    /// Takes the next `frames` frames, one plane per channel.
    func hear(_ planes: [UnsafePointer<Double>], frames: Int) {
        waveform.add(planes, frames: frames)
        spectrogram?.add(planes.map { UnsafeBufferPointer(start: $0, count: frames).lazy.map(Float.init) })
        measure(planes, frames)
    }

    var loudness: LoudnessMeasurement? { meter.map(LoudnessMeasurement.init) }

    func finishedWaveform() -> Waveform {
        waveform.finish()
        return waveform
    }

    func finishedPicture(seconds: Double) -> SoundPicture? {
        curve.integrated = meter?.integrated ?? -.infinity
        return spectrogram.map { SoundPicture(waveform: waveform, names: names, seconds: seconds, loudness: curve, spectrogram: $0.finish()) }
    }

    /// A point of the curve every tenth of a second.
    private func measure(_ planes: [UnsafePointer<Double>], _ frames: Int) {
        guard let meter else { return }
        var start = 0
        while start < frames {
            let count = min(untilPoint, frames - start)
            meter.add(planes.map { $0 + start }, frames: count)
            start += count
            untilPoint -= count
            guard untilPoint == 0 else { continue }
            untilPoint = interval
            curve.append(meter.shortTerm)
        }
    }
}
