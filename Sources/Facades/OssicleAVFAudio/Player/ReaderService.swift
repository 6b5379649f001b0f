import Dispatch

/// Decodes ahead for all players, in the background: a chunk of one file, then a chunk of the next.
final class ReaderService: Sendable {
    static let shared = ReaderService()
    private let queue = DispatchQueue(label: "ossicle.player.reader", qos: .userInitiated)

    /// Sees to it that `ahead` frames of the stream get decoded.
    func request(_ stream: FileStream, ahead: Int) {
        if stream.request(ahead: ahead) { enqueue(stream, ahead) }
    }

    private func enqueue(_ stream: FileStream, _ ahead: Int) {
        queue.async { [self] in
            if stream.serve(ahead: ahead) { enqueue(stream, ahead) }
        }
    }
}
