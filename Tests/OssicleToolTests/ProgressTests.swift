import Synchronization
import Testing
@testable import ossicle

@Suite("Progress of long work")
struct ProgressTests {
    /// A clock that a test moves, and what was written.
    private final class Bench: Sendable {
        let now = Mutex(0.0)
        let text = Mutex("")

        func progress(isTerminal: Bool) -> Progress {
            Progress(
                "computing", isTerminal: isTerminal, seconds: { self.now.withLock { $0 } },
                write: { text in self.text.withLock { $0 += text } })
        }

        func at(_ seconds: Double) { now.withLock { $0 = seconds } }
        var written: String { text.withLock { $0 } }
    }

    @Test("in a log a line every ten seconds, with the time left, without carriage returns")
    func log() {
        let bench = Bench(), progress = bench.progress(isTerminal: false)
        for step in 0...300 {
            bench.at(Double(step) / 10)
            progress.show(Double(step) / 300)
        }
        #expect(bench.written == "computing 33 %, 20 s left\ncomputing 66 %, 10 s left\n")
    }

    @Test("short work leaves nothing in a log")
    func short() {
        let bench = Bench(), progress = bench.progress(isTerminal: false)
        for step in 0...9 {
            bench.at(Double(step))
            progress.show(Double(step) / 9)
        }
        progress.clear()
        #expect(bench.written == "")
    }

    @Test("on a terminal one line is redrawn from the first second on, and erased at the end")
    func terminal() {
        let bench = Bench(), progress = bench.progress(isTerminal: true)
        bench.at(0.5)
        progress.show(0.01)
        #expect(bench.written == "")
        bench.at(2)
        progress.show(0.02, "(1 of 50 files)")
        #expect(bench.written == "\rcomputing 2 % (1 of 50 files), 1:38 left\u{1B}[K")
        bench.at(2.01)
        progress.show(0.03)
        #expect(bench.written.count { $0 == "\r" } == 1)
        progress.show(1)
        #expect(bench.written.hasSuffix("\r\u{1B}[K"))
        progress.clear()
        #expect(bench.written.count { $0 == "\r" } == 2)
    }

    @Test("reports that come out of order, or are no share, do not go back", arguments: [0.1, -1, -Double.infinity])
    func order(late: Double) {
        let bench = Bench(), progress = bench.progress(isTerminal: false)
        progress.show(0.5)
        bench.at(10)
        progress.show(late)
        #expect(bench.written == "computing 50 %, 10 s left\n")
    }
}
