import CPulse
import Foundation
import Synchronization

/// The streams of this program that the server wants paused.
///
/// A policy for roles, as PulseAudio's module-role-cork, mutes a stream and requests that its program pauses it. When
/// the reason has gone, the same stream is sent a second request; so one that is closed meanwhile stays at the server,
/// corked, until then. PipeWire sends neither. From any thread.
enum CorkedStreams {
    private static let requested = Mutex<Set<ObjectIdentifier>>([])

    /// Notes a server's request to cork a stream, or to uncork it.
    static func note(_ isCorked: Bool, _ stream: PulseStream) {
        let id = ObjectIdentifier(stream)
        let isNews = requested.withLock { requested in
            let before = requested.isEmpty
            if isCorked { requested.insert(id) } else { requested.remove(id) }
            return requested.isEmpty != before
        }
        if isNews { ServerWatch.reportCorking(isCorked) }
    }

    private static func contains(_ stream: PulseStream) -> Bool {
        let id = ObjectIdentifier(stream)
        return requested.withLock { $0.contains(id) }
    }

    /// Keeps a stream whose device ends until the server uncorks it. False, and nothing done, where it is not corked.
    /// - Parameter loop: what else belongs to the stream's connection, and ends with it.
    static func keep(_ stream: PulseStream, with loop: AnyObject) -> Bool {
        guard contains(stream) else { return false }
        stream.cork()
        // The device's thread has ended its work: from here on the connection belongs to this one.
        nonisolated(unsafe) let (kept, owner) = (stream, loop)
        Thread {
            while contains(kept), (try? kept.connection.turn()) != nil {}
            withExtendedLifetime(owner) {}
        }.start()
        return true
    }
}
