import OssicleCore
import OssicleFiles

/// What `ossicle info` says about one file.
struct SoundFacts: Equatable {
    let path: String
    let info: AudioFileInfo
    /// Frames that can be decoded: fewer than the header tells in a damaged file.
    let frames: Int
    /// Nil where the measure does not know the channels or the rate.
    let loudness: LoudnessMeasurement?

    init(of path: String) throws {
        let info = try AudioFileProbe.probe(path: path)
        let audio = try ResidentAudio(path: path)
        self.init(path: path, info: info, frames: audio.frameCount, loudness: LoudnessMeasurement(audio))
    }

    init(path: String, info: AudioFileInfo, frames: Int, loudness: LoudnessMeasurement?) {
        self.path = path
        self.info = info
        self.frames = frames
        self.loudness = loudness
    }

    var text: String {
        let seconds = info.sampleRate > 0 ? Double(frames) / info.sampleRate : 0
        let missing = Int64(frames) < info.frameCount ? ", the header tells of \(info.frameCount)" : ""
        return """
            \(path)
              format    \(info.container), \(info.codec)
              channels  \(info.channelCount)
              rate      \(Text.number(info.sampleRate, decimals: 0)) Hz
              length    \(Text.number(seconds, decimals: 3)) s, \(frames) frames\(missing)
              loudness  \(seconds < 0.4 ? "– (shorter than 0.4 s)" : level(\.integrated) { $0 } + " LUFS")
              peak      \(level(\.samplePeak, Decibels.of(amplitude:))) dBFS, true peak \(level(\.truePeak, Decibels.of(amplitude:))) dBTP
            """
    }

    private func level(_ value: KeyPath<LoudnessMeasurement, Double>, _ convert: (Double) -> Double) -> String {
        Text.number(loudness.map { convert($0[keyPath: value]) } ?? .nan, decimals: 1)
    }
}
