/// A failure as the user reads it: it names the object, the rule it broke and the cure.
struct ToolError: Error, Equatable, CustomStringConvertible {
    let description: String

    init(_ sentence: String) { description = sentence }
}
