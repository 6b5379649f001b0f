import Dispatch
import Foundation
import OssicleFiles
import OssicleRender

/// What went wrong with a file that plays.
package enum FileStreamFault: Error {
    case unreadable(AudioFileError)
    /// Samples that are NaN or infinite, which are played as 0.
    case nonFinite(samples: Int, path: String)
}

/// A stretch of a file on its way to a player: decoded ahead into a window that moves along.
///
/// The reader service fills it, or a caller that waits; a lock keeps them apart.
package final class FileStream: @unchecked Sendable {
    private let lock = NSLock()
    private let window: StreamWindow
    private let frameCount: Int64
    private let path: String

    // Under the lock.
    /// Until all has been decoded.
    private var decoder: StreamDecoder?
    private var failure: FileStreamFault?
    private var isReported = false
    private var isRequested = false
    private var restsBetween = false

    /// Opens the file once more, for this stretch alone. Throws what is wrong with it.
    /// - Parameters:
    ///   - hold: keeps the file within reach; `nil` to find it by its path.
    ///   - start, count: in the file's frames; what lies beyond its end is left out.
    ///   - rate: Hz, of the player.
    package init(
        path: String, hold: FileHold?, from start: Int64, count: Int64, rate: Double, channels: Int
    ) throws(AudioFileError) {
        self.path = path
        let decoder = try StreamDecoder(
            path: path, hold: hold, from: start, count: count, rate: rate, channels: channels)
        frameCount = decoder.frameCount
        window = StreamWindow(channelCount: channels, capacity: Self.capacity(frameCount, rate), start: 0)
        if frameCount > 0 { self.decoder = decoder }
    }

    /// Its frames, as long as the stream lives.
    package var source: SampleSource { window.source(frameCount: frameCount, loops: false) }

    /// Room for more than a second, and for what an offline call may take at once.
    private static func capacity(_ frames: Int64, _ rate: Double) -> Int {
        min(max(131_072, Int(1.5 * min(max(rate, 1), 1e6))), Int(clamping: max(frames, 1)))
    }

    // MARK: Filling

    /// Decodes until `ahead` frames are there that have not been played, or as many as there is room for; in chunks, so
    /// that others get a turn.
    package func fill(ahead: Int) {
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
            failure = failure ?? fault(of: decoder)
            if window.nextFrame >= frameCount { self.decoder = nil }
            if needs(ahead) { return true }
            if restsBetween { decoder.rest() }
            return false
        }
    }

    private func fault(of decoder: StreamDecoder) -> FileStreamFault? {
        if let error = decoder.failure { return .unreadable(error) }
        return decoder.nonFiniteSamples > 0 ? .nonFinite(samples: decoder.nonFiniteSamples, path: path) : nil
    }

    private func needs(_ ahead: Int) -> Bool {
        decoder != nil && window.room > 0 && window.capacity - window.room < ahead
    }

    /// Whether fewer frames are there than should be.
    package func isBehind(_ ahead: Int) -> Bool { lock.withLock { needs(ahead) } }

    // MARK: With others

    /// What went wrong; once.
    package func takeFailure() -> FileStreamFault? {
        lock.withLock {
            guard let found = failure, !isReported else { return nil }
            isReported = true
            return found
        }
    }

    /// It will not be played any more.
    package func cancel() { lock.withLock { decoder = nil } }

    /// Whether it keeps its file open while it waits for its turn.
    package func setRests(_ rests: Bool) {
        lock.withLock {
            restsBetween = rests
            if rests { decoder?.rest() }
        }
    }

    /// For the reader service: whether there is something to do that has not been requested yet.
    package func request(ahead: Int) -> Bool {
        lock.withLock {
            guard !isRequested, needs(ahead) else { return false }
            isRequested = true
            return true
        }
    }

    /// For the reader service: decodes a chunk; true if it should come again.
    package func serve(ahead: Int) -> Bool {
        if fillChunk(ahead: ahead) { return true }
        lock.withLock { isRequested = false }
        return false
    }
}

/// Decodes ahead for all players, in the background: a chunk of one file, then a chunk of the next.
package final class ReaderService: Sendable {
    package static let shared = ReaderService()
    private let queue = DispatchQueue(label: "ossicle.player.reader", qos: .userInitiated)

    /// Sees to it that `ahead` frames of the stream get decoded.
    package func request(_ stream: FileStream, ahead: Int) {
        if stream.request(ahead: ahead) { enqueue(stream, ahead) }
    }

    private func enqueue(_ stream: FileStream, _ ahead: Int) {
        queue.async { [self] in
            if stream.serve(ahead: ahead) { enqueue(stream, ahead) }
        }
    }
}
