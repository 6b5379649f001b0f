/// An error of ours that code written for Apple's frameworks may take for an `NSError`, and the other way round (an addition of Ossicle).
///
/// Foundation on Linux casts an error to `NSError` in `catch let error as NSError` only where its type says how; elsewhere the pattern does not
/// match, and the error passes by.
public protocol NSErrorBridged: CustomNSError, _ObjectiveCBridgeable where _ObjectiveCType == NSError {
    /// Domain, code and user info as Apple's error has them.
    var bridged: NSError { get }
    /// Nil for an error of another domain, and for a code this type does not know.
    init?(bridging error: NSError)
}

extension NSErrorBridged {
    public func _bridgeToObjectiveC() -> NSError { bridged }

    public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout Self?) { result = Self(bridging: source) }

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
