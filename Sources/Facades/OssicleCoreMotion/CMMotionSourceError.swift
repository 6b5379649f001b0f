import Foundation
import OssicleHeadTracking

/// Why a source of motion cannot be used (an addition of Ossicle): what it is about, what was found, the rule and the cure.
///
/// `catch let error as NSError` catches it too, with the domain `CMMotionSourceErrorDomain` and the code 1.
public struct CMMotionSourceError: CustomNSError, LocalizedError, Hashable, Sendable, CustomStringConvertible {
    public let object: String
    public let value: String
    public let rule: String
    public let cure: String

    public static var errorDomain: String { "CMMotionSourceErrorDomain" }
    public var errorCode: Int { 1 }
    public var errorUserInfo: [String: Any] {
        [NSLocalizedDescriptionKey: "\(object): \(value). \(rule)", NSLocalizedFailureReasonErrorKey: rule, NSLocalizedRecoverySuggestionErrorKey: cure,
         Self.partsKey: [object, value, rule, cure]]
    }
    fileprivate static let partsKey = "CMMotionSourceErrorParts"

    init(_ error: HeadTrackingError) { (object, value, rule, cure) = (error.object, error.value, error.rule, error.cure) }

    public var errorDescription: String? { "\(object): \(value). \(rule)" }
    public var failureReason: String? { rule }
    public var recoverySuggestion: String? { cure }
    public var description: String { "\(object): \(value). \(rule) \(cure)" }
}

/// Foundation on Linux casts an error to `NSError` only where its type says how.
extension CMMotionSourceError: _ObjectiveCBridgeable {
    public func _bridgeToObjectiveC() -> NSError { NSError(domain: Self.errorDomain, code: errorCode, userInfo: errorUserInfo) }

    public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout Self?) { result = Self(bridging: source) }

    public static func _conditionallyBridgeFromObjectiveC(_ source: NSError, result: inout Self?) -> Bool {
        result = Self(bridging: source)
        return result != nil
    }

    /// For Objective-C methods alone, of which there are none.
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> Self {
        guard let error = source.flatMap(Self.init(bridging:)) else { preconditionFailure("an Objective-C method returned no such error") }
        return error
    }

    private init?(bridging error: NSError) {
        guard error.domain == Self.errorDomain, let parts = error.userInfo[Self.partsKey] as? [String], parts.count == 4 else { return nil }
        (object, value, rule, cure) = (parts[0], parts[1], parts[2], parts[3])
    }
}
