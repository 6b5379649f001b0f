import Foundation
import Synchronization

/// How far long work has come, on standard error so that standard output stays clean for pipes: "converting 43 %, 12 s left".
///
/// On a terminal one line is redrawn, after the first second, and erased at the end. Elsewhere (a log, a pipe) a line is written every ten seconds, so that short
/// work leaves nothing. Any thread may report.
final class Progress: Sendable {
    private let title: String
    private let isTerminal: Bool
    private let seconds: @Sendable () -> Double
    private let write: @Sendable (String) -> Void
    private let state = Mutex(State())

    private struct State {
        var shown = ""
        /// Seconds since the start at which the next line is due.
        var due: Double?
        var furthest = 0.0
    }

    /// - Parameters:
    ///   - seconds: time since the start of the work.
    ///   - write: puts text on standard error.
    init(_ title: String, isTerminal: Bool, seconds: @escaping @Sendable () -> Double, write: @escaping @Sendable (String) -> Void) {
        self.title = title
        self.isTerminal = isTerminal
        self.seconds = seconds
        self.write = write
    }

    convenience init(_ title: String) {
        let start = ContinuousClock.now
        self.init(title, isTerminal: isatty(STDERR_FILENO) == 1, seconds: { start.duration(to: .now) / .seconds(1) }, write: { StandardError.write($0) })
    }

    /// - Parameters:
    ///   - share: 0 … 1; less than was reported before counts as that.
    ///   - note: what stands behind the percentage, such as "(3 of 12 files)".
    func show(_ share: Double, _ note: String = "") {
        let now = seconds()
        state.withLock { state in
            state.furthest = max(state.furthest, min(max(share, 0), 1))
            if state.furthest >= 1 { return erase(&state) }
            guard now >= state.due ?? (isTerminal ? 1 : 10) else { return }
            state.due = now + (isTerminal ? 0.1 : 10)
            let line = line(state.furthest, note, after: now)
            guard line != state.shown else { return }
            write(isTerminal ? "\r\(line)\u{1B}[K" : line + "\n")
            state.shown = line
        }
    }

    /// Makes room on a terminal for a line of another kind, and at the end.
    func clear() { state.withLock { erase(&$0) } }

    private func erase(_ state: inout State) {
        if isTerminal, !state.shown.isEmpty { write("\r\u{1B}[K") }
        state.shown = ""
    }

    private func line(_ share: Double, _ note: String, after elapsed: Double) -> String {
        let percent = "\(title) \(Int(share * 100)) %" + (note.isEmpty ? "" : " " + note)
        guard share >= 0.01 else { return percent }
        let left = max((elapsed * (1 - share) / share).rounded(), 1)
        return percent + ", " + (left < 60 ? "\(Text.number(left, decimals: 0)) s" : Text.clock(left)) + " left"
    }
}
