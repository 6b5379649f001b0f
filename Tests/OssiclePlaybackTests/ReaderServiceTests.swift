import Synchronization
import Testing

@testable import OssiclePlayback

@Suite struct ReaderServiceTests {
    @Test("The stream with the least sound ahead gets the next chunk, until none needs any")
    func order() {
        let service = ReaderService<Stream>(label: "test"), log = Log()
        service.add(Stream("a", ahead: 2, log))
        service.add(Stream("b", ahead: 1, log))
        service.wake()
        service.queue.sync {}
        #expect(log.names == ["b", "a", "b", "a", "b"])
        service.wake()
        service.queue.sync {}
        #expect(log.names.count == 5)
    }

    @Test("A stream that was removed is not read")
    func removal() {
        let service = ReaderService<Stream>(label: "test"), log = Log()
        let (stays, leaves) = (Stream("stays", ahead: 3, log), Stream("leaves", ahead: 0, log))
        service.add(stays)
        service.add(leaves)
        service.remove([leaves])
        service.wake()
        service.queue.sync {}
        #expect(log.names == ["stays"] && service.all.map(\.name) == ["stays"])
        service.removeAll()
        #expect(service.all.isEmpty)
    }
}

private final class Log: Sendable {
    private let content = Mutex<[String]>([])

    var names: [String] { content.withLock { $0 } }

    func add(_ name: String) { content.withLock { $0.append(name) } }
}

/// Wants four seconds ahead; a chunk is one.
private final class Stream: ReadAheadStream {
    let name: String
    private let ahead: Mutex<Double>
    private let log: Log

    init(_ name: String, ahead: Double, _ log: Log) {
        self.name = name
        self.ahead = Mutex(ahead)
        self.log = log
    }

    var needsFrames: Bool { secondsAhead < 4 }
    var secondsAhead: Double { ahead.withLock { $0 } }

    func fillChunk() {
        ahead.withLock { $0 += 1 }
        log.add(name)
    }
}
