import OssiclePlayback
import Testing
@testable import OssicleSpatial

@Suite struct EngineTimeTests {
    private let rendered = RenderClock()

    @Test func `a sample time at another rate is converted, one at rate 0 counts engine frames`() {
        #expect(EngineTime.sample(44_100, rate: 44_100).frame(after: 0, rate: 48_000, clock: rendered) == 48_000)
        #expect(EngineTime.sample(500, rate: 0).frame(after: 0, rate: 48_000, clock: rendered) == 500)
    }

    @Test func `a time that has passed is the next frame`() {
        #expect(EngineTime.sample(500, rate: 48_000).frame(after: 1000, rate: 48_000, clock: rendered) == 1000)
        #expect(EngineTime.host(0).frame(after: 1000, rate: 48_000, clock: rendered) == 1000)
    }

    @Test func `in manual rendering host time counts from frame 0`() {
        #expect(EngineTime.host(500_000_000).frame(after: 0, rate: 48_000, clock: rendered) == 24_000)
    }

    @Test func `at a device, a host time is the frame that the device takes then, once it has stated one`() {
        let clock = RenderClock(), time = EngineTime.host(3_000_000_000)
        clock.presume(frame: 480, rate: 48_000, hostTime: 2_000_000_000)
        #expect(!time.isDefinite(clock) && EngineTime.sample(0, rate: 0).isDefinite(clock))
        clock.anchor(frame: 480, rate: 48_000, hostTime: 2_500_000_000)
        #expect(time.isDefinite(clock) && time.frame(after: 0, rate: 48_000, clock: clock) == 480 + 24_000)
    }

    @Test func `numbers beyond an Int64 become the nearest there is`() {
        #expect(Int64(nearest: 1e30) == .max && Int64(nearest: -1e30) == .min && Int64(nearest: .nan) == 0)
        #expect(Int64(nearest: 2.5) == 3)
    }
}
