/// Why a source of head poses cannot be used.
package struct HeadTrackingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What it is about, such as “OSC head tracking on 127.0.0.1:8000”.
    package let object: String
    /// What was found.
    package let value: String
    package let rule: String
    package let cure: String

    package var description: String { "\(object): \(value). \(rule) \(cure)" }
}
