import OssicleCore
import OssicleDSP

/// What `ossicle echo` prints, as text and as a JSON object.
struct EchoReport: Encodable {
    let output: String
    let frames: Int64
    let sampleRate: Double
    let seconds: Double
    /// Bulk delay of the echo in s; left out where none was found.
    let delay: Double?
    /// By how many millionths the far signal's clock is faster than the microphone's.
    let drift: Double
    /// Mean level of the recording and of what was written, dBFS; left out for silence.
    let levelBefore, levelAfter: Double?

    /// - Parameter powers: mean squares of the recording and of what was written.
    init(
        output: String, frames: Int64, sampleRate: Double, state: EchoCanceller.State,
        powers: (before: Double, after: Double)
    ) {
        self.output = output
        self.frames = frames
        self.sampleRate = sampleRate
        seconds = Double(frames) / sampleRate
        delay = state.delay
        drift = state.drift * 1e6
        levelBefore = Self.level(powers.before)
        levelAfter = Self.level(powers.after)
    }

    private static func level(_ power: Double) -> Double? {
        power > 0 ? Decibels.of(amplitude: power.squareRoot()) : nil
    }

    var text: String {
        let echo =
            delay.map {
                "echo \(Text.number($0 * 1000, decimals: 0)) ms behind, clocks \(Text.number(drift, decimals: 0)) ppm apart"
            } ?? "no echo found"
        return """
            \(output): \(Text.number(seconds, decimals: 3)) s, \(Text.number(sampleRate, decimals: 0)) Hz
            \(echo)
            level \(words(levelBefore)) before, \(words(levelAfter)) after
            """
    }

    private func words(_ level: Double?) -> String {
        level.map { "\(Text.number($0, decimals: 1)) dBFS" } ?? "silence"
    }
}
