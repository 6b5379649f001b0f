import OssicleVoice

/// A call as it was recorded, with the near talker's part known: what an echo canceller's output is held against.
///
///     let call = try EchoCall(far: far, microphone: microphone, near: near)
///     try output.require(.echoRemoved(from: call))
///
/// A value; for any thread. Who speaks when is found from `far` and `near`: a talker speaks from a sound within 40 dB
/// of the loudest until half a second without one, and the echo of the far talker is heard for 0.8 s more.
public struct EchoCall: Sendable {
    let recording: EchoRecording

    /// - Parameters:
    ///   - far: what was sent to the loudspeaker.
    ///   - microphone: what was recorded: near talker, echo and noise.
    ///   - near: the near talker alone, as the microphone heard him.
    /// - Throws: `SoundError` where one has more than one channel, the rates differ, or a rate is below 8000 Hz.
    public init(far: Sound, microphone: Sound, near: Sound) throws(SoundError) {
        for (name, sound) in [("far signal", far), ("microphone's signal", microphone), ("near talker", near)] {
            guard sound.channels.count == 1, sound.sampleRate == microphone.sampleRate, sound.sampleRate >= 8000 else {
                throw SoundError(
                    "The \(name) has \(sound.channels.count) channels at \(sound.sampleRate) Hz: give one channel, all at one rate of 8000 Hz or more."
                )
            }
        }
        recording = EchoRecording(
            sampleRate: microphone.sampleRate, far: far.channels[0], microphone: microphone.channels[0],
            near: near.channels[0])
    }

    /// What an echo canceller did. A figure is nil where the call has nothing it could be measured in.
    public struct Measures: Sendable, Equatable {
        /// Echo return loss enhancement while the far talker is alone, from 2 s on: microphone over output, dB.
        public let enhancement: Double?
        /// By how much the near talker's level is changed while alone, dB.
        public let nearChange: Double?
        /// How much later the near talker comes out, seconds.
        public let delay: Double?
        /// Share of the energy of the near talker's words that is kept while both speak, 0 to 1.
        public let wordsKept: Double?
        /// Seconds until every quarter of a second has an enhancement of 20 dB or more; nil where it never has.
        public let convergence: Double?
    }

    /// Measures the output of a canceller that was given the call.
    /// - Throws: `SoundError` where the output has another rate, or more than one channel.
    public func measures(of output: Sound) throws(SoundError) -> Measures {
        guard output.channels.count == 1, output.sampleRate == recording.sampleRate else {
            throw SoundError(
                "The output has \(output.channels.count) channels at \(output.sampleRate) Hz: give one channel at the call's rate of \(recording.sampleRate) Hz."
            )
        }
        let score = EchoScore(recording, output: output.channels[0])
        func known(_ value: Double) -> Double? { value.isNaN ? nil : value }
        return Measures(
            enhancement: known(score.enhancement), nearChange: known(score.nearChange), delay: known(score.delay),
            wordsKept: known(score.wordsKept), convergence: score.convergence)
    }
}

extension SoundExpectation {
    /// The output of an echo canceller in which the echo is gone and the near talker is not. A figure that the call has
    /// nothing to measure in is not held against it.
    /// - Parameters:
    ///   - call: what was played and recorded.
    ///   - enhancement: echo return loss enhancement from 2 s on, dB.
    ///   - change: of the near talker's level, dB either way.
    ///   - delay: of the near talker, seconds.
    ///   - wordsKept: share of the words' energy while both speak, 0 to 1.
    ///   - convergence: seconds until every quarter of a second has 20 dB; nil where it does not matter.
    public static func echoRemoved(
        from call: EchoCall, enhancement: Double = 25, change: Double = 1, delay: Double = 0.01,
        wordsKept: Double = 0.9, convergence: Double? = nil
    ) -> SoundExpectation {
        let expected =
            "an echo lower by \(dB(enhancement)), a near talker changed by \(dB(change)) at most and \(number(delay * 1000)) ms late, and \(number(wordsKept * 100)) % of words are expected"
        return SoundExpectation(expected) { sound in
            let found: EchoCall.Measures
            do { found = try call.measures(of: sound) } catch { return (false, "\(error)") }
            func words(_ value: Double?, _ unit: String, _ scale: Double = 1) -> String {
                value.map { "\(number($0 * scale)) \(unit)" } ?? "nothing"
            }
            let isConverged = convergence.map { limit in found.convergence.map { $0 <= limit } ?? false } ?? true
            let holds =
                (found.enhancement ?? .infinity) >= enhancement && abs(found.nearChange ?? 0) <= change
                && (found.delay ?? 0) <= delay && (found.wordsKept ?? 1) >= wordsKept && isConverged
            return (
                holds,
                "\(words(found.enhancement, "dB")), \(words(found.nearChange, "dB")), \(words(found.delay, "ms", 1000)), \(words(found.wordsKept, "%", 100)), \(found.convergence.map { "converged at \(number($0, 2)) s" } ?? "not converged")"
            )
        }
    }
}
