import COssicle
import Synchronization

/// What a device's thread does in real time, for RealtimeSanitizer to watch where it is part of the program
/// (`Scripts/realtime-check`): blocks cleared, interleaved and delivered, JACK's cycle, and the callbacks within. What
/// libpulse, ALSA and waiting do is outside.
package enum RealTimeWatch {
    private static let isOnFlag = Atomic(false)

    /// Off by default: what the runtime makes on first use has to be there before. From any thread.
    package static var isOn: Bool {
        get { isOnFlag.load(ordering: .relaxed) }
        set { isOnFlag.store(newValue, ordering: .relaxed) }
    }

    /// Runs `body` under watch. Without the sanitizer this is a load and a branch.
    @inline(__always)
    static func run(_ body: () -> Void) {
        guard isOn else { return body() }
        ossicle_rtsan_enter()
        body()
        ossicle_rtsan_exit()
    }
}
