import Foundation

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

    public static var notFound: Code { .notFound }
    public static var badData: Code { .badData }
    public static var invalidInstance: Code { .invalidInstance }
    public static var apiMisuse: Code { .apiMisuse }
    public static var systemNotInitialized: Code { .systemNotInitialized }
    public static var outOfMemory: Code { .outOfMemory }

    public static var errorDomain: String { PHASESoundEventErrorDomain }

    public let code: Code
    public let bridged: NSError

    public init(_ code: Code, bridged: NSError) {
        self.code = code
        self.bridged = bridged
    }
}
