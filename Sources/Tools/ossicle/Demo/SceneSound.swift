import OssicleFiles

/// What a source of the demo plays: mono samples at the scene's rate.
enum SceneSound {
    /// The user's own sound: its channels averaged, its rate converted.
    static func samples(ofFile path: String, sampleRate: Int) throws -> [Float] {
        let audio = try Resampling.convert(try ResidentAudio(path: path), to: Double(sampleRate))
        guard audio.frameCount > 0 else { throw ToolError("\(path) holds no sound: name a file with at least one frame.") }
        let channels = (0..<audio.channelCount).map(audio.samples)
        let share = 1 / Float(channels.count)
        return (0..<audio.frameCount).map { frame in channels.reduce(0) { $0 + $1[frame] } * share }
    }
}
