import Testing
@testable import OssicleSpatial

@Suite struct EngineTimeTests {
    @Test func `a sample time at another rate is converted, one at rate 0 counts engine frames`() {
        #expect(EngineTime.sample(44_100, rate: 44_100).frame(after: 0, rate: 48_000, isManual: true) == 48_000)
        #expect(EngineTime.sample(500, rate: 0).frame(after: 0, rate: 48_000, isManual: true) == 500)
    }

    @Test func `a time that has passed is the next frame`() {
        #expect(EngineTime.sample(500, rate: 48_000).frame(after: 1000, rate: 48_000, isManual: true) == 1000)
        #expect(EngineTime.host(seconds: 0).frame(after: 1000, rate: 48_000, isManual: false) == 1000)
    }

    @Test func `in manual rendering host time counts from frame 0`() {
        #expect(EngineTime.host(seconds: 0.5).frame(after: 0, rate: 48_000, isManual: true) == 24_000)
    }

    @Test func `numbers beyond an Int64 become the nearest there is`() {
        #expect(Int64(nearest: 1e30) == .max && Int64(nearest: -1e30) == .min && Int64(nearest: .nan) == 0)
        #expect(Int64(nearest: 2.5) == 3)
    }
}
