import OssicleAudioToolbox
import OssicleCoreAudioTypes
import OssicleRender
import Synchronization

/// Who is told before and after each cycle of a unit.
final class RenderObservers: @unchecked Sendable {
    enum Body {
        case block(AURenderObserver)
        case callback(AURenderCallback, UnsafeMutableRawPointer?)
    }

    private struct Entry {
        let token: Int
        let body: Body
    }

    private let entries = Published<[Entry]>([])
    private let count = Atomic(0)
    private let tokens = Atomic(0)

    func add(_ body: Body) -> Int {
        let token = tokens.wrappingAdd(1, ordering: .relaxed).newValue
        change { $0.append(Entry(token: token, body: body)) }
        return token
    }

    func remove(_ token: Int) {
        change { $0.removeAll { $0.token == token } }
    }

    private func change(_ edit: (inout [Entry]) -> Void) {
        entries.change {
            edit(&$0)
            count.store($0.count, ordering: .releasing)
        }
    }

    /// Render side. Without observers it costs one load.
    func call(
        _ flags: AudioUnitRenderActionFlags, _ time: UnsafePointer<AudioTimeStamp>, _ frames: AUAudioFrameCount,
        _ bus: Int,
        _ data: UnsafeMutablePointer<AudioBufferList>
    ) {
        guard count.load(ordering: .acquiring) > 0 else { return }
        entries.read { entries in
            ClientCode.run {
                for index in 0..<entries.count { Self.call(entries[index].body, flags, time, frames, bus, data) }
            }
        }
    }

    private static func call(
        _ body: Body, _ flags: AudioUnitRenderActionFlags, _ time: UnsafePointer<AudioTimeStamp>,
        _ frames: AUAudioFrameCount, _ bus: Int,
        _ data: UnsafeMutablePointer<AudioBufferList>
    ) {
        switch body {
        case .block(let block): block(flags, time, frames, bus)
        case .callback(let function, let reference):
            var own = flags
            _ = function(CReference.pass(reference), &own, time, UInt32(truncatingIfNeeded: bus), frames, data)
        }
    }
}

/// The first argument of C callbacks, which is declared to be there, and which clients leave out.
enum CReference {
    static func pass(_ reference: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer {
        unsafeBitCast(reference, to: UnsafeMutableRawPointer.self)
    }

    /// What tells callbacks apart: the addresses of code and captured values, and the reference. By way of the
    /// structure, because a generic function takes a bare function wrapped anew each time.
    static func bits(
        _ function: @escaping AURenderCallback, _ reference: UnsafeMutableRawPointer?
    ) -> InlineArray<3, UInt> {
        unsafeBitCast(
            AURenderCallbackStruct(inputProc: function, inputProcRefCon: reference), to: InlineArray<3, UInt>.self)
    }
}
