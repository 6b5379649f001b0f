import Foundation
import OssicleCodecs
import Testing
@testable import OssicleConversion

@Suite("Channels that are mixed")
struct ChannelMixingTests {
    private static let five1: [UInt32] = [1, 2, 3, 4, 5, 6]
    private let minus3 = 0.5.squareRoot()

    private func gains(_ inputs: [UInt32], _ outputs: [UInt32]) -> [[Double]] {
        ChannelMixing.rows(from: inputs, inputs.count, to: outputs, outputCount: outputs.count).map { row in
            switch row {
            case .silence: [Double](repeating: 0, count: inputs.count)
            case .channel(let channel): inputs.indices.map { $0 == channel ? 1 : 0 }
            case .mix(let shares): inputs.indices.map { index in shares.first { $0.channel == index }?.gain ?? 0 }
            }
        }
    }

    private func expectEqual(_ a: [[Double]], _ b: [[Double]]) {
        #expect(zip(a, b).allSatisfy { zip($0, $1).allSatisfy { abs($0 - $1) < 1e-12 } } && a.count == b.count, "\(a)")
    }

    @Test("5.1 into stereo as BS.775 has it, turned down by the sum of a side")
    func five1IntoStereo() {
        let sum = 1 + minus3 + minus3
        expectEqual(
            gains(Self.five1, [1, 2]),
            [[1, 0, minus3, 0, minus3, 0], [0, 1, minus3, 0, 0, minus3]].map { $0.map { $0 / sum } })
    }

    @Test("5.1 into one channel as BS.775 has it, turned down by its sum")
    func five1IntoMono() {
        let sum = 2 * minus3 + 1 + 0.5 + 0.5
        expectEqual(gains(Self.five1, [42]), [[minus3, minus3, 1, 0, 0.5, 0.5].map { $0 / sum }])
    }

    @Test("Stereo into one channel is the mean, one channel into stereo is both")
    func stereoAndMono() {
        expectEqual(gains([1, 2], [42]), [[0.5, 0.5]])
        expectEqual(gains([42], [1, 2]), [[1], [1]])
        expectEqual(gains([42], Self.five1), [[1], [1], [0], [0], [0], [0]])
    }

    @Test("7.1 into 5.1 folds the rears into the surrounds and leaves the fronts in balance")
    func seven1() {
        let sum = 1 + minus3
        let expected: [[Double]] = [
            [1, 0, 0, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0, 0, 0], [0, 0, 0, 1, 0, 0, 0, 0],
            [0, 0, 0, 0, 1, 0, minus3, 0], [0, 0, 0, 0, 0, 1, 0, minus3],
        ]
        expectEqual(gains([1, 2, 3, 4, 5, 6, 33, 34], Self.five1), expected.map { $0.map { $0 / sum } })
    }

    @Test("More channels change nothing that was there")
    func upward() {
        expectEqual(gains([1, 2], Self.five1), [[1, 0], [0, 1], [0, 0], [0, 0], [0, 0], [0, 0]])
    }

    /// Layouts of all kinds, and labels that make no sense.
    private static let layouts: [[UInt32]] = [
        [42], [1, 2], [1, 2, 3], [1, 2, 9], five1, [1, 2, 3, 4, 5, 6, 33, 34],
        [1, 2, 3, 7, 8, 5, 6, 4, 13, 15, 14, 12, 17],
        [.max, .max], [0, 0, 0], [1, 1, 2], [200, 201, 202, 203], [4], [37, 36, 35],
    ]

    @Test("No full-scale sound exceeds full scale, between any two layouts", arguments: layouts)
    func neverClips(_ inputs: [UInt32]) {
        for outputs in Self.layouts {
            let sums = gains(inputs, outputs).map { $0.reduce(0) { $0 + abs($1) } }
            #expect(
                sums.count == outputs.count && sums.allSatisfy { $0 < 1 + 1e-12 }, "\(inputs) to \(outputs): \(sums)")
        }
    }

    @Test("Samples are summed by these gains")
    func samples() throws {
        let (surround, stereo) = (
            Conversion.doubles(8000, 6, labels: Self.five1), Conversion.doubles(8000, 2, labels: [1, 2])
        )
        let conversion = try Conversion(from: surround, to: stereo) { $0.downmixes = true }
        let input = (0..<6).map { Sounds.noise(5000, seed: UInt64($0)) }
        let out = try conversion.run(input)
        let matrix = gains(Self.five1, [1, 2])
        for (plane, row) in zip(out, matrix) {
            let errors = plane.indices.map { frame in
                abs(plane[frame] - (0..<6).reduce(0) { $0 + row[$1] * input[$1][frame] })
            }
            #expect((errors.max() ?? 1) < 1e-15 && plane.count == 5000)
        }
    }
}
