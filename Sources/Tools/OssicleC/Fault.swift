import OssicleBatch
import OssicleCoreAudioTypes
import OssicleHeader
import OssicleResponses
import OssicleScenes

/// What went wrong, before it is an error that C can hold.
///
/// Thrown untyped: with `throws(Fault)` Swift 6.3.1 takes what a function returned for an error, in release builds.
struct Fault: Error {
    let code: Int32
    let message: String
    var object, finding, rule, cure, path: String?

    /// - Parameters:
    ///   - object: an argument, a file. - finding: what is wrong with it. - rule: what must be. - cure: what to do.
    init(
        _ object: String, _ finding: String, rule: String, cure: String, path: String? = nil,
        code: Int = OSSICLE_BAD_ARGUMENT
    ) {
        self.code = Int32(code)
        message = "\(object) \(finding); \(rule): \(cure)."
        (self.object, self.finding, self.rule, self.cure, self.path) = (object, finding, rule, cure, path)
    }

    /// A sentence that has all of it.
    init(_ message: String, code: Int) { (self.code, self.message) = (Int32(code), message) }

    /// Errors of the engine.
    init(_ error: any Error) {
        switch error {
        case let fault as Fault: self = fault
        case let error as SceneFileError: self.init(error)
        case let error as BatchError: self.init(error.description, code: OSSICLE_BAD_BATCH)
        default:
            self.init("\(error)", code: OSSICLE_BAD_SCENE)
            guard let account = (error as? any NSErrorBridged)?.bridged as? OssicleError else { return }
            (object, finding, rule, cure) = (account.object, account.value, account.rule, account.cure)
        }
    }

    private init(_ error: SceneFileError) {
        self.init(error.description, code: OSSICLE_BAD_SCENE)
        (object, finding, rule, cure, path) = (error.file, error.found, error.rule, error.cure, error.path)
    }
}

/// An error behind a handle.
final class InterfaceError: Sendable {
    let code: Int32
    private let parts: [CText?]

    init(_ fault: Fault) {
        code = fault.code
        parts = [fault.message, fault.object, fault.finding, fault.rule, fault.cure, fault.path].map {
            $0.map(CText.init)
        }
    }

    func text(_ part: Int32) -> UnsafePointer<CChar>? {
        parts.indices.contains(Int(part)) ? parts[Int(part)]?.pointer : nil
    }
}

@c @implementation
public func ossicle_error_code(_ error: OpaquePointer?) -> Int32 {
    (try? Handles.object(error, InterfaceError.self, "error"))?.code ?? Int32(OSSICLE_BAD_HANDLE)
}

@c @implementation
public func ossicle_error_text(_ error: OpaquePointer?, _ part: Int32) -> UnsafePointer<CChar>? {
    (try? Handles.object(error, InterfaceError.self, "error"))?.text(part)
}

@c @implementation
public func ossicle_error_free(_ error: OpaquePointer?) { Handles.free(error, InterfaceError.self) }
