import OssicleCore
import OssicleFiles
import OssiclePlayback
import OssicleRender
import Synchronization

/// Fills one player's window from its file. Made under the engine's lock, where nothing is read; filled on the readers'
/// queue, or offline by the thread that renders. Never on the audio thread.
///
///     the sound's beginning, in memory ─┐
///     the file, from there on ──────────┴─▶ window ─▶ player
package final class StreamFeeder: ReadAheadStream, @unchecked Sendable {
    /// Frames held ahead: more than half a second at 48 kHz and four times the normal rate.
    private static let capacity = 1 << 17
    /// Frames read at a time, so that others get a turn.
    private static let chunk = 4096
    /// Engine frames within which a player that leaves has faded.
    static let framesToFade = 2 * Grid.quantum

    private struct Facts {
        var framesRead: Int64 = 0
        var failure: (any Error)?
        /// A file that has gone is noticed even where the beginning in memory is the whole sound.
        var hasOpened = false
        var couldNotOpen = false
        /// Nothing more will come.
        var isOver = false
    }

    // Under the engine's lock.
    /// Engine time from which on no player reads it; nil while it serves a player.
    var leavesAt: Int64?
    /// What has been counted and reported of it.
    var seen = Seen()

    struct Seen {
        var framesRead: Int64 = 0
        var starvedFrames: Int64 = 0
        var hasReportedStarving = false
    }

    private let asset: String
    private let sound: RegisteredSound
    private let path: String
    private let head: ResidentAudio
    private let loops: Bool
    private let window: StreamWindow
    private let facts = Mutex(Facts())
    /// Held by the thread that fills it.
    private let filling = Mutex<StreamReader?>(nil)

    /// Nil for a resident sound. What the beginning in memory gives is there at once.
    init?(_ sound: RegisteredSound, _ asset: String, loops: Bool, from start: Int64) {
        guard case .streamed(let path, let head) = sound.samples else { return nil }
        self.sound = sound
        self.asset = asset
        self.path = path
        self.head = head
        self.loops = loops
        window = StreamWindow(channelCount: sound.channelCount, capacity: Self.capacity, start: start)
        _ = fillFromHead()
    }

    var source: SampleSource { window.source(frameCount: sound.frameCount, loops: loops) }

    // MARK: What others see

    package var framesRead: Int64 { facts.withLock(\.framesRead) }
    /// The file was gone or had changed beyond recognition when it was to be read.
    package var couldNotOpen: Bool { facts.withLock(\.couldNotOpen) }

    /// What went wrong; given once.
    func takeFailure() -> (any Error)? {
        facts.withLock { facts in
            defer { facts.failure = nil }
            return facts.failure
        }
    }

    /// How much is there that has not been played, at the sound's own rate.
    package var secondsAhead: Double { Double(window.capacity - window.room) / sound.sampleRate }

    /// Whether there is room for a chunk, and more to come.
    package var needsFrames: Bool { needsFrames(room: Self.chunk) }

    private func needsFrames(room: Int) -> Bool {
        let (isOver, hasOpened) = facts.withLock { ($0.isOver, $0.hasOpened) }
        if isOver || !hasOpened { return !isOver }
        return window.room >= room && (nextFrameOfSound.map { $0 < sound.frameCount } ?? false)
    }

    // MARK: Filling

    /// Reads until what the next render calls need is there.
    func fill() {
        guard needsFrames(room: Self.capacity / 2) else { return }
        while needsFrames { fillChunk() }
    }

    /// Reads one chunk; may wait for the disk.
    package func fillChunk() {
        filling.withLock { reader in
            do {
                if reader == nil { reader = try open() }
                if fillFromHead() > 0 { return }
                guard let reader, let frame = nextFrameOfSound, frame < sound.frameCount else { return }
                if reader.position != frame { try reader.seek(to: frame) }
                let wanted = Int(min(sound.frameCount - frame, Int64(Self.chunk)))
                let before = window.nextFrame
                try window.write(atMost: wanted) { planes, count in try reader.read(into: planes, frames: count) }
                let count = window.nextFrame - before
                facts.withLock { $0.framesRead += count }
                if count == 0 && window.room > 0 { end(brokenOff(at: frame)) }
            } catch {
                end(error)
            }
        }
    }

    private func open() throws -> StreamReader {
        do {
            let reader = try StreamedAudio(path: path).makeReader()
            guard reader.info.channelCount == sound.channelCount else {
                throw error("another file has replaced it, with \(reader.info.channelCount) channels")
            }
            facts.withLock { $0.hasOpened = true }
            return reader
        } catch {
            facts.withLock { $0.couldNotOpen = true }
            throw self.error("its file \(path) could not be opened again (\(error))")
        }
    }

    /// Frame of the sound that comes next; nil for a sound without frames.
    private var nextFrameOfSound: Int64? {
        guard sound.frameCount > 0 else { return nil }
        return loops ? window.nextFrame % sound.frameCount : window.nextFrame
    }

    /// - Returns: frames written.
    private func fillFromHead() -> Int64 {
        guard let frame = nextFrameOfSound, frame < head.frameCount else { return 0 }
        let before = window.nextFrame
        window.write(atMost: head.frameCount - Int(frame)) { planes, count in
            for (channel, plane) in planes.enumerated() { plane.update(from: head[channel] + Int(frame), count: count) }
            return count
        }
        return window.nextFrame - before
    }

    // MARK: Ends

    private func end(_ error: any Error) {
        facts.withLock { facts in
            facts.isOver = true
            facts.failure = error
        }
    }

    private func brokenOff(at frame: Int64) -> any Error {
        error("its file \(path) ends at frame \(frame) of \(sound.frameCount), and the rest is silent")
    }

    private func error(_ found: String) -> SpatialError {
        SpatialError(
            .data, object: "Sound “\(asset)”", found: found,
            rule: "A streamed sound is read from its file while it plays.",
            cure: "Leave the file as it is while the sound is registered.")
    }
}
