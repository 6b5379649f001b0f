import CReaderProcess
import Foundation
import OssicleReaders
import OssicleTestSupport
import Testing

/// Readers that do what a damaged file may make a library do. They run in the child and call the system only.
@Suite("A child that reads a file") struct ReaderProcessTests {
    private static func words(
        _ reader: @escaping ossicle_reader, _ bounds: ReaderProcess.Bounds? = nil
    ) throws -> [UInt32] {
        var reply = Reply(try ReaderProcess.reply(about: [1, 2, 3], by: reader, bounds).get()), words: [UInt32] = []
        while let word = reply.word() { words.append(word) }
        return words
    }

    @Test("gets the bytes and gives its reply")
    func reply() throws {
        let words = try Self.words { file, bytes, size in
            ossicle_put_word(file, UInt32(size))
            ossicle_put_word(file, UInt32(bytes?.load(as: UInt8.self) ?? 0))
        }
        #expect(words == [3, 1])
    }

    @Test("takes no more memory than its bounds, whatever it asks for")
    func memory() throws {
        var bounds = ReaderProcess.Bounds(forFileOf: 3)
        bounds.memory = 64 << 20
        let words = try Self.words(
            { file, _, _ in
                var megabytes: UInt32 = 0
                while megabytes < 4096,
                    let block = mmap(nil, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
                    block != MAP_FAILED
                {
                    memset(block, 1, 1 << 20)
                    megabytes += 1
                }
                ossicle_put_word(file, megabytes)
            }, bounds)
        #expect(try (16...64).contains(#require(words.first)), "megabytes until the refusal: \(words)")
    }

    @Test("has nothing open but its reply, and can open, connect and start nothing")
    func rights() throws {
        let words = try Self.words { file, _, _ in
            var open: UInt32 = 0
            for other: Int32 in 0..<1024 where fcntl(other, F_GETFD) >= 0 { open += 1 }
            ossicle_put_word(file, open)
            ossicle_put_word(file, Glibc.open("/etc/passwd", O_RDONLY) < 0 ? 1 : 0)
            ossicle_put_word(file, socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) < 0 ? 1 : 0)
            ossicle_put_word(file, kill(getpid(), 0) < 0 ? 1 : 0)
        }
        // fcntl itself is refused where the kernel filters calls; /dev/null three times and the reply otherwise.
        #expect(words == [0, 1, 1, 1] || words == [4, 1, 1, 0])
    }

    @Test("ends when its time is over, also when it waits for nothing")
    func deadline() throws {
        var bounds = ReaderProcess.Bounds(forFileOf: 3)
        bounds.time = 1
        let words = try Self.words(
            { file, _, _ in
                ossicle_put_word(file, 7)
                while true { sched_yield() }
            }, bounds)
        #expect(words == [7])
    }

    @Test("is heard until its reply is as long as it may be")
    func endlessReply() throws {
        var bounds = ReaderProcess.Bounds(forFileOf: 3)
        bounds.reply = 100_000
        let words = try Self.words({ file, _, _ in while ossicle_put_word(file, 5) != 0 {} }, bounds)
        #expect(words.count == 25_000 && words.allSatisfy { $0 == 5 })
    }

    @Test("that crashes leaves what it wrote")
    func crash() throws {
        #expect(
            try Self.words { file, _, _ in
                ossicle_put_word(file, 9)
                abort()
            } == [9])
    }

    @Test("is not given what is no regular file, and nobody waits for it")
    func regularFiles() throws {
        let folder = try TemporaryFolder(), pipe = folder.path("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        for path in [pipe, "/dev/zero", folder.url.path, folder.path("none")] {
            guard case .failure(.unreadable(let reason)) = ReaderProcess.bytes(ofFile: path) else {
                Issue.record("\(path) was read")
                continue
            }
            #expect(!reason.isEmpty)
        }
        try Data([1, 2]).write(to: folder.url.appendingPathComponent("a"))
        #expect(ReaderProcess.bytes(ofFile: folder.path("a")) == .success([1, 2]))
    }
}
