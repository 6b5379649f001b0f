import Foundation

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

    public static var initializeFailed: Code { .initializeFailed }
    public static var invalidObject: Code { .invalidObject }

    public static var errorDomain: String { PHASEErrorDomain }

    public let code: Code
    public let bridged: NSError

    public init(_ code: Code, bridged: NSError) {
        self.code = code
        self.bridged = bridged
    }
}
