import OssicleDevices
import OssiclePlayback
import OssicleTestSupport
import Testing

/// Host times of frames, and frames of host times.
@Suite struct RenderClockTests {
    @Test func `rendered time counts from frame 0`() {
        let clock = RenderClock()
        #expect(clock.hostTime(of: 4800, 48_000) == 100_000_000 && clock.frame(at: 100_000_000, 48_000) == 4800)
        #expect(!clock.isPresumed)
    }

    @Test func `a frame's host time and back is the frame, at any rate, before the anchor and behind it`() {
        let clock = RenderClock()
        clock.anchor(frame: 1_000_000, rate: 48_000, hostTime: 90_000_000_000)
        for frame: Int64 in [0, 999_999, 1_000_000, 1_000_001, 5_000_000] {
            #expect(clock.frame(at: clock.hostTime(of: frame, 48_000), 48_000) == frame)
            let other = frame * 44_100 / 48_000
            #expect(clock.frame(at: clock.hostTime(of: other, 44_100), 44_100) == other)
        }
        #expect(clock.hostTime(of: 1_048_000, 48_000) == 91_000_000_000)
    }

    @Test func `times that nothing has stay within what can be counted`() {
        let clock = RenderClock()
        clock.anchor(frame: 0, rate: 48_000, hostTime: 1_000)
        #expect(clock.hostTime(of: .min, 48_000) == 0 && clock.hostTime(of: .max, 1) > 1 << 62)
        #expect(clock.frame(at: .max, 48_000) > 1 << 40 && clock.frame(at: 0, 48_000) == 0)
    }

    @Test func `a session at a device gives frames the device's time, and keeps it when it is halted`() throws {
        let device = DrivenOutput(quantum: 256)
        let session = RenderSession()
        let atDevice = DeviceSession(device, of: session) { _, _, _ in }
        try atDevice.start()
        #expect(session.clock.isPresumed && session.captureClock.isPresumed)
        session.gate.openUp()
        for _ in 0..<100 {
            device.take(blocks: 1)
            let next = session.clock.hostTime(of: session.executor.position, 48_000)
            #expect(abs(Int64(bitPattern: next &- device.time(of: device.position))) < 10)
        }
        #expect(!session.clock.isPresumed)
        atDevice.halt()
        let last = session.clock.hostTime(of: session.executor.position, 48_000)
        #expect(abs(Int64(bitPattern: last &- device.time(of: device.position))) < 10)
    }
}
