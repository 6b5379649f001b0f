import OssicleAudioToolbox
import OssicleCoreAudioTypes
import OssicleProperties

/// The functions of a unit that a client's factory has made, found by their selectors. A unit without a function
/// answers `kAudio_UnimplementedError`.
///
/// Their first argument is the address of the structure that the factory gave. Structures are passed as bare addresses,
/// because `@convention(c)` does not take pointers to Swift's.
final class PlugInFunctions: @unchecked Sendable {
    private typealias Plain = @convention(c) (UnsafeMutableRawPointer) -> OSStatus
    private typealias Getting =
        @convention(c) (
            UnsafeMutableRawPointer, UInt32, UInt32, UInt32, UnsafeMutableRawPointer, UnsafeMutablePointer<UInt32>
        ) -> OSStatus
    private typealias Setting =
        @convention(c) (UnsafeMutableRawPointer, UInt32, UInt32, UInt32, UnsafeRawPointer?, UInt32) -> OSStatus
    private typealias GettingValue =
        @convention(c) (UnsafeMutableRawPointer, UInt32, UInt32, UInt32, UnsafeMutablePointer<Float>) -> OSStatus
    private typealias SettingValue =
        @convention(c) (UnsafeMutableRawPointer, UInt32, UInt32, UInt32, Float, UInt32) -> OSStatus
    private typealias Resetting = @convention(c) (UnsafeMutableRawPointer, UInt32, UInt32) -> OSStatus
    private typealias Rendering =
        @convention(c) (
            UnsafeMutableRawPointer, UnsafeMutableRawPointer, UnsafeRawPointer, UInt32, UInt32, UnsafeMutableRawPointer
        ) -> OSStatus
    private typealias Message = @convention(c) (UnsafeMutableRawPointer, UInt32, UInt32, UInt32, UInt32) -> OSStatus

    private let plugIn: UnsafeMutablePointer<AudioComponentPlugInInterface>
    private let prepare: Plain?
    private let finish: Plain?
    private let get: Getting?
    private let set: Setting?
    private let getValue: GettingValue?
    private let setValue: SettingValue?
    private let resetting: Resetting?
    private let rendering: Rendering?
    private let message: Message?

    /// Opens what the factory has made; `nil` where it refuses.
    init?(_ plugIn: UnsafeMutablePointer<AudioComponentPlugInInterface>, handle: AudioComponentInstance) {
        let lookup = plugIn.pointee.Lookup
        func find<Function>(_ selector: Int16, _: Function.Type) -> Function? {
            lookup(selector).map { unsafeBitCast($0, to: Function.self) }
        }
        self.plugIn = plugIn
        prepare = find(1, Plain.self)
        finish = find(2, Plain.self)
        get = find(4, Getting.self)
        set = find(5, Setting.self)
        getValue = find(6, GettingValue.self)
        setValue = find(7, SettingValue.self)
        resetting = find(9, Resetting.self)
        rendering = find(14, Rendering.self)
        message = find(0x101, Message.self)
        guard plugIn.pointee.Open(plugIn, handle) == noErr else { return nil }
    }

    deinit { _ = plugIn.pointee.Close(plugIn) }

    func initialize() throws { try check(prepare.map { $0(plugIn) } ?? noErr) }
    func uninitialize() { _ = finish.map { $0(plugIn) } }
    func reset() { _ = resetting.map { $0(plugIn, kAudioUnitScope_Global, 0) } }

    private func check(_ status: OSStatus) throws { if status != noErr { throw StatusError(status) } }

    /// A property of a fixed size; `nil` where the unit does not have it.
    func property<Value>(
        _ id: AudioUnitPropertyID, _ scope: AudioUnitScope = kAudioUnitScope_Global, _ element: UInt32 = 0,
        from blank: Value
    ) -> Value? {
        var (value, size) = (blank, UInt32(MemoryLayout<Value>.size))
        let status = withUnsafeMutablePointer(to: &value) { get?(plugIn, id, scope, element, $0, &size) }
        return status == noErr && size == MemoryLayout<Value>.size ? value : nil
    }

    /// At most `most` numbers.
    func numbers(_ id: AudioUnitPropertyID, _ scope: AudioUnitScope, most: Int = 1024) -> [UInt32] {
        var numbers = Array(repeating: UInt32(0), count: most), size = UInt32(4 * most)
        guard let get, get(plugIn, id, scope, 0, &numbers, &size) == noErr else { return [] }
        return Array(numbers.prefix(min(Int(size) / 4, most)))
    }

    func setProperty<Value>(
        _ id: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: UInt32, _ value: Value
    ) -> OSStatus {
        withUnsafeBytes(of: value) {
            set?(plugIn, id, scope, element, $0.baseAddress, UInt32($0.count)) ?? kAudio_UnimplementedError
        }
    }

    // MARK: Any thread, the render thread included

    func parameter(_ id: AudioUnitParameterID) -> AUValue {
        var value: Float = 0
        return getValue?(plugIn, id, kAudioUnitScope_Global, 0, &value) == noErr ? value : 0
    }

    func setParameter(_ id: AudioUnitParameterID, _ value: AUValue, offset: UInt32 = 0) {
        _ = setValue?(plugIn, id, kAudioUnitScope_Global, 0, value, offset)
    }

    func send(_ bytes: (UInt8, UInt8, UInt8), offset: UInt32) {
        _ = message?(plugIn, UInt32(bytes.0), UInt32(bytes.1), UInt32(bytes.2), offset)
    }

    func render(
        _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>, _ time: UnsafePointer<AudioTimeStamp>, _ bus: Int,
        _ frames: AUAudioFrameCount, _ list: UnsafeMutablePointer<AudioBufferList>
    ) -> OSStatus {
        rendering?(plugIn, flags, time, UInt32(truncatingIfNeeded: bus), frames, list) ?? kAudio_UnimplementedError
    }
}
