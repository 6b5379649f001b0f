import Foundation
import OssicleHeadTracking

/// Why a source of motion cannot be used (an addition of Ossicle): what it is about, what was found, the rule and the cure.
public struct CMMotionSourceError: LocalizedError, Hashable, Sendable, CustomStringConvertible {
    public let object: String
    public let value: String
    public let rule: String
    public let cure: String

    init(_ error: HeadTrackingError) { (object, value, rule, cure) = (error.object, error.value, error.rule, error.cure) }

    public var errorDescription: String? { "\(object): \(value). \(rule)" }
    public var failureReason: String? { rule }
    public var recoverySuggestion: String? { cure }
    public var description: String { "\(object): \(value). \(rule) \(cure)" }
}
