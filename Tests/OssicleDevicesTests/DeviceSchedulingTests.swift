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
}
