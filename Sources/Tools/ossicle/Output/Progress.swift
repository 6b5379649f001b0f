import Foundation

/// How far long work has come, on standard error so that standard output stays clean for pipes.
///
/// On a terminal one line is redrawn; elsewhere (a log) a line is written at each whole step.
struct Progress {
    let title: String
    let steps: Int
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private var shown = -1

    init(_ title: String, steps: Int) {
        self.title = title
        self.steps = max(steps, 1)
    }

    /// Shows `step` of `steps`; repeated calls with the same number are silent.
    mutating func show(_ step: Int) {
        guard step != shown else { return }
        shown = step
        let line = "\(title) \(min(step, steps)) of \(steps) s"
        write(isTerminal ? "\r\(line)" + (step >= steps ? "\n" : "") : line + "\n")
    }

    private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
