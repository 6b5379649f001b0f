import OssicleFiles
import OssicleRender
import Synchronization

/// What went wrong with a file that plays.
package enum FileStreamFault: Error {
    case unreadable(AudioFileError)
    /// Samples that are NaN or infinite, which are played as 0.
    case nonFinite(samples: Int, path: String)
}

/// What a stream consists of: the frames of a file in order. For one thread at a time, which may wait for the disk.
package protocol StreamContent: AnyObject {
    /// Writes the next frames into the window, about a chunk.
    /// - Returns: whether more follow.
    func write(to window: StreamWindow) -> Bool
    /// Lets go of the file until more of it is needed.
    func rest()
    /// What has gone wrong so far.
    var fault: (any Error)? { get }
    /// What the file broke off with, if it did and silence follows.
    var breakOff: FileStream.BreakOff? { get }
}

extension StreamContent {
    package func rest() {}
    package var breakOff: FileStream.BreakOff? { nil }
}

/// Frames of a file on their way to a player: read ahead into a window that moves along.
///
/// The reader service fills it, or a caller that waits; a lock keeps them apart. What others see of it is under a
/// second lock, which is not held while a disk is waited for.
package final class FileStream: ReadAheadStream {
    /// Frames read at a time, so that others get a turn.
    package static let chunk = 4096
    /// Reads for all players.
    package static let readers = ReaderService<FileStream>(label: "ossicle.player.reader")

    private struct Facts {
        /// Frames that should be there and have not been played, until they are; 0 without a request.
        var requested = 0
        /// All has been read, or the rest is not wanted any more.
        var isOver = false
        var restsBetween = false
        var failure: (any Error)?
        var isReported = false
        var breakOff: BreakOff?
    }

    /// Its frames, as long as the stream lives.
    package let source: SampleSource
    private let window: StreamWindow
    /// Hz, of the window's frames.
    private let rate: Double
    private let facts: Mutex<Facts>
    /// Until all has been read. Held while the stream is filled.
    private let filling: Mutex<(any StreamContent)?>

    /// Opens the file once more, for this stretch alone. Throws what is wrong with it.
    /// - Parameters:
    ///   - hold: keeps the file within reach; `nil` to find it by its path.
    ///   - start, count: in the file's frames; what lies beyond its end is left out.
    ///   - repeats: how often the whole file follows a stretch that reaches its end; `Int.max` never ends.
    ///   - rate: Hz, of the player.
    package convenience init(
        path: String, hold: FileHold?, from start: Int64, count: Int64, repeats: Int = 0, rate: Double, channels: Int
    ) throws(AudioFileError) {
        let decoder = try StreamDecoder(
            path: path, hold: hold, from: start, count: count, repeats: repeats, rate: rate, channels: channels)
        let frames = decoder.frameCount
        self.init(
            frames > 0 ? decoder : nil, frameCount: frames, rate: rate,
            window: StreamWindow(channelCount: channels, capacity: Self.capacity(frames, rate), start: 0))
    }

    /// - Parameters:
    ///   - content: `nil` if there is nothing to read.
    ///   - frameCount: of the sound; a loop has more.
    ///   - rate: Hz, of the window's frames.
    package init(
        _ content: sending (any StreamContent)?, frameCount: Int64, loops: Bool = false, rate: Double,
        window: StreamWindow
    ) {
        source = window.source(frameCount: frameCount, loops: loops)
        self.window = window
        self.rate = rate
        facts = Mutex(Facts(isOver: content == nil))
        filling = Mutex(content)
    }

    /// Room for more than a second, and for what an offline call may take at once.
    private static func capacity(_ frames: Int64, _ rate: Double) -> Int {
        min(max(131_072, Int(1.5 * min(max(rate, 1), 1e6))), Int(clamping: max(frames, 1)))
    }

    // MARK: Filling

    /// Reads until `ahead` frames are there that have not been played, or as many as there is room for; in chunks, so
    /// that others get a turn.
    package func fill(ahead: Int) {
        while fillChunk(ahead: ahead) {}
    }

    /// Reads a chunk of what was requested.
    package func fillChunk() {
        if !fillChunk(ahead: facts.withLock(\.requested)) { facts.withLock { $0.requested = 0 } }
    }

    /// Reads a chunk. False if there is nothing left to do for now.
    @discardableResult
    package func fillChunk(ahead: Int) -> Bool {
        filling.withLock { content in
            guard let current = content, needs(ahead) else { return false }
            let isOver = !current.write(to: window), (fault, breakOff) = (current.fault, current.breakOff)
            let rests = facts.withLock { facts in
                facts.failure = facts.failure ?? fault
                facts.breakOff = breakOff
                if isOver { facts.isOver = true }
                return facts.restsBetween
            }
            if isOver { content = nil }
            if needs(ahead) { return true }
            if rests { current.rest() }
            return false
        }
    }

    private func needs(_ ahead: Int) -> Bool {
        !facts.withLock(\.isOver) && window.room > 0 && window.capacity - window.room < ahead
    }

    /// Whether fewer frames are there than should be.
    package func isBehind(_ ahead: Int) -> Bool { needs(ahead) }

    // MARK: With others

    /// What went wrong; once.
    package func takeFailure() -> (any Error)? {
        facts.withLock { facts in
            guard let found = facts.failure, !facts.isReported else { return nil }
            facts.isReported = true
            return found
        }
    }

    /// What a file broke off with, and how many frames of the stream there were before it.
    package typealias BreakOff = (error: AudioFileError, soundFrames: Int64)

    /// `nil` for a file that did not break off, as far as it has been read.
    package var breakOff: BreakOff? { facts.withLock(\.breakOff) }

    /// It will not be played any more.
    package func cancel() {
        facts.withLock { $0.isOver = true }
        filling.withLock { $0 = nil }
    }

    /// Whether it keeps its file open while it waits for its turn.
    package func setRests(_ rests: Bool) {
        facts.withLock { $0.restsBetween = rests }
        if rests { filling.withLock { $0?.rest() } }
    }

    // MARK: For the reader service

    /// Requests that `ahead` frames be there that have not been played. A request that is being served stays.
    /// - Returns: whether fewer are there, so that the service is to be woken.
    package func request(ahead: Int) -> Bool {
        guard needs(ahead) else { return false }
        facts.withLock { facts in
            if facts.requested == 0 { facts.requested = ahead }
        }
        return true
    }

    package var needsFrames: Bool {
        let requested = facts.withLock(\.requested)
        return requested > 0 && needs(requested)
    }

    package var secondsAhead: Double { Double(window.capacity - window.room) / max(rate, 1) }
}
