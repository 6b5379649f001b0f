import Foundation
import OssicleCore
import OssicleDSP
import OssicleRender
import OssicleTestSupport
import Testing

/// One sound that moves around a head.
@Suite final class DirectionalVoiceTests {
    private static let rate = 48_000.0
    private let head: HRTFFilters
    private let cell: HRTFCell

    init() throws {
        head = try HRTFFilters(sampleRate: Self.rate)
        cell = HRTFCell(head)
    }

    deinit { cell.deallocate() }

    /// A sound at two metres, steered every quantum to where `way` is at the quantum's end, up to frame `end`.
    private func render(
        _ input: [Float], until end: Int, cuts: [Int] = [128], _ way: (Double) -> SIMD3<Float>
    ) -> [[Float]] {
        let bench = VoiceBench(cell, longestDelay: 1024)
        let signal = SampleBlock(input), (left, right) = (SampleBlock(input.count), SampleBlock(input.count))
        bench.voice.place(way(0), delay: 280, frames: 0, jumps: false)
        var (done, call) = (0, 0)
        while done < input.count {
            if done % 128 == 0, done < end {
                bench.voice.steer(to: way(Double(done + 128) / Self.rate), delay: 280, frames: 128)
            }
            let frames = min(cuts[call % cuts.count], input.count - done, 128 - done % 128)
            bench.render(signal, from: done, frames, to: left, right)
            (done, call) = (done + frames, call + 1)
        }
        return [left.array, right.array]
    }

    private static func circle(_ speed: Double) -> (Double) -> SIMD3<Float> {
        { time in SIMD3(Float(sin(speed * time)), 0, Float(-cos(speed * time))) }
    }

    /// What a head measured every 5° makes of a turn has at most 36 periods; they modulate the phase, where two add up.
    /// Of what passes more slowly than 32 Hz, where the low-passes of 5 ms set in, the corners are heard too.
    @Test(arguments: [2.0, 5, 2 * Double.pi]) func `it circles without splatter`(speed: Double) {
        let out = render(Signal.sine(1000, count: 96_000), until: .max, Self.circle(speed))
        let band = 2 * max(36 * speed / (2 * Double.pi), 32) + 2
        for ear in out {
            let rest = Measure.energyOutside(1000 - band, 1000 + band, in: Array(ear[8192...]))
            #expect(rest <= -70)
        }
    }

    /// The last segment of each glide is shorter than the others.
    @Test func `it glides on a circle without splatter, told every 480 frames`() {
        let (input, way) = (Signal.sine(1000, count: 96_000), Self.circle(2 * Double.pi))
        let bench = VoiceBench(cell, longestDelay: 0)
        let signal = SampleBlock(input), (left, right) = (SampleBlock(input.count), SampleBlock(input.count))
        for start in stride(from: 0, to: input.count, by: 480) {
            bench.voice.place(way(Double(start + 480) / Self.rate), delay: 0, frames: 480, jumps: false)
            for frame in stride(from: start, to: start + 480, by: 96) {
                bench.render(signal, from: frame, 96, to: left, right)
            }
        }
        for ear in [left.array, right.array] {
            let rest = Measure.energyOutside(1000 - 74, 1000 + 74, in: Array(ear[8192...]))
            #expect(rest <= -70)
        }
    }

    @Test func `after a way it sounds as if it had always been at its end`() {
        let end = 128 * 40
        let input = noise(32_768)
        let moved = render(input, until: end, Self.circle(5))
        let there = Self.circle(5)(Double(end) / Self.rate)
        let still = render(input, until: 0) { _ in there }
        for (a, b) in zip(moved, still) {
            let isSame = a[(end + 8192)...] == b[(end + 8192)...]
            #expect(isSame)
        }
    }

    @Test(arguments: [[1], [64], [17, 111], [127]]) func `how calls are cut leaves no trace`(cuts: [Int]) {
        let input = noise(16_384)
        let whole = render(input, until: 4096, Self.circle(5))
        let cut = render(input, until: 4096, cuts: cuts, Self.circle(5))
        #expect(whole[0] == cut[0] && whole[1] == cut[1])
    }
}
