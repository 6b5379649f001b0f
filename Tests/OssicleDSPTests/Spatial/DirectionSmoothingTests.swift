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
    private func voice() -> BinauralFilter {
        var voice = BinauralFilter(tapCount: head.tapCount)
        voice.turn(to: from, in: head.table)
        _ = sound(&voice, ones + ones)
        return voice
    }

    /// The left ear.
    private func sound(_ voice: inout BinauralFilter, _ input: [Float]) -> [Float] {
        var left = [Float](repeating: 0, count: input.count), right = left
        input.withUnsafeBufferPointer { x in
            left.withUnsafeMutableBufferPointer { l in
                right.withUnsafeMutableBufferPointer { r in
                    guard let x = x.baseAddress, let l = l.baseAddress, let r = r.baseAddress else { return }
                    voice.process(left: x, right: x, addingToLeft: l, right: r, frames: input.count)
                }
            }
        }
        return left
    }

    /// Three one-pole low-passes with share s have the impulse response C(k + 2, 2) s³ (1 − s)ᵏ.
    @Test("has its delays on the step response of three low-passes of 5 ms")
    func delays() {
        var voice = voice()
        let (start, end) = (HeadResponse(head, from).delays, HeadResponse(head, to).delays)
        let share = 128.0 / (128 + 240)
        var reached = 0.0
        for step in 0..<40 {
            let k = Double(step)
            reached += (k + 1) * (k + 2) / 2 * pow(share, 3) * pow(1 - share, k)
            let delays = voice.follow(to, in: head.table, frames: 128)
            let wanted = SIMD2<Double>(start) + SIMD2<Double>(end - start) * reached
            #expect(
                abs(Double(delays.left) - wanted.x) < 1e-4 && abs(Double(delays.right) - wanted.y) < 1e-4,
                "step \(step)")
        }
    }

    @Test("has its filters on the step response of one low-pass of 5 ms")
    func filters() {
        var voice = voice()
        let (old, new) = (HeadResponse(head, from).left.reduce(0, +), HeadResponse(head, to).left.reduce(0, +))
        for step in 0..<20 {
            _ = voice.follow(to, in: head.table, frames: 128)
            // The next filters are faded to from the first frame on, which is still that of the last ones.
            let first = sound(&voice, ones)[0]
            #expect(abs(first - (old + (new - old) * Float(1 - pow(240.0 / 368, Double(step))))) < 1e-4, "step \(step)")
        }
    }

    @Test("arrives to the bit, and then costs nothing", arguments: [128, 37])
    func arrives(step: Int) {
        var voice = voice()
        var frames = 0
        while frames == 0 || !voice.isSettled, frames < 48_000 {
            _ = voice.follow(to, in: head.table, frames: step)
            _ = sound(&voice, Array(ones[..<step]))
            frames += step
        }
        _ = sound(&voice, [Float](repeating: 0, count: 256))
        let response = HeadResponse(head, to)
        let delays = voice.follow(to, in: head.table, frames: 128)
        #expect(frames < 48_000 / 8 && delays.left == response.delays.x && delays.right == response.delays.y)
        var impulse = [Float](repeating: 0, count: 256)
        impulse[0] = 1
        #expect(Array(sound(&voice, impulse)[..<128]) == response.left)
    }
}
