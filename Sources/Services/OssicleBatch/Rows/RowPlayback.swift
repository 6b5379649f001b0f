import OssicleCore
import OssicleScenes
import OssicleVoice

/// What devices do to the other end of a call before a loudspeaker sounds.
struct RowPlayback {
    /// Seconds of devices and buffers.
    var delay = 0.0
    /// The microphone's clock against that of what is sent: sample i of it is played at sample i · (1 + drift).
    var drift = 0.0
    /// The loudspeaker's greatest amplitude against the sound's peak, dB; nil for a linear one.
    var clip: Double?

    /// Of a source of the role echo. `delay` is in seconds, `drift` in millionths, `clip` in dB.
    static let members = ["delay", "drift", "clip"]

    init() {}

    init(_ members: JSONObject) throws {
        delay = try members["delay"]?.number(in: 0...10) ?? 0
        drift = try (members["drift"]?.number(in: -500...500) ?? 0) * 1e-6
        clip = try members["clip"]?.number(in: -40...0)
    }

    /// What the loudspeaker radiates: limited without memory to c by x / (1 + (x/c)⁶)^(1/6), with the gain 1 for small
    /// x.
    func radiated(_ dry: [Float]) -> [Float] {
        guard let clip else { return dry }
        let limit = dry.reduce(0.0) { max($0, Double($1.magnitude)) } * Decibels.amplitude(clip)
        guard limit > 0 else { return dry }
        return dry.map { sample in
            let share = Double(sample) / limit
            let square = share * share
            return Float(Double(sample) / DeterministicMath.pow(1 + square * square * square, 1.0 / 6))
        }
    }

    /// What was sent, on its own clock: `count` samples of `dry`, which begins `start` samples into it.
    func sent(_ dry: [Float], start: Int, count: Int) -> [Float] {
        let margin = SignalClock.margin
        var whole = [Float](repeating: 0, count: count + 2 * margin + count / 1000)
        let fitting = min(dry.count, max(whole.count - margin - start, 0))
        if fitting > 0 { whole.replaceSubrange(margin + start..<margin + start + fitting, with: dry[..<fitting]) }
        return drift == 0
            ? Array(whole[margin..<margin + count])
            : SignalClock.read(whole, from: margin, ratio: 1 + drift, count)
    }
}
