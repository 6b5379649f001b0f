import Foundation

/// Where the tool says what went wrong.
enum StandardError {
    static func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }

    /// A failure that does not end the work.
    @Sendable static func tell(_ failure: String) { write("Error: \(failure)\n") }
}
