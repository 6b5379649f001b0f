import OssicleCore
import OssicleFiles
import OssiclePlayback
import OssicleRender
import Synchronization

/// The file of one player's sound, read ahead. Made under the engine's lock, where nothing is read; filled on the
/// readers' queue, or offline by the thread that renders. Never on the audio thread.
///
///     the sound's beginning, in memory ─┐
///     the file, from there on ──────────┴─▶ window ─▶ player
package final class StreamFeeder: ReadAheadStream, @unchecked Sendable {
    /// Frames held ahead: more than half a second at 48 kHz and four times the normal rate.
    private static let capacity = 1 << 17
    /// A window is full that has no room for a chunk.
    private static let ahead = capacity - FileStream.chunk + 1
    /// Engine frames within which a player that leaves has faded.
    static let framesToFade = 2 * Grid.quantum

    struct Seen {
        var framesRead: Int64 = 0
        var starvedFrames: Int64 = 0
        var hasReportedStarving = false
    }

    // Under the engine's lock.
    /// Engine time from which on no player reads it; nil while it serves a player.
    var leavesAt: Int64?
    /// What has been counted and reported of it.
    var seen = Seen()

    private let stream: FileStream
    private let progress = SoundFileProgress()

    /// Nil for a resident sound. What the beginning in memory gives is there at once.
    init?(_ sound: RegisteredSound, _ asset: String, loops: Bool, from start: Int64) {
        guard case .streamed(let path, let head) = sound.samples else { return nil }
        let window = StreamWindow(channelCount: sound.channelCount, capacity: Self.capacity, start: start)
        let file = SoundFile(sound, asset, path: path, head: head, loops: loops, progress)
        file.writeHead(to: window)
        stream = FileStream(file, frameCount: sound.frameCount, loops: loops, rate: sound.sampleRate, window: window)
    }

    var source: SampleSource { stream.source }

    /// Frames read from the file.
    package var framesRead: Int64 { progress.framesRead.load(ordering: .relaxed) }
    /// The file was gone or had changed beyond recognition when it was to be read.
    package var couldNotOpen: Bool { progress.couldNotOpen.load(ordering: .relaxed) }

    /// What went wrong; given once.
    func takeFailure() -> (any Error)? { stream.takeFailure() }

    /// How much is there that has not been played, at the sound's own rate.
    package var secondsAhead: Double { stream.secondsAhead }

    /// Whether there is room for a chunk, and more to come.
    package var needsFrames: Bool { stream.isBehind(Self.ahead) }

    /// Reads until what the next render calls need is there.
    func fill() {
        if stream.isBehind(Self.capacity / 2 + 1) { stream.fill(ahead: Self.ahead) }
    }

    package func fillChunk() { stream.fillChunk(ahead: Self.ahead) }
}

/// What others see of a file while it is read.
private final class SoundFileProgress: Sendable {
    let framesRead = Atomic<Int64>(0)
    let couldNotOpen = Atomic(false)
}

/// A registered sound's frames: its beginning from memory, the rest from its file, over and over if it loops. The file
/// is opened with the first chunk, even where the beginning in memory is the whole sound: one that has gone is noticed.
private final class SoundFile: StreamContent {
    private(set) var fault: (any Error)?
    private let sound: RegisteredSound
    private let asset: String
    private let path: String
    private let head: ResidentAudio
    private let loops: Bool
    private let progress: SoundFileProgress
    private var reader: StreamReader?

    init(
        _ sound: RegisteredSound, _ asset: String, path: String, head: ResidentAudio, loops: Bool,
        _ progress: SoundFileProgress
    ) {
        self.sound = sound
        self.asset = asset
        self.path = path
        self.head = head
        self.loops = loops
        self.progress = progress
    }

    func write(to window: StreamWindow) -> Bool {
        do {
            let reader = try open()
            if !writeHead(to: window), let frame = next(in: window), frame < sound.frameCount {
                try write(from: reader, at: frame, to: window)
            }
            return next(in: window).map { $0 < sound.frameCount } ?? false
        } catch {
            fault = error
            return false
        }
    }

    private func write(from reader: StreamReader, at frame: Int64, to window: StreamWindow) throws {
        if reader.position != frame { try reader.seek(to: frame) }
        let wanted = Int(min(sound.frameCount - frame, Int64(FileStream.chunk)))
        let before = window.nextFrame
        try window.write(atMost: wanted) { planes, count in try reader.read(into: planes, frames: count) }
        let count = window.nextFrame - before
        progress.framesRead.wrappingAdd(count, ordering: .relaxed)
        if count == 0 && window.room > 0 {
            throw error("its file \(path) ends at frame \(frame) of \(sound.frameCount), and the rest is silent")
        }
    }

    /// - Returns: whether the next frames lay in memory.
    @discardableResult
    func writeHead(to window: StreamWindow) -> Bool {
        guard let frame = next(in: window), frame < head.frameCount else { return false }
        let before = window.nextFrame
        window.write(atMost: head.frameCount - Int(frame)) { planes, count in
            for (channel, plane) in planes.enumerated() { plane.update(from: head[channel] + Int(frame), count: count) }
            return count
        }
        return window.nextFrame > before
    }

    /// Frame of the sound that comes next; nil for a sound without frames.
    private func next(in window: StreamWindow) -> Int64? {
        guard sound.frameCount > 0 else { return nil }
        return loops ? window.nextFrame % sound.frameCount : window.nextFrame
    }

    private func open() throws -> StreamReader {
        if let reader { return reader }
        do {
            let opened = try StreamReader(path: path)
            guard opened.info.channelCount == sound.channelCount else {
                throw error("another file has replaced it, with \(opened.info.channelCount) channels")
            }
            reader = opened
            return opened
        } catch {
            progress.couldNotOpen.store(true, ordering: .relaxed)
            throw self.error("its file \(path) could not be opened again (\(error))")
        }
    }

    private func error(_ found: String) -> SpatialError {
        SpatialError(
            .data, object: "Sound “\(asset)”", found: found,
            rule: "A streamed sound is read from its file while it plays.",
            cure: "Leave the file as it is while the sound is registered.")
    }
}
