// The errors of the facades: typed, and at the same time the `NSError` that code written for Apple's frameworks expects.

/// An error that names the object it concerns, the value that was refused, the rule it breaks and the cure.
///
/// `domain` and `code` are Apple's where Apple has one, so `error as NSError` and a comparison of codes work unchanged.
/// An addition to Apple's surface. Immutable; may cross threads.
open class OssicleError: NSError, @unchecked Sendable {
    /// What was asked, such as `AVAudioFile "a.wav"`.
    public let object: String
    /// The value that was refused.
    public let value: String
    /// The rule it breaks.
    public let rule: String
    /// What to do instead.
    public let cure: String

    /// An error in `domain` with `code`; the description is composed of the four texts.
    public init(domain: String, code: Int, object: String, value: String, rule: String, cure: String) {
        self.object = object
        self.value = value
        self.rule = rule
        self.cure = cure
        super.init(domain: domain, code: code, userInfo: [
            NSLocalizedDescriptionKey: "\(object): \(value). \(rule)",
            NSLocalizedFailureReasonErrorKey: rule,
            NSLocalizedRecoverySuggestionErrorKey: cure,
        ])
    }

    /// Restores domain and code; the texts are not archived.
    public required init?(coder: NSCoder) {
        (object, value, rule, cure) = ("", "", "", "")
        super.init(coder: coder)
    }

    /// One line: domain, code, object, value, rule and cure.
    open override var description: String {
        "\(domain) \(code): \(object): \(value). \(rule) \(cure)"
    }
}
