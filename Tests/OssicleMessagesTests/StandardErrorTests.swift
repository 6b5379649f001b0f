import Foundation
import OssicleMessages
import Testing

/// In processes of their own: each spoils its standard error.
@Suite("Messages on standard error") struct StandardErrorTests {
    @Test("A full device takes no message, and the program goes on")
    func fullDevice() async {
        await #expect(processExitsWith: .success) {
            let full = open("/dev/full", O_WRONLY)
            try #require(full >= 0 && dup2(full, STDERR_FILENO) == STDERR_FILENO)
            StandardError.write("lost\n")
        }
    }

    @Test("A closed standard error takes no message, and the program goes on")
    func closed() async {
        await #expect(processExitsWith: .success) {
            close(STDERR_FILENO)
            StandardError.write("lost\n")
        }
    }

    @Test("A pipe that nobody reads raises no SIGPIPE, neither then nor later")
    func brokenPipe() async {
        await #expect(processExitsWith: .success) {
            signal(SIGPIPE, SIG_DFL)
            var ends: [Int32] = [0, 0]
            // Not standard error itself, on which the test's own process may write.
            try #require(pipe(&ends) == 0)
            close(ends[0])
            for _ in 0..<3 { StandardError.write("lost\n", to: ends[1]) }
            var pending = sigset_t()
            try #require(sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE) == 0)
        }
    }

    @Test("A message longer than a pipe arrives whole")
    func longMessage() throws {
        let text = String(repeating: "0123456789", count: 20_000)
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let (reading, writing) = (ends[0], ends[1])
        // A thread of its own: those of the tests may all be waiting.
        Thread.detachNewThread {
            StandardError.write(text, to: writing)
            close(writing)
        }
        #expect(FileHandle(fileDescriptor: reading, closeOnDealloc: true).readDataToEndOfFile() == Data(text.utf8))
    }
}
