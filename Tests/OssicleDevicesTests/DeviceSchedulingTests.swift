@testable import OssicleDevices
import Foundation
import Synchronization
import Testing

@Suite struct DeviceSchedulingTests {
    @Test("What was obtained passes through a meter as it is, and reads well")
    func words() {
        let samples = [
            (DeviceScheduling(), "ordinary"), (DeviceScheduling(kind: .favoured, level: -11), "nice -11"),
            (DeviceScheduling(kind: .realTime, level: 10, isLocked: true), "real time, priority 10, memory locked"),
            (DeviceScheduling(kind: .realtimeKit, level: 99), "real time, priority 99 (RealtimeKit)"),
        ]
        for (scheduling, text) in samples {
            #expect(DeviceScheduling(word: scheduling.word) == scheduling && scheduling.description == text)
        }
    }

    @Test("A trial gets what the thread of a device gets")
    func trial() {
        let isDone = Mutex<DeviceScheduling?>(nil)
        let thread = Thread {
            let scheduling = DeviceScheduling.obtain()
            DeviceScheduling.leave()
            isDone.withLock { $0 = scheduling }
        }
        thread.start()
        #expect(eventually { isDone.withLock { $0 } != nil })
        #expect(isDone.withLock { $0 } == DeviceScheduling.trial())
    }

    @Test("A thread that computes for longer than real time may last goes on as an ordinary one")
    func limit() {
        let isDone = Mutex<DeviceScheduling?>(nil)
        let thread = Thread {
            let scheduling = DeviceScheduling.obtain()
            let end = HostClock.now + 300_000_000
            while HostClock.now < end {}
            DeviceScheduling.leave()
            isDone.withLock { $0 = scheduling }
        }
        thread.start()
        for _ in 0..<2000 where isDone.withLock({ $0 == nil }) { Thread.sleep(forTimeInterval: 0.01) }
        #expect(isDone.withLock { $0 != nil })
    }

    /// In a process of its own, which loses its rights: the bus is looked for by its environment, and the limit that
    /// RealtimeKit demands stays for good.
    @Test(
        "RealtimeKit grants real time; where it refuses, is silent or is not there, the thread goes on without, at once",
        arguments: FakeRealtimeKit.Manner.allCases)
    func realtimeKit(manner: FakeRealtimeKit.Manner) async throws {
        let kit = try FakeRealtimeKit(manner)
        defer { kit.stop() }
        let address = kit.address
        let isGranted = manner == .grants && FakeRealtimeKit.canGrant
        await #expect(processExitsWith: .success) { [address = address as String, isGranted = isGranted as Bool] in
            let outcome = Outcome(bus: address)
            // A second each for the bus and the service is generous; libdbus's own patience is 25.
            exit(outcome.scheduling.kind == (isGranted ? .realtimeKit : .ordinary) && outcome.seconds < 2 ? 0 : 1)
        }
        let isCalled = kit.lastRequest.map { $0.thread > 0 && $0.priority == 10 } ?? false
        #expect(isCalled == (manner != .busHangs))
    }

    /// What a thread without rights obtains, and how long that takes.
    private struct Outcome {
        private(set) var scheduling = DeviceScheduling()
        private(set) var seconds = 0.0

        init(bus address: String) {
            setenv("DBUS_SYSTEM_BUS_ADDRESS", address, 1)
            var none = rlimit(rlim_cur: 0, rlim_max: 0)
            setrlimit(__rlimit_resource_t(__RLIMIT_RTPRIO.rawValue), &none)
            setrlimit(__rlimit_resource_t(__RLIMIT_NICE.rawValue), &none)
            _ = setuid(65534)
            let result = Mutex<(DeviceScheduling, UInt64)?>(nil)
            let done = DispatchSemaphore(value: 0)
            let thread = Thread {
                let begin = HostClock.now
                let scheduling = DeviceScheduling.obtain()
                result.withLock { $0 = (scheduling, HostClock.now - begin) }
                DeviceScheduling.leave()
                done.signal()
            }
            thread.start()
            done.wait()
            if let (scheduling, nanoseconds) = result.withLock({ $0 }) {
                (self.scheduling, seconds) = (scheduling, Double(nanoseconds) / 1e9)
            }
        }
    }
}
