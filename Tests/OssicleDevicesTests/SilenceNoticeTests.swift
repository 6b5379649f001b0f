import Synchronization
import Testing
@testable import OssicleDevices

@Suite("A machine without an output")
struct SilenceNoticeTests {
    /// What was written.
    private final class Page: Sendable {
        let text = Mutex("")
        var written: String { text.withLock { $0 } }
    }

    @Test("is told of once, in one line that names what is missing")
    func once() {
        let page = Page(), notice = SilenceNotice { line in page.text.withLock { $0 += line } }
        for _ in 0..<3 { notice.give(.noServer(device: "default output", detail: "nothing listens")) }
        #expect(
            page.written == "Ossicle: no output device, a silent clock keeps time (default output: nothing listens).\n")
    }
}
