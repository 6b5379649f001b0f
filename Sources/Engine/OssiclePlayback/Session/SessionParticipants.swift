import Synchronization

/// What plays to a device or records from one, and has to follow the program's session: an engine, a player, a
/// recorder.
///
/// Called on the thread that changes the session, under none of its locks.
package protocol SessionParticipant: AnyObject, Sendable {
    /// What its device works with; nil while it uses none.
    var deviceReport: DeviceReport? { get }
    /// The sound belongs to others now, or the session was deactivated: pause what is at a device. Offline rendering
    /// goes on.
    func pauseForSession()
    /// The interruption is over. The program resumes by itself, so there is nothing to do as a rule.
    /// - Parameter mayResume: whether it should.
    func sessionInterruptionEnded(mayResume: Bool)
}

extension SessionParticipant {
    package func sessionInterruptionEnded(mayResume: Bool) {}
}

/// What a running device works with.
package struct DeviceReport: Sendable, Hashable {
    /// Hz.
    package var sampleRate: Double
    package var channelCount: Int
    /// Seconds from rendering to the loudspeaker.
    package var outputLatency: Double
    /// Seconds from the microphone to the render side; nil without live input.
    package var inputLatency: Double?

    package init(sampleRate: Double, channelCount: Int, outputLatency: Double, inputLatency: Double?) {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.outputLatency = outputLatency
        self.inputLatency = inputLatency
    }
}

/// Everything that follows a session, held weakly. From any thread.
package final class SessionParticipants: Sendable {
    /// Of the program's session.
    package static let shared = SessionParticipants()

    private struct Entry: Sendable {
        weak var participant: (any SessionParticipant)?
    }

    private let entries = Mutex<[Entry]>([])

    package init() {}

    /// Adds a participant, once.
    package func add(_ participant: any SessionParticipant) {
        entries.withLock { entries in
            entries.removeAll { $0.participant == nil || $0.participant === participant }
            entries.append(Entry(participant: participant))
        }
    }

    /// In the order in which they were added.
    package var all: [any SessionParticipant] { entries.withLock { $0.compactMap(\.participant) } }
}
