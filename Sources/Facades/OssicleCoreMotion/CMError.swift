import Foundation
import OssicleHeadTracking

/// The domain of Core Motion's errors, with the codes of `CMError`.
public let CMErrorDomain = "CMErrorDomain"

/// A code in `CMErrorDomain`.
public struct CMError: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// The same without a label.
    public init(_ rawValue: UInt32) { self.rawValue = rawValue }
}

/// No error.
public let CMErrorNULL = CMError(100)
/// The device has to be moved before it knows.
public let CMErrorDeviceRequiresMovement = CMError(101)
/// True north is not known: there is no position.
public let CMErrorTrueNorthNotAvailable = CMError(102)
/// No other code says it.
public let CMErrorUnknown = CMError(103)
/// The machine does not recognise activities.
public let CMErrorMotionActivityNotAvailable = CMError(104)
/// The user does not let the program read activities.
public let CMErrorMotionActivityNotAuthorized = CMError(105)
/// The program lacks the entitlement for activities.
public let CMErrorMotionActivityNotEntitled = CMError(106)
/// An argument is out of its range.
public let CMErrorInvalidParameter = CMError(107)
/// The call does not go with what is running.
public let CMErrorInvalidAction = CMError(108)
/// There is no such sensor or reference frame.
public let CMErrorNotAvailable = CMError(109)
/// The program lacks an entitlement.
public let CMErrorNotEntitled = CMError(110)
/// The user does not let the program read motion.
public let CMErrorNotAuthorized = CMError(111)

/// Whether the user lets this program read motion.
public enum CMAuthorizationStatus: Int, Sendable {
    /// The user has not been asked for it.
    case notDetermined = 0
    /// The user could not allow it, either.
    case restricted = 1
    /// The user has refused.
    case denied = 2
    /// The program may read motion.
    case authorized = 3
}

/// Why a source of motion cannot be used (an addition of Ossicle): what it is about, what was found, the rule and the
/// cure.
///
/// `catch let error as NSError` catches it too, with the domain `CMMotionSourceErrorDomain` and the code 1.
public struct CMMotionSourceError: CustomNSError, LocalizedError, Hashable, Sendable, CustomStringConvertible {
    /// What the error is about, as `motionSource “osc:8000”`.
    public let object: String
    /// What was found.
    public let value: String
    /// What holds instead.
    public let rule: String
    /// What to do about it.
    public let cure: String

    public static var errorDomain: String { "CMMotionSourceErrorDomain" }
    public var errorCode: Int { 1 }
    public var errorUserInfo: [String: Any] {
        [
            NSLocalizedDescriptionKey: "\(object): \(value). \(rule)", NSLocalizedFailureReasonErrorKey: rule,
            NSLocalizedRecoverySuggestionErrorKey: cure,
            Self.partsKey: [object, value, rule, cure],
        ]
    }
    fileprivate static let partsKey = "CMMotionSourceErrorParts"

    init(_ error: HeadTrackingError) {
        (object, value, rule, cure) = (error.object, error.value, error.rule, error.cure)
    }

    public var errorDescription: String? { "\(object): \(value). \(rule)" }
    public var failureReason: String? { rule }
    public var recoverySuggestion: String? { cure }
    public var description: String { "\(object): \(value). \(rule) \(cure)" }
}

/// Foundation on Linux casts an error to `NSError` only where its type says how.
extension CMMotionSourceError: _ObjectiveCBridgeable {
    public func _bridgeToObjectiveC() -> NSError {
        NSError(domain: Self.errorDomain, code: errorCode, userInfo: errorUserInfo)
    }

    public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout Self?) {
        result = Self(bridging: source)
    }

    public static func _conditionallyBridgeFromObjectiveC(_ source: NSError, result: inout Self?) -> Bool {
        result = Self(bridging: source)
        return result != nil
    }

    /// For Objective-C methods alone, of which there are none; an error of another domain keeps its description.
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> Self {
        source.flatMap(Self.init(bridging:)) ?? Self(foreign: source)
    }

    private init(foreign error: NSError?) {
        object = "CoreMotion"
        value = error?.localizedDescription ?? "no error"
        rule = "A source of motion fails with an error of \(Self.errorDomain)."
        cure = "Catch it as NSError."
    }

    private init?(bridging error: NSError) {
        guard error.domain == Self.errorDomain, let parts = error.userInfo[Self.partsKey] as? [String], parts.count == 4
        else { return nil }
        (object, value, rule, cure) = (parts[0], parts[1], parts[2], parts[3])
    }
}
