import OssicleCore
import Testing
@testable import OssicleSpatial

@Suite struct PositionHistoryTests {
    private let pace = PositionHistory.Pace(sampleRate: 48_000, unknown: 512, slack: 0)
    /// Frames of a step.
    private let step = 512
    /// Metres of one.
    private let length = 0.05

    private func pose(_ x: Double) -> Pose { Pose(position: Vector(x, 0, -3)) }

    /// So many steps along x.
    private func history(steps: Int) -> PositionHistory {
        var history = PositionHistory(pose(0), at: 0)
        for number in 1...steps { history.follow(pose(Double(number) * length), at: Int64(number * step), pace) }
        return history
    }

    /// A steady motion is even, one step late: x(t) = v (t − one step), by the definition of the curve. For a second
    /// back whatever the ring has dropped since.
    @Test(arguments: [3, 40, 64, 130, 400]) func `a steady motion is known for a second back`(steps: Int) {
        let history = self.history(steps: steps)
        let now = Double(steps * step)
        for back in stride(from: 0.0, through: min(48_000, now - 2 * Double(step)), by: 97) {
            let expected = (now - back - Double(step)) / Double(step) * length
            let (place, motion) = (history.place(at: now - back), history.motion(at: now - back))
            #expect(abs(place.x - expected) < 1e-9 && place == motion.place)
            #expect(abs(motion.velocity.x - length / Double(step)) < 1e-12)
        }
        let (leaps, known) = (history.leaps, history.isKnownUntil)
        #expect(leaps == 0 && known == now + Double(step))
    }

    @Test func `a second step at the same moment takes the place of the first`() {
        var once = history(steps: 20)
        var twice = history(steps: 20)
        let now = Int64(21 * step)
        once.follow(pose(21 * length), at: now, pace)
        twice.follow(Pose(position: Vector(20 * length, 0.3, -3)), at: now, pace)
        twice.follow(pose(21 * length), at: now, pace)
        for time in stride(from: 0.0, through: 22 * 512, by: 61) {
            let (first, second) = (once.place(at: time), twice.place(at: time))
            #expect(first == second)
        }
        let (first, second) = (once.restsFrom, twice.restsFrom)
        #expect(first == second)
    }

    @Test func `a leap has no past, until another pose at the same moment undoes it`() {
        var history = self.history(steps: 20)
        let now = Int64(21 * step)
        let past = history.place(at: 5000)
        history.follow(pose(1000), at: now, pace)
        let (leapt, leaps) = (history.place(at: 5000), history.leaps)
        #expect(leaps == 1 && leapt == Vector(1000, 0, -3))
        history.follow(pose(21 * length), at: now, pace)
        let undone = history.place(at: 5000)
        #expect(undone == past)
        history.follow(pose(2000), at: now, pace)
        history.follow(pose(2000.01), at: now + 512, pace)
        let forgotten = history.place(at: 5000)
        #expect(forgotten == Vector(2000, 0, -3))
    }

    /// A quarter of a turn about y, in steps of 1°, one step late.
    @Test func `axes turn with a steady rotation`() {
        func turned(_ degrees: Double) -> Pose {
            let (c, s) = (DeterministicMath.cos(degrees * .pi / 180), DeterministicMath.sin(degrees * .pi / 180))
            return Pose(right: Vector(c, 0, -s), up: Vector(0, 1, 0), back: Vector(s, 0, c))
        }
        var history = PositionHistory(turned(0), at: 0)
        for number in 1...90 { history.follow(turned(Double(number)), at: Int64(number * step), pace) }
        var pose = Pose.identity
        let time = 60.5 * Double(step)
        let isAnother = history.setPose(&pose, at: time, history.place(at: time))
        #expect(isAnother && (pose.right - turned(59.5).right).magnitude < 1e-6)
        let turnsOn = history.setPose(&pose, at: .infinity, .zero)
        let stays = !history.setPose(&pose, at: .infinity, .zero)
        #expect(turnsOn && stays && pose == turned(90))
    }
}

@Suite struct PlainRingTests {
    @Test func `values come in their order while the ring turns and grows`() {
        var ring = PlainRing<Int>()
        var expected: [Int] = []
        for number in 0..<200 {
            ring.append(number)
            expected.append(number)
            if number % 3 == 0 {
                ring.removeFirst()
                expected.removeFirst()
            }
            if number % 7 == 0, !expected.isEmpty {
                ring.removeLast()
                expected.removeLast()
            }
            var values: [Int] = []
            for place in 0..<ring.count { if let value = ring[place] { values.append(value.pointee) } }
            #expect(values == expected)
        }
        let beyond = (ring[ring.count], ring[-1])
        #expect(beyond.0 == nil && beyond.1 == nil)
    }
}
