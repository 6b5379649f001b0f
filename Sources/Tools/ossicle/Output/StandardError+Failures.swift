import OssicleMessages

typealias StandardError = OssicleMessages.StandardError

extension StandardError {
    /// A failure that does not end the work.
    @Sendable static func tell(_ failure: String) { write("Error: \(failure)\n") }
}
