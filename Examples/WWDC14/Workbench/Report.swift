import Foundation

/// An example that went wrong, in a sentence.
public struct Failure: Error, CustomStringConvertible {
    public let description: String
    public init(_ sentence: String) { description = sentence }
}

/// What an example tells: a title, facts that were measured, and whether they are as promised.
public struct Report {
    private let title: String

    /// Runs an example. A failure is told in a sentence on standard error and ends the program with status 1.
    public static func on(_ title: String, _ example: (Report) throws -> Void) {
        do {
            try example(Report(title: title))
        } catch {
            FileHandle.standardError.write(Data("\(title): \(error)\n".utf8))
            exit(1)
        }
    }

    /// Writes what was heard to a file of its own in the system's temporary folder, and tells where it is.
    public func heard(_ take: Take, as name: String) throws {
        let url = temporaryFile(name)
        try take.buffer().write(to: url)
        print("\(title): \(url.path)")
        try require(
            take.left.allSatisfy(\.isFinite) && take.right.allSatisfy(\.isFinite),
            "the sound holds values that are not numbers")
    }

    public func fact(_ sentence: String) { print("  \(sentence)") }

    public func require(_ holds: Bool, _ otherwise: @autoclosure () -> String) throws {
        guard holds else { throw Failure(otherwise()) }
    }
}

/// A WAVE file in the system's temporary folder that no other run writes to.
public func temporaryFile(_ name: String) -> URL {
    FileManager.default.temporaryDirectory.appendingPathComponent(
        "\(name)-\(ProcessInfo.processInfo.processIdentifier).wav")
}

extension Double {
    /// With that many decimals.
    public func rounded(to decimals: Int) -> String { String(format: "%.\(decimals)f", self) }
}
