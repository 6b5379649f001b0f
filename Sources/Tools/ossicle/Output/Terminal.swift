import Foundation
import OssicleMessages
import Synchronization

/// A key that a command listens to.
enum Key: Equatable, Sendable {
    case space, left, right, up, down
    case letter(Character)

    /// The keys in what a terminal sent; what is none is left out.
    static func decode(_ bytes: [UInt8]) -> [Key] {
        var (keys, rest) = ([Key](), bytes[...])
        while let byte = rest.popFirst() {
            switch byte {
            case 0x1B:
                // Arrows: ESC [ A to ESC [ D, or with O on some terminals.
                guard rest.count >= 2, [0x5B, 0x4F].contains(rest[rest.startIndex]) else { continue }
                rest.removeFirst()
                if let arrow = arrows[rest.removeFirst()] { keys.append(arrow) }
            case 0x20: keys.append(.space)
            case 0x21...0x7E: keys.append(.letter(Character(Unicode.Scalar(byte))))
            default: continue
            }
        }
        return keys
    }

    private static let arrows: [UInt8: Key] = [0x41: .up, 0x42: .down, 0x43: .right, 0x44: .left]
}

/// The keyboard, key by key and without echo, while a command runs. Where standard input is no terminal there are no
/// keys. However the program ends, but for SIGKILL, the terminal is as it was before.
final class Keyboard {
    private let isThere: Bool
    nonisolated(unsafe) private static var before = termios()
    private static let isChanged = Atomic(false)

    init() {
        isThere = isatty(STDIN_FILENO) == 1 && tcgetattr(STDIN_FILENO, &Keyboard.before) == 0
        guard isThere else { return }
        atexit { Keyboard.restore() }
        var single = Keyboard.before
        // Ctrl-C and Ctrl-Z stay what they are.
        single.c_lflag &= ~tcflag_t(ICANON | ECHO)
        Keyboard.isChanged.store(true, ordering: .relaxed)
        tcsetattr(STDIN_FILENO, TCSANOW, &single)
    }

    deinit { Keyboard.restore() }

    /// Waits for keys, for some time at most.
    func wait(milliseconds: Int32) -> [Key] {
        var request = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        guard isThere else {
            usleep(UInt32(max(milliseconds, 0)) * 1000)
            return []
        }
        guard poll(&request, 1, milliseconds) > 0 else { return [] }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = Int32(request.revents) & POLLIN != 0 ? read(STDIN_FILENO, &bytes, bytes.count) : 0
        guard count > 0 else {
            // A terminal that is gone answers at once, with or without saying that there is something to read.
            usleep(UInt32(max(milliseconds, 0)) * 1000)
            return []
        }
        return Key.decode(Array(bytes.prefix(count)))
    }

    /// From anywhere, signal handlers included.
    static func restore() {
        guard isChanged.exchange(false, ordering: .relaxed) else { return }
        tcsetattr(STDIN_FILENO, TCSANOW, &before)
    }
}

/// The signals that ask a program to end: the first is noted, so that a command ends in order, the second ends it.
enum Interruption {
    private static let number = Atomic<Int32>(0)

    /// Watches from now on; a signal that the parent ignores, as `nohup` does, stays ignored.
    static func watch() {
        number.store(0, ordering: .relaxed)
        unblock()
        for number in signals {
            let old = signal(number) { number in
                Interruption.number.store(number, ordering: .relaxed)
                Keyboard.restore()
                signal(number, SIG_DFL)
            }
            if unsafeBitCast(old, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) { signal(number, SIG_IGN) }
        }
    }

    private static let signals = [SIGINT, SIGTERM, SIGHUP]

    /// A program that Dispatch's threads start has their mask of signals: all of these blocked.
    private static func unblock() {
        var set = sigset_t()
        sigemptyset(&set)
        for number in signals { sigaddset(&set, number) }
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
    }

    /// Whether the program was asked to end.
    static var isAsked: Bool { number.load(ordering: .relaxed) != 0 }
    /// The exit status of a program that a signal ended.
    static var status: Int32 { 128 + number.load(ordering: .relaxed) }
}

/// What goes on now, on standard error: on a terminal one line that is redrawn, elsewhere a line every ten seconds.
final class StatusLine {
    private let isTerminal: Bool
    private let width: Int
    private let start = ContinuousClock.now
    private var due: Duration
    private var isShown = false

    init() {
        isTerminal = isatty(STDERR_FILENO) == 1
        var size = winsize()
        let isKnown = ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        width = isKnown ? Int(size.ws_col) - 1 : 79
        due = isTerminal ? .zero : .seconds(10)
    }

    deinit { clear() }

    func show(_ text: @autoclosure () -> String) {
        let now = start.duration(to: .now)
        guard now >= due else { return }
        due = now + (isTerminal ? .milliseconds(80) : .seconds(10))
        let line = Text.oneLine(text())
        StandardError.write(isTerminal ? "\r\(line.prefix(width))\u{1B}[K" : line + "\n")
        isShown = true
    }

    /// Makes room for a line of another kind.
    func clear() {
        if isTerminal, isShown { StandardError.write("\r\u{1B}[K") }
        isShown = false
    }
}
