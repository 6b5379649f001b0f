import Foundation

/// An example that went wrong, in a sentence.
public struct Failure: Error, CustomStringConvertible {
    public let description: String
    public init(_ sentence: String) { description = sentence }
}

/// Runs an example. A failure is told in a sentence on standard error and ends the program with status 1.
public func perform(_ example: () throws -> Void) {
    do {
        try example()
    } catch {
        FileHandle.standardError.write(Data("\(error)\n".utf8))
        exit(1)
    }
}

/// Prints what was heard and insists that it is right.
public struct Verdict {
    private let example: String
    private let folder: SoundFolder

    public init(on example: String, in folder: SoundFolder) {
        self.example = example
        self.folder = folder
    }

    /// Prints the level of each second, writes the take beside the sounds it was made of and fails if nothing was
    /// heard.
    public func report(_ take: Take, as name: String) throws {
        let file = folder.url.appendingPathComponent("\(name).wav")
        try take.write(to: file)
        print("\(example), \(name): \(file.path)")
        for (second, level) in take.levelPerSecond.enumerated() {
            print("  \(second)–\(second + 1) s  \(String(format: "%.1f", level)) dB")
        }
        try require(take.level > -60, "\(name) is silent (\(take.level) dB)")
        try require(
            take.left.allSatisfy(\.isFinite) && take.right.allSatisfy(\.isFinite),
            "\(name) holds values that are not numbers")
    }

    public func require(_ holds: Bool, _ sentence: String) throws {
        guard holds else { throw Failure("\(example): \(sentence)") }
    }
}
