import Foundation
import OssicleHeadTracking

/// The domain of Core Motion's errors, with the codes of `CMError`.
public let CMErrorDomain = "CMErrorDomain"

/// A code in `CMErrorDomain`.
public struct CMError: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    public init(_ rawValue: UInt32) { self.rawValue = rawValue }
}

public let CMErrorNULL = CMError(100)
public let CMErrorDeviceRequiresMovement = CMError(101)
public let CMErrorTrueNorthNotAvailable = CMError(102)
public let CMErrorUnknown = CMError(103)
public let CMErrorMotionActivityNotAvailable = CMError(104)
public let CMErrorMotionActivityNotAuthorized = CMError(105)
public let CMErrorMotionActivityNotEntitled = CMError(106)
public let CMErrorInvalidParameter = CMError(107)
public let CMErrorInvalidAction = CMError(108)
public let CMErrorNotAvailable = CMError(109)
public let CMErrorNotEntitled = CMError(110)
public let CMErrorNotAuthorized = CMError(111)

/// Whether the user lets this program read motion.
public enum CMAuthorizationStatus: Int, Sendable {
    case notDetermined = 0
    case restricted = 1
    case denied = 2
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
