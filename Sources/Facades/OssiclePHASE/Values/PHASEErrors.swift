import Foundation
import OssicleCoreAudioTypes
import OssicleSpatial

/// What PHASE's three error types share: a code in a domain, bridged to `NSError`, and an account of what happened.
///
/// `localizedDescription` names the object, the value and the rule; `recoverySuggestion` the cure; `description` is all
/// of it.
public protocol PHASEBridgedError: NSErrorBridged, LocalizedError, CustomStringConvertible, Hashable, Sendable {
    /// The codes of its domain.
    associatedtype Code: RawRepresentable<Int>, Sendable
    /// What went wrong.
    var code: Code { get }
    /// From an error of Foundation with the same code.
    init(_ code: Code, bridged: NSError)
}

extension PHASEBridgedError {
    /// With what user info Foundation's error is to have.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        self.init(code, bridged: NSError(domain: Self.errorDomain, code: code.rawValue, userInfo: userInfo))
    }

    init(_ code: Code, object: String, value: String, rule: String, cure: String) {
        self.init(
            code,
            bridged: OssicleError(
                domain: Self.errorDomain, code: code.rawValue, object: object, value: value, rule: rule, cure: cure))
    }

    /// For an account that reads best as one sentence: what object and value, what rule, what cure.
    init(_ code: Code, _ sentence: String) { self.init(code, userInfo: [NSLocalizedDescriptionKey: sentence]) }

    public init?(bridging error: NSError) {
        guard error.domain == Self.errorDomain, let code = Code(rawValue: error.code) else { return nil }
        self.init(code, bridged: error)
    }

    /// The raw value of `code`.
    public var errorCode: Int { code.rawValue }
    /// That of `bridged`.
    public var errorUserInfo: [String: Any] { bridged.userInfo }
    /// That of `bridged`.
    public var userInfo: [String: Any] { bridged.userInfo }
    public var errorDescription: String? { localizedDescription }
    public var failureReason: String? { bridged.localizedFailureReason }
    public var recoverySuggestion: String? { bridged.localizedRecoverySuggestion }
    public var localizedDescription: String {
        userInfo[NSLocalizedDescriptionKey] as? String ?? "\(Self.errorDomain).\(code)"
    }
    public var description: String {
        [localizedDescription, recoverySuggestion].compactMap(\.self).joined(separator: " ")
    }

    /// Lets a code stand as the pattern of a `catch`.
    static func matches(_ code: Code, _ error: any Error) -> Bool {
        let error = error as NSError
        return error.domain == errorDomain && error.code == code.rawValue
    }
}

/// The domain of `PHASEError`.
public let PHASEErrorDomain = "PHASEErrorDomain"

/// An error of the engine and its scene graph.
///
/// `catch PHASEError.invalidObject` catches one code, `catch let error as PHASEError` any of them.
/// `localizedDescription` names the object, the value and the rule; `recoverySuggestion` the cure.
public struct PHASEError: PHASEBridgedError {
    /// What went wrong; the raw values are Apple's four-character codes.
    public enum Code: Int, Sendable {
        /// The engine or its audio output could not be brought up ('PHEa').
        case initializeFailed = 1346913633
        /// An object cannot be used here, for instance a child that already has a parent ('PHEb').
        case invalidObject = 1346913634

        /// Lets a code stand as the pattern of a `catch`.
        public static func ~= (code: Code, error: any Error) -> Bool { PHASEError.matches(code, error) }
    }

    /// The code of that name.
    public static var initializeFailed: Code { .initializeFailed }
    /// The code of that name.
    public static var invalidObject: Code { .invalidObject }

    public static var errorDomain: String { PHASEErrorDomain }

    /// What went wrong.
    public let code: Code
    public let bridged: NSError

    /// From an error of Foundation with the same code.
    public init(_ code: Code, bridged: NSError) {
        self.code = code
        self.bridged = bridged
    }
}

/// The domain of `PHASEAssetError`.
public let PHASEAssetErrorDomain = "PHASEAssetErrorDomain"

