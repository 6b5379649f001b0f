import Foundation
@testable import OssicleAudioToolbox

/// A value that several threads write to.
final class Shared<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var stored: Value

    init(_ value: Value) { stored = value }

    var value: Value { lock.withLock { stored } }

    func change(_ body: (inout Value) -> Void) { lock.withLock { body(&stored) } }
}

/// A gate that one thread opens for another.
final class Gate: @unchecked Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func open() { semaphore.signal() }

    /// Waits for `open()`, ten seconds at most, and says whether it came.
    func wait() -> Bool { semaphore.wait(timeout: .now() + 10) == .success }
}

/// A parameter from -10 to 10.
func makeParameter(
    _ identifier: String, at address: AUParameterAddress = 0, min: AUValue = -10, max: AUValue = 10,
    valueStrings: [String]? = nil
) -> AUParameter {
    AUParameterTree.createParameter(
        withIdentifier: identifier, name: identifier.capitalized, address: address, min: min, max: max, unit: .generic,
        unitName: nil, flags: [.flag_IsReadable, .flag_IsWritable], valueStrings: valueStrings, dependentParameters: nil
    )
}
