import Dispatch
import Foundation
import Synchronization

/// Looks for a device where there is none, until one can be opened: four times a second, and where a sound server runs
/// that has no device, whenever it says that something came.
///
/// Ends with the device it found, with `stop`, or when it is released.
package final class DeviceSearch: Sendable {
    /// Seconds between two looks.
    static let interval = 0.2
    /// The same while a server watches as well.
    private static let watchedInterval = 2.0

    /// What the thread and the owner share.
    private final class State: Sendable {
        let isOver = Atomic(false)
        let wake = DispatchSemaphore(value: 0)
        let hasLostWatch = Atomic(false)

        /// False once the search is over.
        func sleep(_ seconds: Double) -> Bool {
            _ = wake.wait(timeout: .now() + seconds)
            // One look answers everything that was heard until now.
            while wake.wait(timeout: .now()) == .success {}
            return !isOver.load(ordering: .acquiring)
        }
    }

    private let state = State()

    /// - Parameters:
    ///   - open: opens the device, or throws as long as there is none; on the search's thread.
    ///   - found: gets the device, once; on the same thread.
    package init<Device>(
        open: @escaping @Sendable () throws -> Device, found: @escaping @Sendable (Device) -> Void
    ) {
        let state = state
        let thread = Thread {
            var watch: DeviceWatch?
            while state.sleep(watch == nil ? DeviceSearch.interval : DeviceSearch.watchedInterval) {
                if state.hasLostWatch.exchange(false, ordering: .acquiring) { watch = nil }
                do {
                    let device = try open()
                    watch = nil
                    if !state.isOver.load(ordering: .acquiring) { found(device) }
                    return
                } catch DeviceError.noDevice {
                    watch = watch ?? DeviceSearch.watch(for: state)
                } catch {
                    watch = nil
                }
            }
        }
        thread.name = "ossicle.search"
        thread.start()
    }

    deinit { stop() }

    /// Nothing is found any more. Does not wait for a look that is under way.
    package func stop() {
        state.isOver.store(true, ordering: .releasing)
        state.wake.signal()
    }

    /// Has the server wake the thread: when the watch begins, as something may have come before, and at every change.
    private static func watch(for state: State) -> DeviceWatch? {
        guard let watch = try? DeviceWatch() else { return nil }
        do {
            try watch.start { event in
                if case .lost = event { state.hasLostWatch.store(true, ordering: .releasing) }
                state.wake.signal()
            }
            return watch
        } catch {
            return nil
        }
    }
}
