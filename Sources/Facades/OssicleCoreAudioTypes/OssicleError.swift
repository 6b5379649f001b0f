// The errors of the facades: typed, and at the same time the `NSError` that code written for Apple's frameworks
// expects.

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
        super.init(
            domain: domain, code: code,
            userInfo: [
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

/// An error of ours that code written for Apple's frameworks may take for an `NSError`, and the other way round (an
/// addition of Ossicle).
///
/// Foundation on Linux casts an error to `NSError` in `catch let error as NSError` only where its type says how;
/// elsewhere the pattern does not match, and the error passes by.
public protocol NSErrorBridged: CustomNSError, _ObjectiveCBridgeable where _ObjectiveCType == NSError {
    /// Domain, code and user info as Apple's error has them.
    var bridged: NSError { get }
    /// Nil for an error of another domain, and for a code this type does not know.
    init?(bridging error: NSError)
}

extension NSErrorBridged {
    public func _bridgeToObjectiveC() -> NSError { bridged }

    public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout Self?) {
        result = Self(bridging: source)
    }

    public static func _conditionallyBridgeFromObjectiveC(_ source: NSError, result: inout Self?) -> Bool {
        result = Self(bridging: source)
        return result != nil
    }

    /// For Objective-C methods alone, of which there are none.
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> Self {
        guard let error = source.flatMap(Self.init(bridging:)) else {
            preconditionFailure("\(Self.errorDomain): an Objective-C method returned no such error")
        }
        return error
    }
}

/// What Ossicle adds to a class of Apple's, beyond Apple's own members.
///
/// Additions are members of an extension of this protocol, not of the class: wherever a client's extension or subclass
/// declares a member of the same name, the client's is meant, without an ambiguity and without an override.
public protocol OssicleAdditions: AnyObject {}
