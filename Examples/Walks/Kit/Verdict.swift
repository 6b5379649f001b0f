import Foundation

/// A walk that went wrong, in a sentence.
public struct Failure: Error, CustomStringConvertible {
    public let description: String
    public init(_ sentence: String) { description = sentence }
}

public func require(_ holds: Bool, _ sentence: @autoclosure () -> String) throws {
    guard holds else { throw Failure(sentence()) }
}

/// Runs a walk. A failure is told in a sentence on standard error and ends the program with status 1.
public func perform(_ walk: String, _ body: () throws -> Void) {
    do {
        try body()
    } catch {
        FileHandle.standardError.write(Data("\(walk): \(error)\n".utf8))
        exit(1)
    }
}

extension Double {
    /// With one decimal, for what is printed.
    public var short: String { String(format: "%.1f", self) }
}
