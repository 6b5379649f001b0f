import OssicleFiles
import OssicleRender

/// A stretch of a file on its way to a player: decoded ahead into a window that moves along.
///
/// Whoever wants frames fills it, the reader service or a caller that waits; a lock keeps them apart.
final class FileStream: @unchecked Sendable {
    private let lock = NSLock()
    private let window: StreamWindow
    private let frameCount: Int64

    // Under the lock.
    /// Until all has been decoded.
    private var decoder: StreamDecoder?
    private var failure: OssicleError?
    private var wasTold = false
    private var isRequested = false
    private var restsBetween = false

    /// Opens the file once more, for this stretch alone. Throws what is wrong with it.
    /// - Parameters:
    ///   - start, count: in the file's frames; what lies beyond its end is left out.
    init(_ file: AVAudioFile, from start: Int64, count: Int64, rate: Double, channels: Int) throws {
        let path = file.url.path
        let decoder = try AudioFileRequest.translating { () throws(AudioFileError) in
            try StreamDecoder(path: path, hold: file.reach, from: start, count: count, rate: rate, channels: channels)
        }
        frameCount = decoder.frameCount
        window = StreamWindow(channelCount: channels, capacity: Self.capacity(frameCount, rate), start: 0)
        if frameCount > 0 { self.decoder = decoder }
    }

    var source: PlayerSource {
        PlayerSource(samples: window.source(frameCount: frameCount, loops: false), keeper: self)
    }

    /// Room for more than a second, and for what an offline call may take at once.
    private static func capacity(_ frames: Int64, _ rate: Double) -> Int {
        min(max(131_072, Int(1.5 * min(max(rate, 1), 1e6))), Int(clamping: max(frames, 1)))
    }

    // MARK: Filling

    /// Decodes until `ahead` frames are there that have not been played, or as many as there is room for; in chunks, so
    /// that others get a turn.
    func fill(ahead: Int) {
        while fillChunk(ahead: ahead) {}
    }

    /// Decodes a chunk. False if there is nothing left to do for now.
    private func fillChunk(ahead: Int) -> Bool {
        lock.withLock {
            guard let decoder, needs(ahead) else { return false }
            window.write(atMost: Int(min(frameCount - window.nextFrame, Int64(StreamDecoder.chunk)))) { planes, count in
                decoder.read(into: planes, frames: count)
                return count
            }
            failure = failure ?? decoder.failure ?? decoder.nonFinite
            if window.nextFrame >= frameCount { self.decoder = nil }
            if needs(ahead) { return true }
            if restsBetween { decoder.rest() }
            return false
        }
    }

    private func needs(_ ahead: Int) -> Bool {
        decoder != nil && window.room > 0 && window.capacity - window.room < ahead
    }

    /// Whether fewer frames are there than should be.
    func isBehind(_ ahead: Int) -> Bool { lock.withLock { needs(ahead) } }

    // MARK: With others

    /// What went wrong; told once.
    func takeFailure() -> OssicleError? {
        lock.withLock {
            guard let found = failure, !wasTold else { return nil }
            wasTold = true
            return found
        }
    }

    /// Nobody will play it any more.
    func cancel() { lock.withLock { decoder = nil } }

    /// Whether it keeps its file open while it waits for its turn.
    func setRests(_ rests: Bool) {
        lock.withLock {
            restsBetween = rests
            if rests { decoder?.rest() }
        }
    }

    /// For the reader service: whether there is something to do that nobody has been asked for.
    func request(ahead: Int) -> Bool {
        lock.withLock {
            guard !isRequested, needs(ahead) else { return false }
            isRequested = true
            return true
        }
    }

    /// For the reader service: decodes a chunk; true if it should come again.
    func serve(ahead: Int) -> Bool {
        if fillChunk(ahead: ahead) { return true }
        lock.withLock { isRequested = false }
        return false
    }
}
