import Foundation
import OssicleCore
import OssicleDSP
import OssicleTestSupport
import Testing

/// Keeps the head alive beyond every render, as the engine does.
@Suite("The ears of a binaural voice, and the mix they add to") final class BinauralEarsTests {
    private let head: HRTFFilters
    private static let latency = BinauralMix.latency

    init() throws { head = try HRTFFilters(sampleRate: 48_000) }

    /// Renders `left`/`right` cut into blocks of the given lengths (repeated), turning at the given frames.
    private func render(
        _ left: [Float], _ right: [Float], cuts: [Int], turns: [Int: SIMD3<Float>], on bench: EarsBench? = nil
    ) -> (left: [Float], right: [Float]) {
        let bench = bench ?? EarsBench(tapCount: head.tapCount)
        return bench.render(left, right, cuts: cuts) { frame, ears in
            if let direction = turns[frame] { ears.turn(to: direction, in: self.head.table) }
        }
    }

    /// The exact convolution, late by the mix's latency.
    private func convolved(_ x: [Float], _ taps: [Float]) -> [Double] {
        [Double](repeating: 0, count: Self.latency) + Signal.convolved(x, with: taps).dropLast(Self.latency)
    }

    private func level(_ x: [Double]) -> Double { 10 * log10(x.reduce(0) { $0 + $1 * $1 } / Double(x.count)) }

    @Test("filter like the convolution with the taps of their direction, a quantum later, to −120 dB")
    func convolution() {
        let (x, y) = (noise(2048), noise(2048, seed: 2))
        for direction in [SIMD3<Float>(0.3, 0.2, -0.9), SIMD3(-1, 0, 0), SIMD3(0.5, -0.5, 0.5)] {
            let (left, right) = render(x, y, cuts: [100], turns: [0: direction])
            let response = HeadResponse(head, direction)
            for (heard, wanted) in [(left, convolved(x, response.left)), (right, convolved(y, response.right))] {
                let error = zip(heard, wanted).map { Double($0) - $1 }
                #expect(level(error) - level(wanted) < -120, "\(level(error) - level(wanted)) dB")
            }
        }
    }

    @Test("do so with filters of any length, set as taps", arguments: [16, 64, 128, 129, 256, 1024])
    func tapCounts(_ count: Int) {
        let taps = (noise(count, seed: 3), noise(count, seed: 4))
        let bench = EarsBench(tapCount: count)
        bench.ears.setFilters(left: taps.0, right: taps.1)
        let (x, y) = (noise(4096), noise(4096, seed: 2))
        let (left, right) = bench.render(x, y, cuts: [37])
        for (heard, wanted) in [(left, convolved(x, taps.0)), (right, convolved(y, taps.1))] {
            let error = zip(heard, wanted).map { Double($0) - $1 }
            #expect(level(error) - level(wanted) < -120, "\(level(error) - level(wanted)) dB")
        }
    }

    @Test("of many voices add up, those that turn and those that rest")
    func sum() {
        let directions = (0..<5).map { SIMD3<Float>(Float($0) - 2, 1, -1) }
        let sounds = (0..<5).map { noise(1024, seed: UInt64($0 + 1)) }
        let turns: (Int) -> [Int: SIMD3<Float>] = { voice in
            voice < 3 ? [0: directions[voice]] : [0: directions[voice], 384: -directions[voice]]
        }
        var wanted = [Double](repeating: 0, count: 1024)
        for voice in 0..<5 {
            let alone = render(sounds[voice], sounds[voice], cuts: [128], turns: turns(voice)).left
            for i in wanted.indices { wanted[i] += Double(alone[i]) }
        }
        let mix = EarsBench.Mix(tapCount: head.tapCount)
        let voices = (0..<5).map { _ in EarsBench(tapCount: head.tapCount, addingTo: mix) }
        let heard = stride(from: 0, to: 1024, by: 128).flatMap { start in
            voices.indices.map { voice in
                let sound = Array(sounds[voice][start..<start + 128])
                return voices[voice].render(sound, sound, plays: voice == 4) { _, ears in
                    if let direction = turns(voice)[start] { ears.turn(to: direction, in: self.head.table) }
                }.left
            }[4]
        }
        let error = zip(heard, wanted).map { Double($0) - $1 }
        #expect(level(error) - level(wanted) < -120, "\(level(error) - level(wanted)) dB")
    }

