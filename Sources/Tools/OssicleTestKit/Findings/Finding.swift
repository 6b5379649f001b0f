import Foundation

/// What one expectation found in a sound: whether it holds, and what was measured, in words.
///
/// It belongs to no test framework. `OssicleSwiftTesting` and `OssicleXCTest` report findings to theirs; where neither
/// is at hand, throw a finding that does not hold, or print it.
public struct Finding: Error, Sendable, Equatable, CustomStringConvertible {
    /// Whether the expectation is met.
    public let holds: Bool
    /// One sentence: what was expected and what was measured.
    public let summary: String
    /// What else there is to say, a line each.
    public let details: [String]
    /// Files that were written for those who look into it: pictures and sounds.
    public let files: [URL]

    /// One's own finding.
    public init(holds: Bool, summary: String, details: [String] = [], files: [URL] = []) {
        self.holds = holds
        self.summary = summary
        self.details = details
        self.files = files
    }

    /// The summary, and indented below it the details and files.
    public var description: String {
        ([summary] + details.map { "  " + $0 } + files.map { "  see " + $0.path }).joined(separator: "\n")
    }
}

/// Something a sound should be: see its static members. `sound.finding(.pitch(440))` measures it.
public struct SoundExpectation: Sendable {
    let measure: @Sendable (Sound) -> Finding

    /// An expectation of one's own.
    /// - Parameter measure: called on the thread that asks for the finding.
    public init(_ measure: @escaping @Sendable (Sound) -> Finding) { self.measure = measure }

    /// One whose finding is a sentence about what was measured.
    init(_ expected: String, _ measure: @escaping @Sendable (Sound) -> (holds: Bool, found: String)) {
        self.init { sound in
            let (holds, found) = measure(sound)
            return Finding(holds: holds, summary: "\(expected); measured: \(found)")
        }
    }
}

extension Sound {
    /// Measures what an expectation is about.
    public func finding(_ expectation: SoundExpectation) -> Finding { expectation.measure(self) }

    /// Measures what expectations are about.
    /// - Throws: the first `Finding` that does not hold.
    public func require(_ expectations: SoundExpectation...) throws(Finding) {
        for expectation in expectations {
            let finding = finding(expectation)
            if !finding.holds { throw finding }
        }
    }
}
