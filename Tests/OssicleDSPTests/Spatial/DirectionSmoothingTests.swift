import Foundation
import OssicleCore
import OssicleDSP
import Testing

/// A head's filters and delays on their way to a direction.
@Suite("The binaural voice that follows a direction") final class DirectionSmoothingTests {
    private let head: HRTFFilters
    private let ones = [Float](repeating: 1, count: 128)
    private let (from, to) = (SIMD3<Float>(-1, 0, 0), SIMD3<Float>(0.3, 0.4, -0.5))

    init() throws { head = try HRTFFilters(sampleRate: 48_000) }

    /// A voice that has sounded from `from`.
    private func bench() -> EarsBench {
        let bench = EarsBench(tapCount: head.tapCount)
        bench.ears.turn(to: from, in: head.table)
        _ = bench.render(ones + ones, ones + ones)
        return bench
    }

    /// Three one-pole low-passes with share s have the impulse response C(k + 2, 2) s³ (1 − s)ᵏ.
    @Test("has its delays on the step response of three low-passes of 5 ms")
    func delays() {
        let bench = bench()
        let (start, end) = (HeadResponse(head, from).delays, HeadResponse(head, to).delays)
        let share = 128.0 / (128 + 240)
        var reached = 0.0
        for step in 0..<40 {
            let k = Double(step)
            reached += (k + 1) * (k + 2) / 2 * pow(share, 3) * pow(1 - share, k)
            let delays = bench.ears.follow(to, in: head.table, frames: 128)
            let wanted = SIMD2<Double>(start) + SIMD2<Double>(end - start) * reached
            #expect(
                abs(Double(delays.left) - wanted.x) < 1e-4 && abs(Double(delays.right) - wanted.y) < 1e-4,
                "step \(step)")
        }
    }

    @Test("has its filters on the step response of one low-pass of 5 ms")
    func filters() {
        let bench = bench()
        let (old, new) = (HeadResponse(head, from).left.reduce(0, +), HeadResponse(head, to).left.reduce(0, +))
        for step in 0..<20 {
            _ = bench.ears.follow(to, in: head.table, frames: 128)
            // What comes out is the quantum before, whose first frame has its first filters.
            let first = bench.render(ones, ones).left[0]
            let expected = step < 2 ? old : old + (new - old) * Float(1 - pow(240.0 / 368, Double(step - 1)))
            #expect(abs(first - expected) < 1e-4, "step \(step)")
        }
    }

    @Test("arrives, and then costs nothing", arguments: [128, 64])
    func arrives(step: Int) {
        let bench = bench()
        var frames = 0
        while frames == 0 || !bench.ears.isSettled, frames < 48_000 {
            _ = bench.ears.follow(to, in: head.table, frames: step)
            _ = bench.render(Array(ones[..<step]), Array(ones[..<step]))
            frames += step
        }
        let silence = [Float](repeating: 0, count: 128 - frames % 128 + 512)
        _ = bench.render(silence, silence)
        let response = HeadResponse(head, to)
        let delays = bench.ears.follow(to, in: head.table, frames: 128)
        #expect(frames < 48_000 / 8 && delays.left == response.delays.x && delays.right == response.delays.y)
        var impulse = [Float](repeating: 0, count: 512)
        impulse[0] = 1
        let heard = bench.render(impulse, impulse).left
        for (k, tap) in response.left.enumerated() { #expect(abs(heard[BinauralMix.latency + k] - tap) < 1e-6) }
    }
}
