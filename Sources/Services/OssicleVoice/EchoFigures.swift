/// An `EchoScore` and what it was measured in, as `ossicle analyze --echo --json`, C and Python give it. Any thread.
package struct EchoFigures: Encodable, Sendable {
    package let sampleRate: Double
    /// Length of the recording, s.
    package let seconds: Double
    /// Echo return loss enhancement, dB; left out with the others where the recording has nothing to measure it in.
    package let enhancement: Double?
    /// dB, s, 0 … 1.
    package let nearChange, delay, wordsKept: Double?
    /// s; left out where every quarter of a second from some time on never has 20 dB.
    package let convergence: Double?
    package let course: [Quarter]
    package let parts: Parts

    /// A quarter of a second with echo alone: its begin in s, dB.
    package struct Quarter: Encodable, Sendable {
        package let time, enhancement: Double
    }

    /// Seconds in which the far talker, both, and the near talker are heard.
    package struct Parts: Encodable, Sendable {
        package let farAlone, both, nearAlone: Double
    }

    /// - Parameter output: of a canceller that was given the recording; what is missing at its end is silence.
    package init(_ recording: EchoRecording, output: [Float]) {
        let (score, rate) = (EchoScore(recording, output: output), recording.sampleRate)
        func known(_ value: Double) -> Double? { value.isNaN ? nil : value }
        func length(_ ranges: [Range<Int>]) -> Double { Double(ranges.reduce(0) { $0 + $1.count }) / rate }
        (sampleRate, seconds) = (rate, Double(recording.microphone.count) / rate)
        enhancement = known(score.enhancement)
        nearChange = known(score.nearChange)
        delay = known(score.delay)
        wordsKept = known(score.wordsKept)
        convergence = score.convergence
        course = score.course.map { Quarter(time: $0.time, enhancement: $0.enhancement) }
        parts = Parts(
            farAlone: length(recording.parts.farAlone), both: length(recording.parts.both),
            nearAlone: length(recording.parts.nearAlone))
    }
}
