import Foundation
import OssicleFiles
import Synchronization
import Testing
@testable import ossicle

@Suite("Keys and Ctrl-C at a terminal")
struct TerminalTests {
    /// 90 s of silence.
    private func sound(_ folder: SoundFolder, _ name: String) throws -> String {
        let silence = [Float](repeating: 0, count: 90 * 8000)
        try Data(WaveFile(left: silence, right: silence, sampleRate: 8000).bytes).write(
            to: URL(fileURLWithPath: folder.path(name)))
        return folder.path(name)
    }

    @Test("play: space pauses and goes on, arrows seek, n goes to the next file, q ends, and the terminal is as it was")
    func keys() throws {
        let folder = try SoundFolder()
        let files = [try sound(folder, "one.wav"), try sound(folder, "two.wav")]
        let tool = try TerminalTool(["play"] + files + ["--device", "none"])
        #expect(tool.shows("one.wav") && tool.shows("▶ 0:00 / 1:30"))
        #expect(!tool.echoes)
        tool.type(" ")
        #expect(tool.shows("⏸ 0:0"))
        tool.type(" ")
        #expect(tool.shows("▶ 0:0"))
        tool.type(TerminalTool.up)
        #expect(tool.shows("▶ 1:0"))
        tool.type(TerminalTool.left + TerminalTool.left + TerminalTool.left)
        #expect(tool.shows("▶ 0:"))
        tool.type(TerminalTool.right + TerminalTool.right + TerminalTool.right)
        #expect(tool.shows("▶ 1:"))
        tool.type(TerminalTool.down + TerminalTool.down)
        #expect(tool.shows("▶ 0:0"))
        tool.type("n")
        #expect(tool.shows("two.wav") && tool.shows("▶ 0:00"))
        tool.type("q")
        #expect(tool.end() == 0)
        #expect(tool.echoes)
    }

    @Test("play: Ctrl-C ends with the status of a program that was interrupted, and the terminal is as it was")
    func interruptedPlay() throws {
        let folder = try SoundFolder()
        let tool = try TerminalTool(["play", try sound(folder, "one.wav"), "--device", "none"])
        #expect(tool.shows("▶ 0:0"))
        tool.type(TerminalTool.interrupt)
        #expect(tool.end() == 128 + SIGINT)
        #expect(tool.echoes)
    }

    @Test("demo: the walk is followed on one line, to its end")
    func demo() throws {
        let tool = try TerminalTool(["demo", "--seconds", "4", "--device", "none"])
        // A machine with other work skips a second now and then.
        #expect(tool.shows("0:00 [", "0:01 [") && tool.shows("0:02 [", "0:03 ["))
        #expect(tool.shows("played on  null device"))
        #expect(tool.end() == 0)
    }

    @Test(
        "record: q and Ctrl-C end with a whole file, and the terminal is as it was",
        arguments: ["q", TerminalTool.interrupt])
    func record(key: String) throws {
        let folder = try SoundFolder()
        let path = folder.path("take.wav")
        let tool = try TerminalTool(["record", path, "--device", "none"])
        #expect(tool.shows("● 0:00") && tool.shows("● 0:01", "● 0:02", "● 0:03"))
        #expect(!tool.echoes)
        tool.type(key)
        #expect(tool.shows("take.wav") && tool.end() == 0)
        #expect(tool.echoes)
        let reader = try AudioFileReader(path: path)
        #expect(reader.info.frameCount >= 48000 && reader.warnings.isEmpty)
    }
}

/// The tool at a pseudo-terminal that is its controlling one, so that Ctrl-C is a signal.
private final class TerminalTool {
    static let (up, down, right, left) = ("\u{1B}[A", "\u{1B}[B", "\u{1B}[C", "\u{1B}[D")
    static let interrupt = "\u{3}"

    private let process = Process()
    private let keyboard: Int32
    private let terminal: Int32
    private let screen = Screen()

    /// What was shown and not looked at yet.
    private final class Screen: Sendable {
        private let bytes = Mutex<[UInt8]>([])

        func follow(_ keyboard: Int32) {
            var piece = [UInt8](repeating: 0, count: 4096)
            while case let count = read(keyboard, &piece, piece.count), count > 0 {
                bytes.withLock { $0 += piece.prefix(count) }
            }
        }

        /// Whether any of the words stand there; all before and with the first of them counts as looked at.
        func take(_ words: [String]) -> Bool {
            bytes.withLock { bytes in
                let shown = Data(bytes)
                guard let end = words.compactMap({ shown.range(of: Data($0.utf8))?.upperBound }).min() else {
                    return false
                }
                bytes.removeFirst(end)
                return true
            }
        }
    }

    init(_ arguments: [String]) throws {
        keyboard = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        // TIOCSPTLCK and TIOCGPTN of Linux, which stand for unlockpt and ptsname.
        var (isLocked, number): (Int32, Int32) = (0, 0)
        guard keyboard >= 0, ioctl(keyboard, 0x4004_5431, &isLocked) == 0, ioctl(keyboard, 0x8004_5430, &number) == 0
        else { throw CocoaError(.fileReadUnknown) }
        terminal = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["setsid", "--ctty", "--wait", ToolProcess.program.path] + arguments
        let handle = FileHandle(fileDescriptor: terminal)
        (process.standardInput, process.standardOutput, process.standardError) = (handle, handle, handle)
        try process.run()
        let thread = Thread { [screen, keyboard] in screen.follow(keyboard) }
        thread.start()
    }

    deinit {
        process.terminate()
        close(terminal)
        close(keyboard)
    }

    func type(_ keys: String) { _ = write(keyboard, keys, keys.utf8.count) }

    /// Whether any of the words appear, in two minutes at most, which a busy machine may need, or a second after the
    /// program has ended.
    func shows(_ words: String...) -> Bool {
        var tries = 12_000
        while tries > 0 {
            if screen.take(words) { return true }
            Thread.sleep(forTimeInterval: 0.01)
            tries = min(tries - 1, process.isRunning ? .max : 100)
        }
        return false
    }

    /// The status of the program, when it has ended.
    func end() -> Int32 {
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// Whether keys are shown and taken line by line, as the terminal was at first.
    var echoes: Bool {
        var settings = termios()
        guard tcgetattr(terminal, &settings) == 0 else { return false }
        let lines = tcflag_t(ECHO | ICANON)
        return settings.c_lflag & lines == lines
    }
}
