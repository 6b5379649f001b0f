/// Every kind of renderer that a sound event's leaf plays through; all of them understand the same commands.
package enum VoiceReference: BitwiseCopyable {
    case player(UnsafeMutablePointer<PlayerRenderer>)
    case stream(UnsafeMutablePointer<StreamRenderer>)

    func carryOut(_ command: VoiceCommand, at position: Int64) {
        switch self {
        case .player(let renderer): renderer.pointee.carryOut(command, at: position)
        case .stream(let renderer): renderer.pointee.carryOut(command, at: position)
        }
    }
}

/// What the control side tells a voice. Engine times that have passed mean now.
package enum VoiceCommand: BitwiseCopyable {
    /// Plays source frame `from` with engine frame `at`.
    case start(from: Int64, at: Int64)
    /// Puts off, or brings forward, the beginning of a voice that has been started and still waits; too late, it changes nothing.
    case wait(until: Int64)
    case pause
    /// Goes on with engine frame `at`.
    case resume(at: Int64)
    case stop
    /// Silent until woken; the place in the source moves on if `advancing`.
    case sleep(advancing: Bool)
    case wake
    case wakeAt(Int64)
    /// Fades out and goes on from source frame `to` with engine frame `at`, a quantum from now at the earliest. What is paused stays paused
    /// there, what sleeps goes on sleeping; loops take `to` modulo their length, one-shots finish beyond their end. Streams ignore it.
    case seek(to: Int64, at: Int64)
    /// Another memory for the same sound, to be read from the place on that the next `seek` or `wakeAt` leads to.
    case replace(SampleSource)
}
