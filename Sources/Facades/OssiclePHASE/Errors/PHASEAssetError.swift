import Foundation

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

    public static var failedToLoad: Code { .failedToLoad }
    public static var invalidEngineInstance: Code { .invalidEngineInstance }
    public static var badParameters: Code { .badParameters }
    public static var alreadyExists: Code { .alreadyExists }
    public static var generalError: Code { .generalError }
    public static var memoryAllocation: Code { .memoryAllocation }

    public static var errorDomain: String { PHASEAssetErrorDomain }

    public let code: Code
    public let bridged: NSError

    public init(_ code: Code, bridged: NSError) {
        self.code = code
        self.bridged = bridged
    }
}
