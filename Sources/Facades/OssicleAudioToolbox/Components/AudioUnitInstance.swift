// What the C interface needs of a unit behind a handle.

/// A unit that `AudioUnitSetParameter` and its kin can reach.
package protocol AudioUnitInstance: AnyObject {
    /// The unit's parameters.
    var parameterTree: AUParameterTree { get }
    /// Takes `size` bytes at `data` as the value of a property.
    func setProperty(_ id: AudioUnitPropertyID, scope: AudioUnitScope, element: AudioUnitElement, data: UnsafeRawPointer?, size: UInt32) -> OSStatus
    /// Writes the value of a property to `data`, which has room for `size` bytes, and sets `size` to what it wrote.
    func getProperty(_ id: AudioUnitPropertyID, scope: AudioUnitScope, element: AudioUnitElement, data: UnsafeMutableRawPointer,
                     size: UnsafeMutablePointer<UInt32>) -> OSStatus
}

extension AudioUnitInstance {
    package func setProperty(_ id: AudioUnitPropertyID, scope: AudioUnitScope, element: AudioUnitElement, data: UnsafeRawPointer?,
                             size: UInt32) -> OSStatus {
        kAudioUnitErr_InvalidProperty
    }

    package func getProperty(_ id: AudioUnitPropertyID, scope: AudioUnitScope, element: AudioUnitElement, data: UnsafeMutableRawPointer,
                             size: UnsafeMutablePointer<UInt32>) -> OSStatus {
        kAudioUnitErr_InvalidProperty
    }
}

/// A built-in unit made by the C interface: parameters that can be set and read, and nothing that renders.
final class PlainUnit: AudioUnitInstance {
    let parameterTree: AUParameterTree

    init(_ unit: UnitDescription) { parameterTree = unit.makeParameterTree() }
}