/// An error of the asset registry and of what is registered there.
///
/// `catch PHASEAssetError.invalidEngineInstance` catches one code, `catch let error as PHASEAssetError` any of them.
/// `localizedDescription` names the object, the value and the rule; `recoverySuggestion` the cure.
public struct PHASEAssetError: PHASEBridgedError {
    /// What went wrong; the raw values are Apple's four-character codes.
    public enum Code: Int, Sendable {
        /// The asset could not be read ('PHaa').
        case failedToLoad = 1346920801
        /// The engine is gone or the wrong one ('PHab').
        case invalidEngineInstance = 1346920802
        /// An argument cannot be used ('PHac').
        case badParameters = 1346920803
        /// The identifier is taken ('PHad').
        case alreadyExists = 1346920804
        /// Anything else ('PHae').
        case generalError = 1346920805
        /// There was no memory for the asset ('PHaf').
        case memoryAllocation = 1346920806

        /// Lets a code stand as the pattern of a `catch`.
        public static func ~= (code: Code, error: any Error) -> Bool { PHASEAssetError.matches(code, error) }
    }

    /// The code of that name.
    public static var failedToLoad: Code { .failedToLoad }
    /// The code of that name.
    public static var invalidEngineInstance: Code { .invalidEngineInstance }
    /// The code of that name.
    public static var badParameters: Code { .badParameters }
    /// The code of that name.
    public static var alreadyExists: Code { .alreadyExists }
    /// The code of that name.
    public static var generalError: Code { .generalError }
    /// The code of that name.
    public static var memoryAllocation: Code { .memoryAllocation }

    public static var errorDomain: String { PHASEAssetErrorDomain }

    /// What went wrong.
    public let code: Code
    public let bridged: NSError

    /// From an error of Foundation with the same code.
    public init(_ code: Code, bridged: NSError) {
        self.code = code
        self.bridged = bridged
    }
}

/// The domain of `PHASESoundEventError`.
public let PHASESoundEventErrorDomain = "PHASESoundEventErrorDomain"

/// An error of sound events.
///
/// `catch PHASESoundEventError.badData` catches one code, `catch let error as PHASESoundEventError` any of them.
/// `localizedDescription` names the object, the value and the rule; `recoverySuggestion` the cure.
public struct PHASESoundEventError: PHASEBridgedError {
    /// What went wrong; the raw values are Apple's four-character codes.
    public enum Code: Int, Sendable {
        /// No sound event asset has this identifier ('PHta').
        case notFound = 1346925665
        /// The asset's data cannot be used ('PHtb').
        case badData = 1346925666
        /// The event or its engine is no longer valid ('PHtc').
        case invalidInstance = 1346925667
        /// Calls came in the wrong order or something was left out ('PHtd').
        case apiMisuse = 1346925668
        /// The engine is not ready ('PHte').
        case systemNotInitialized = 1346925669
        /// There was no memory for the event ('PHtf').
        case outOfMemory = 1346925670

        /// Lets a code stand as the pattern of a `catch`.
        public static func ~= (code: Code, error: any Error) -> Bool { PHASESoundEventError.matches(code, error) }
    }

    /// The code of that name.
    public static var notFound: Code { .notFound }
    /// The code of that name.
    public static var badData: Code { .badData }
    /// The code of that name.
    public static var invalidInstance: Code { .invalidInstance }
    /// The code of that name.
    public static var apiMisuse: Code { .apiMisuse }
    /// The code of that name.
    public static var systemNotInitialized: Code { .systemNotInitialized }
    /// The code of that name.
    public static var outOfMemory: Code { .outOfMemory }

    public static var errorDomain: String { PHASESoundEventErrorDomain }

    /// What went wrong.
    public let code: Code
    public let bridged: NSError

    /// From an error of Foundation with the same code.
    public init(_ code: Code, bridged: NSError) {
        self.code = code
        self.bridged = bridged
    }
}

extension SpatialError {
    /// As PHASE's error.
    var bridged: any Error {
        switch kind {
        case .engine: bridged(PHASEError.Code.initializeFailed, as: PHASEError.self)
        case .misuse: bridged(PHASESoundEventError.Code.apiMisuse, as: PHASESoundEventError.self)
        case .data: bridged(PHASESoundEventError.Code.badData, as: PHASESoundEventError.self)
        case .asset: bridged(PHASEAssetError.Code.failedToLoad, as: PHASEAssetError.self)
        }
    }

    private func bridged<Bridged: PHASEBridgedError>(_ code: Bridged.Code, as type: Bridged.Type) -> Bridged {
        Bridged(code, object: object, value: found, rule: rule, cure: cure)
    }
}
