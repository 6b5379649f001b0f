import OssicleFiles

/// A sound without a room, from a file: one channel, the mean of those it has, at the rate of the row.
package enum DrySound {
    /// Seconds that are read of a file at most.
    private static let longest = 3600.0

    package static func samples(of path: String, sampleRate: Double) throws -> [Float] {
        let rate = try AudioFileProbe.probe(path: path).sampleRate
        let audio = try Resampling.convert(
            try ResidentAudio(path: path, atMost: Int64(longest * rate)), to: sampleRate)
        guard audio.frameCount > 0 else {
            throw BatchError("sound file \"\(path)\"", "is empty", rule: "a sound has frames", cure: "choose another")
        }
        var sum = [Float](repeating: 0, count: audio.frameCount)
        for channel in 0..<audio.channelCount {
            let samples = audio.samples(channel)
            for frame in sum.indices { sum[frame] += samples[frame] }
        }
        let share = 1 / Float(audio.channelCount)
        return audio.channelCount == 1 ? sum : sum.map { $0 * share }
    }
}
