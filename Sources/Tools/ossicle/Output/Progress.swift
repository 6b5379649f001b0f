import Foundation

/// How far long work has come, on standard error so that standard output stays clean for pipes.
///
/// On a terminal one line is redrawn; elsewhere (a log) a line is written at each whole step, or at each tenth of more than twenty.
struct Progress {
    let title: String
    let steps: Int
    let unit: String
    let isTerminal = isatty(STDERR_FILENO) == 1
    private var shown = -1

    init(_ title: String, steps: Int, unit: String = "s") {
        self.title = title
        self.steps = max(steps, 1)
        self.unit = unit
    }

    /// Shows `step` of `steps`; repeated calls with the same number are silent.
    mutating func show(_ step: Int) {
        guard step != shown, isTerminal || isWorthALine(step) else { return }
        shown = step
        let line = "\(title) \(min(step, steps)) of \(steps) \(unit)"
        StandardError.write(isTerminal ? "\r\(line)" + (step >= steps ? "\n" : "") : line + "\n")
    }

    /// Makes room on a terminal for a line of another kind.
    func clear() {
        if isTerminal, shown >= 0, shown < steps { StandardError.write("\r\u{1B}[K") }
    }

    private func isWorthALine(_ step: Int) -> Bool { steps <= 20 || step >= steps || step * 10 / steps != shown * 10 / steps }
}

/// Progress through one long sound, in hundredths. What is done within a second, in a log within ten, is not shown.
final class ShareProgress {
    private var bar: Progress
    private let started = ContinuousClock.now

    init(_ title: String) { bar = Progress(title, steps: 100, unit: "%") }

    /// - Parameter share: 0 ... 1.
    func show(_ share: Double) {
        guard started.duration(to: .now) > .seconds(bar.isTerminal ? 1 : 10) else { return }
        bar.show(Int(min(max(share, 0), 1) * 100))
    }
}
