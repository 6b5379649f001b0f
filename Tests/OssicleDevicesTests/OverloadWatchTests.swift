import OssicleDevices
import Testing

@Suite struct OverloadWatchTests {
    /// Looks every 10 ms.
    private func follow(
        _ watch: inout OverloadWatch, from: Double, to: Double, lag: (Double) -> Double,
        dropouts: (Double) -> Int = { _ in 0 }
    ) -> [Double] {
        stride(from: from, to: to, by: 0.01).filter { watch.follow(lag: lag($0), dropouts: dropouts($0), at: $0) }
    }

    @Test func `an engine that falls behind is overloaded after a second of it, once`() {
        var watch = OverloadWatch()
        // 10 % too slow: 0.1 s behind after 1 s.
        let begins = follow(&watch, from: 0, to: 10) { 0.1 * $0 }
        #expect(begins.count == 1 && abs(begins[0] - 2) < 0.021)
        #expect(watch.isOverloaded && abs(watch.lag - 0.999) < 1e-6)
        #expect(watch.finding.contains("0.999 s behind"))
    }

    @Test func `one that catches up within a second is not`() {
        var watch = OverloadWatch()
        #expect(follow(&watch, from: 0, to: 5) { $0.truncatingRemainder(dividingBy: 1) < 0.9 ? 2 : 0 }.isEmpty)
        #expect(!watch.isOverloaded)
    }

    @Test func `an overload ends when the engine is in time again, and the next is another`() {
        var watch = OverloadWatch()
        let begins = follow(&watch, from: 0, to: 9) { $0 < 3 || $0 > 6 ? 1 : 0 }
        #expect(begins.count == 2 && abs(begins[0] - 1) < 0.011 && abs(begins[1] - 7) < 0.021)
        var calm = watch
        #expect(follow(&calm, from: 9, to: 9.1, lag: { _ in 0 }).isEmpty && !calm.isOverloaded && calm.lag == 0)
    }

    @Test func `two dropouts within a second are an overload, one is none`() {
        var watch = OverloadWatch()
        #expect(follow(&watch, from: 0, to: 10, lag: { _ in 0 }) { Int($0 / 2) }.isEmpty)
        #expect(!watch.isOverloaded)
        let begins = follow(&watch, from: 10, to: 11, lag: { _ in 0 }) { 4 + Int(($0 - 10) / 0.3) }
        #expect(begins.count == 1 && abs(begins[0] - 10.6) < 0.011)
        #expect(watch.finding.contains("times within a second"))
        #expect(follow(&watch, from: 11, to: 13, lag: { _ in 0 }) { _ in 7 }.isEmpty && !watch.isOverloaded)
    }

    @Test func `a device that is started anew counts its dropouts from the beginning`() {
        var watch = OverloadWatch()
        _ = watch.follow(lag: 0, dropouts: 1, at: 0)
        _ = watch.follow(lag: 0, dropouts: 0, at: 5)
        #expect(!watch.follow(lag: 0, dropouts: 1, at: 10) && watch.dropouts == 1)
    }

    @Test func `the lag is by how much a block comes after it is due`() {
        let lag = DeviceLag()
        lag.note(due: 2_000_000_000, now: 1_000_000_000)
        #expect(lag.seconds == 0)
        lag.note(due: 1_000_000_000, now: 1_250_000_000)
        #expect(lag.seconds == 0.25)
    }
}
