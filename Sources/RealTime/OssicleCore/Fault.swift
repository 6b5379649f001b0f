// Errors below the facades, in a form that tells what to do.

/// The kinds of fault of one part of the engine. Facades make their status codes of them.
package protocol FaultKind: Hashable, Sendable {
    /// How messages name `object`: a codec as it is, a file with its quotes.
    static func title(_ object: String) -> String
}

extension FaultKind {
    package static func title(_ object: String) -> String { object }
}

/// What was refused or failed: the object, what was found, the rule it breaks, the cure. For the control side only.
package struct Fault<Reason: FaultKind>: Error, Hashable, Sendable, CustomStringConvertible {
    package typealias Kind = Reason

    package let kind: Kind
    package let object: String
    package let found: String
    package let rule: String
    package let cure: String

    package init(_ kind: Kind, object: String, found: String, rule: String, cure: String) {
        self.kind = kind
        self.object = object
        self.found = found
        self.rule = rule
        self.cure = cure
    }

    package var description: String { "\(Kind.title(object)): \(found). \(rule) \(cure)" }
}
