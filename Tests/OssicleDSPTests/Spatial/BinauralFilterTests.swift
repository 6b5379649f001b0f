import Foundation
import OssicleCore
import OssicleDSP
import Testing

/// Keeps the head alive beyond every render, as the engine does.
@Suite("The binaural voice") final class HeadRendererTests {
    private let head: HRTFFilters

    init() throws { head = try HRTFFilters(sampleRate: 48_000) }

    /// Renders `left`/`right` cut into blocks of the given lengths (repeated), turning at the given frames.
    private func render(
        _ left: [Float], _ right: [Float], cuts: [Int], turns: [Int: SIMD3<Float>]
    ) -> (left: [Float], right: [Float]) {
        var voice = BinauralFilter(tapCount: head.tapCount)
        return render(&voice, left, right, cuts: cuts, turns: turns)
    }

    private func render(
        _ voice: inout BinauralFilter, _ left: [Float], _ right: [Float], cuts: [Int],
        turns: [Int: SIMD3<Float>]
    ) -> (left: [Float], right: [Float]) {
        var l = [Float](repeating: 0, count: left.count), r = l
        var position = 0, cut = 0
        while position < left.count {
            if let direction = turns[position] { voice.turn(to: direction, in: head.table) }
            let toTurn = turns.keys.filter { $0 > position }.min() ?? left.count
            let frames = min(cuts[cut % cuts.count], toTurn - position)
            left.withUnsafeBufferPointer { x in
                right.withUnsafeBufferPointer { y in
                    l.withUnsafeMutableBufferPointer { a in
                        r.withUnsafeMutableBufferPointer { b in
                            guard let x = x.baseAddress, let y = y.baseAddress, let a = a.baseAddress,
                                let b = b.baseAddress
                            else { return }
                            voice.process(
                                left: x + position, right: y + position, addingToLeft: a + position,
                                right: b + position, frames: frames)
                        }
                    }
                }
            }
            position += frames
            cut += 1
        }
        return (l, r)
    }

    private let path: [Int: SIMD3<Float>] = [
        0: SIMD3(0, 0, -1), 128: SIMD3(1, 0, -1), 256: SIMD3(1, 0, 0), 640: SIMD3(-1, 1, 0), 700: SIMD3(0, 1, 1),
        720: SIMD3(0, 0, 1),
    ]

    @Test(
        "gives the same bytes however blocks are cut, at rest and while it turns",
        arguments: [[1], [64], [127], [1, 63, 64], [17, 111], [1000], [4096]])
    func cuts(_ cuts: [Int]) {
        let (x, y) = (noise(2048), noise(2048, seed: 2))
        let whole = render(x, y, cuts: [128], turns: path)
        let parts = render(x, y, cuts: cuts, turns: path)
        #expect(whole.left == parts.left && whole.right == parts.right)
    }

    @Test("answers an impulse with the filters of its direction, adding to what is there")
    func impulse() {
        var impulse = [Float](repeating: 0, count: 256)
        impulse[5] = 1
        let direction = SIMD3<Float>(0.3, 0.2, -0.9)
        let (left, right) = render(impulse, impulse, cuts: [100], turns: [0: direction])
        let response = HeadResponse(head, direction)
        #expect(Array(left[5..<133]) == response.left && Array(right[5..<133]) == response.right)
        #expect(left[..<5].allSatisfy { $0 == 0 } && left[133...].allSatisfy { $0 == 0 })
    }

    @Test("fades linearly from the old filters to the new over 128 frames")
    func fade() {
        let ones = [Float](repeating: 1, count: 1024)
        let (from, to) = (SIMD3<Float>(-1, 0, 0), SIMD3<Float>(1, 0.5, 0))
        let (left, _) = render(ones, ones, cuts: [128], turns: [0: from, 512: to])
        let (old, new) = (HeadResponse(head, from).left.reduce(0, +), HeadResponse(head, to).left.reduce(0, +))
        for frame in 512..<640 {
            let expected: Float = old + (new - old) * (Float(frame - 512) / 128)
            #expect(abs(left[frame] - expected) < 1e-4)
        }
        #expect(abs(left[640] - new) < 1e-4)
    }

    @Test("turns without a click: no spurious component above −70 dB beside a 500 Hz tone, one full circle in a second")
    func clickFree() {
        let count = 48_000
        let tone = (0..<count).map { Float(sin(2 * Double.pi * 500 / 48_000 * Double($0))) }
        let circle = Dictionary(
            uniqueKeysWithValues: stride(from: 0, to: count, by: 128).map { frame in
                (frame, SIMD3<Float>(HeadDirection.vector(azimuth: 360 * Double(frame) / Double(count), elevation: 0)))
            })
        let (left, _) = render(tone, tone, cuts: [128], turns: circle)
        // Fourth differences annul the slow changes of a 500 Hz tone ((ω/fs)⁴ ≈ −95 dB) and pass what a step leaves
        // behind.
        var worst: Float = 0
        for i in 2000..<count - 4 {
            let (near, far) = (left[i - 1] + left[i + 1], left[i - 2] + left[i + 2])
            worst = max(worst, abs(6 * left[i] - 4 * near + far))
        }
        #expect(20 * log10(worst) < -70, "\(20 * log10(worst)) dB")
    }

    @Test("after reset sounds like a new one, and silence stays silence")
    func reset() {
        let (x, y) = (noise(1024), noise(1024, seed: 2))
        var voice = BinauralFilter(tapCount: head.tapCount)
        let first = render(&voice, x, y, cuts: [128], turns: path)
        voice.reset()
        let second = render(&voice, x, y, cuts: [128], turns: path)
        #expect(first.left == second.left && first.right == second.right)
        let silence = [Float](repeating: 0, count: 512)
        #expect(render(silence, silence, cuts: [128], turns: path).left.allSatisfy { $0 == 0 })
    }

    @Test("a head of another filter length is not taken")
    func otherHead() throws {
        var voice = BinauralFilter(tapCount: 64)
        let delays = voice.turn(to: SIMD3(1, 0, 0), in: head.table)
        #expect(delays.left == 0 && delays.right == 0)
        let (left, _) = render(&voice, noise(256), noise(256), cuts: [128], turns: [:])
        #expect(left.allSatisfy { $0 == 0 })
    }
}