    @Test("that add to several outputs give each the bytes of one alone, at rest, turning and following")
    func outputs() {
        let bench = EarsBench(tapCount: head.tapCount)
        let common = BinauralMix(tapCount: head.tapCount)
        let tap = BinauralMix(tapCount: head.tapCount)
        var ears = BinauralEars(tapCount: head.tapCount)
        let sound = noise(128 * 24)
        var (left, right) = ([Float](repeating: 0, count: 128), [Float](repeating: 0, count: 128))
        for start in stride(from: 0, to: sound.count, by: 128) {
            let quantum = Array(sound[start..<start + 128])
            let direction = SIMD3<Float>(Float(start / 128 % 7) - 3, 0.5, -1)
            func turn(_ ears: inout BinauralEars) {
                // At rest, then jumps, then a way.
                if start / 128 % 8 == 2 { ears.turn(to: direction, in: head.table) }
                if start / 128 > 12 { _ = ears.follow(direction, in: head.table, frames: 128) }
            }
            let alone = bench.render(quantum, quantum) { _, ears in turn(&ears) }
            turn(&ears)
            for i in 0..<128 { (ears.leftInput(0)[i], ears.rightInput(0)[i]) = (quantum[i], quantum[i]) }
            ears.process(offset: 0, 128, addingTo: BinauralTargets(common: common.sums, tap: tap.sums))
            for mix in 0..<2 {
                (left, right) = ([Float](repeating: 0, count: 128), [Float](repeating: 0, count: 128))
                if mix == 0 {
                    _ = common.play(addingToLeft: &left, right: &right, offset: 0, 128)
                } else {
                    _ = tap.play(addingToLeft: &left, right: &right, offset: 0, 128)
                }
                #expect(left == alone.left && right == alone.right, "frame \(start), output \(mix)")
            }
        }
    }

    private let path: [Int: SIMD3<Float>] = [
        0: SIMD3(0, 0, -1), 128: SIMD3(1, 0, -1), 256: SIMD3(1, 0, 0), 640: SIMD3(-1, 1, 0), 768: SIMD3(0, 1, 1),
        1024: SIMD3(0, 0, 1),
    ]

    @Test(
        "give the same bytes however blocks are cut, at rest and while they turn",
        arguments: [[1], [64], [127], [1, 63, 64], [17, 111], [1000], [4096]])
    func cuts(_ cuts: [Int]) {
        let (x, y) = (noise(2048), noise(2048, seed: 2))
        let whole = render(x, y, cuts: [128], turns: path)
        let parts = render(x, y, cuts: cuts, turns: path)
        #expect(whole.left == parts.left && whole.right == parts.right)
    }

    @Test("fade linearly from the old filters to the new over the quantum")
    func fade() {
        let ones = [Float](repeating: 1, count: 1024)
        let (from, to) = (SIMD3<Float>(-1, 0, 0), SIMD3<Float>(1, 0.5, 0))
        let (left, _) = render(ones, ones, cuts: [128], turns: [0: from, 512: to])
        let (old, new) = (HeadResponse(head, from).left.reduce(0, +), HeadResponse(head, to).left.reduce(0, +))
        for frame in 0..<128 {
            let expected: Float = old + (new - old) * (Float(frame) / 128)
            #expect(abs(left[512 + Self.latency + frame] - expected) < 1e-4)
        }
        #expect(abs(left[640 + Self.latency] - new) < 1e-4)
    }

    @Test("turn without a click: no spurious component above −70 dB beside a 500 Hz tone, one full circle in a second")
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

    @Test("after reset sound like new ones, and silence stays silence")
    func reset() {
        let (x, y) = (noise(1024), noise(1024, seed: 2))
        let bench = EarsBench(tapCount: head.tapCount)
        let first = render(x, y, cuts: [128], turns: path, on: bench)
        bench.reset()
        let second = render(x, y, cuts: [128], turns: path, on: bench)
        #expect(first.left == second.left && first.right == second.right)
        let silence = [Float](repeating: 0, count: 512)
        #expect(render(silence, silence, cuts: [128], turns: path).left.allSatisfy { $0 == 0 })
    }

    @Test("do not take a head of another filter length")
    func otherHead() throws {
        let bench = EarsBench(tapCount: 64)
        let delays = bench.ears.turn(to: SIMD3(1, 0, 0), in: head.table)
        #expect(delays.left == 0 && delays.right == 0)
        let (left, _) = bench.render(noise(256), noise(256))
        #expect(left.allSatisfy { $0 == 0 })
    }
}
