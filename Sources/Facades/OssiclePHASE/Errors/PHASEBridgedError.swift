import Foundation
import OssicleCoreAudioTypes

/// What PHASE's three error types share: a code in a domain, bridged to `NSError`, and an account of what happened.
///
/// `localizedDescription` names the object, the value and the rule; `recoverySuggestion` the cure; `description` is all of it.
public protocol PHASEBridgedError: NSErrorBridged, LocalizedError, CustomStringConvertible, Hashable, Sendable {
    associatedtype Code: RawRepresentable<Int>, Sendable
    var code: Code { get }
    init(_ code: Code, bridged: NSError)
}

extension PHASEBridgedError {
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        self.init(code, bridged: NSError(domain: Self.errorDomain, code: code.rawValue, userInfo: userInfo))
    }

    package init(_ code: Code, object: String, value: String, rule: String, cure: String) {
        self.init(code, bridged: OssicleError(domain: Self.errorDomain, code: code.rawValue, object: object, value: value, rule: rule, cure: cure))
    }

    /// For an account that reads best as one sentence: what object and value, what rule, what cure.
    init(_ code: Code, _ sentence: String) { self.init(code, userInfo: [NSLocalizedDescriptionKey: sentence]) }

    public init?(bridging error: NSError) {
        guard error.domain == Self.errorDomain, let code = Code(rawValue: error.code) else { return nil }
        self.init(code, bridged: error)
    }

    public var errorCode: Int { code.rawValue }
    public var errorUserInfo: [String: Any] { bridged.userInfo }
    public var userInfo: [String: Any] { bridged.userInfo }
    public var errorDescription: String? { localizedDescription }
    public var failureReason: String? { bridged.localizedFailureReason }
    public var recoverySuggestion: String? { bridged.localizedRecoverySuggestion }
    public var localizedDescription: String { userInfo[NSLocalizedDescriptionKey] as? String ?? "\(Self.errorDomain).\(code)" }
    public var description: String { [localizedDescription, recoverySuggestion].compactMap(\.self).joined(separator: " ") }

    /// Lets a code stand as the pattern of a `catch`.
    static func matches(_ code: Code, _ error: any Error) -> Bool {
        let error = error as NSError
        return error.domain == errorDomain && error.code == code.rawValue
    }
}
