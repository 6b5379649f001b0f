@testable import OssicleDevices
import Foundation
import Synchronization
import Testing

@Suite struct NullInputTests {
    @Test("The null input hands over whole blocks of silence whose times follow the clock, and after stop none")
    func delivers() throws {
        let input = try PortInput(.silence, FormatWishes(sampleRate: 48000, channelCount: 2, quantum: 480))
        let blocks = Mutex<[(frames: Int, time: UInt64, isSilent: Bool)]>([])
        let enough = DispatchSemaphore(value: 0)
        let events = Mutex<[DeviceEvent]>([])
        let begin = HostClock.now
        try input.start(
            receive: { block in
                let entry = (
                    block.frameCount, block.hostTime,
                    block[1].allSatisfy { $0 == 0 } && block[1].count == 480 && block[2].isEmpty
                )
                if blocks.withLock({
                    $0.append(entry); return $0.count
                }) == 5 {
                    enough.signal()
                }
            }, events: { event in events.withLock { $0.append(event) } })
        #expect(throws: DeviceError.alreadyRunning(device: "null input")) { try input.start { _ in } }
        #expect(enough.wait(timeout: .now() + 60) == .success)
        #expect(input.stop())
        let heard = blocks.withLock { $0 }
        #expect(heard.allSatisfy { $0.frames == 480 && $0.isSilent })
        #expect(zip(heard, heard.dropFirst()).allSatisfy { $1.time - $0.time == 10_000_000 })
        #expect(heard[0].time >= begin)
        #expect(events.withLock { $0 } == [.started, .stopped])
        #expect(blocks.withLock { $0.count } == heard.count)
    }

    @Test(
        "A callback that hangs does not hang stop; the device starts again meanwhile, and the old thread ends when it can"
    )
    func hangs() throws {
        let input = try PortInput(.silence)
        let (entered, release, ended) = (
            DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        try input.start(
            receive: { _ in
                entered.signal()
                release.wait()
            }, events: { if $0 == .stopped { ended.signal() } })
        #expect(entered.wait(timeout: .now() + 60) == .success)
        #expect(!input.stop())
        try input.start { _ in }
        #expect(input.stop())
        release.signal()
        #expect(ended.wait(timeout: .now() + 60) == .success)
    }

    @Test(
        "Host times move by seconds and never out of range",
        arguments: [
            (1_000, 1e-6, 2_000), (1_000, -1e-6, 0), (1_000, -1.0, 0), (5, Double.nan, 5),
            (UInt64.max, 1e300, UInt64.max),
        ])
    func times(time: UInt64, seconds: Double, expected: UInt64) {
        #expect(HostClock.time(time, movedBy: seconds) == expected)
    }
}
