import OssicleAudioToolbox
import OssicleCoreAudioTypes
import OssicleRender

/// Where the inputs of a unit come from, as the C interface sets it: a callback, another unit, or nowhere.
final class UnitInputs: @unchecked Sendable {
    /// The most inputs.
    static let capacity = 64
    enum Source {
        case none
        case callback(AURenderCallback, UnsafeMutableRawPointer?)
        case connection(AudioUnit, output: UInt32)

        init(_ data: AURenderCallbackStruct) {
            if let function = data.inputProc { self = .callback(function, data.inputProcRefCon) } else { self = .none }
        }
    }

    private let sources = Published<[Source]>(Array(repeating: .none, count: UnitInputs.capacity))
    /// The lists that `AudioUnitProcess` brings along; render side.
    private var given: UnsafeBufferPointer<UnsafePointer<AudioBufferList>>?
    /// Fetches input for the unit, on the render thread.
    private(set) var pull: AURenderPullInputBlock = { _, _, _, _, _ in kAudioUnitErr_NoConnection }

    init() {
        pull = { [unowned self] flags, time, frames, bus, list in fetch(flags, time, frames, bus, list) }
    }

    /// Takes effect with the next render call. Any thread but the render thread.
    func set(_ source: Source, at bus: Int) {
        if (0..<Self.capacity).contains(bus) { sources.change { $0[bus] = source } }
    }

    /// Render side: calls `body` while the lists stand in for all sources.
    func giving<Result>(_ lists: UnsafeBufferPointer<UnsafePointer<AudioBufferList>>, _ body: () -> Result) -> Result {
        let before = given
        given = lists
        defer { given = before }
        return body()
    }

    private func fetch(
        _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>, _ time: UnsafePointer<AudioTimeStamp>,
        _ frames: AUAudioFrameCount,
        _ bus: Int, _ list: UnsafeMutablePointer<AudioBufferList>
    ) -> AUAudioUnitStatus {
        if let given { return copy(given, bus, frames, to: list) }
        guard (0..<Self.capacity).contains(bus) else { return kAudioUnitErr_InvalidElement }
        return sources.read { sources in
            switch sources[bus] {
            case .none: return kAudioUnitErr_NoConnection
            case .callback(let function, let reference):
                return function(CReference.pass(reference), flags, time, UInt32(bus), frames, list)
            case .connection(let unit, let output):
                return UnitTable.shared.with(unit) { $0.render(flags, time, output, frames, list) }
                    ?? kAudioUnitErr_NoConnection
            }
        }
    }

    private func copy(
        _ lists: UnsafeBufferPointer<UnsafePointer<AudioBufferList>>, _ bus: Int, _ frames: AUAudioFrameCount,
        to list: UnsafeMutablePointer<AudioBufferList>
    ) -> AUAudioUnitStatus {
        guard lists.indices.contains(bus) else { return kAudioUnitErr_NoConnection }
        let source = UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: lists[bus]))
        let target = UnsafeMutableAudioBufferListPointer(list)
        guard source.count == target.count else { return kAudio_ParamError }
        for index in 0..<source.count {
            guard let from = source[index].mData, let to = target[index].mData else { return kAudio_ParamError }
            guard source[index].mDataByteSize >= target[index].mDataByteSize else { return kAudio_ParamError }
            to.copyMemory(from: from, byteCount: Int(target[index].mDataByteSize))
        }
        return noErr
    }
}
