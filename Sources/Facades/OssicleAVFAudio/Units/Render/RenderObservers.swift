import OssicleAudioToolbox
import OssicleCoreAudioTypes
import OssicleRender
import Synchronization

/// Who is told before and after each cycle of a unit.
final class RenderObservers: Sendable {
    /// A client's block, which it gave us to call on the render thread.
    private struct Entry: @unchecked Sendable {
        let token: Int
        let body: AURenderObserver
    }

    private let entries = Mutex<[Entry]>([])
    private let count = Atomic(0)
    private let tokens = Atomic(0)

    func add(_ observer: @escaping AURenderObserver) -> Int {
        let entry = Entry(token: tokens.wrappingAdd(1, ordering: .relaxed).newValue, body: observer)
        change { $0.append(entry) }
        return entry.token
    }

    func remove(_ token: Int) {
        change { $0.removeAll { $0.token == token } }
    }

    private func change(_ edit: (inout [Entry]) -> Void) {
        entries.withLock { entries in
            edit(&entries)
            count.store(entries.count, ordering: .releasing)
        }
    }

    /// Render side. Without observers it costs one load.
    func call(_ flags: AudioUnitRenderActionFlags, _ time: UnsafePointer<AudioTimeStamp>, _ frames: AUAudioFrameCount, _ bus: Int) {
        guard count.load(ordering: .acquiring) > 0 else { return }
        let now = entries.withLock { $0 }
        ClientCode.run { for entry in now { entry.body(flags, time, frames, bus) } }
    }
}
