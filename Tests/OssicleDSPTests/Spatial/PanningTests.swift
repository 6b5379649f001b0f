import Foundation
import OssicleChannels
import OssicleCore
import OssicleDSP
import OssicleTestSupport
import Testing

extension SpeakerLayout: CustomTestStringConvertible {
    package var testDescription: String { speakers.map { "\($0.azimuth)/\($0.elevation)" }.joined(separator: " ") }
}

private func gains(_ layout: SpeakerLayout, _ direction: SIMD3<Float>) -> [Float] {
    let panner = VBAPPanner(layout)
    return gains(panner, direction)
}

private func gains(_ panner: borrowing VBAPPanner, _ direction: SIMD3<Float>) -> [Float] {
    var result = [Float](repeating: .nan, count: panner.channelCount)
    panner.gains(direction, into: &result)
    return result
}

private func at(_ azimuth: Double, _ elevation: Double = 0) -> SIMD3<Float> {
    SIMD3<Float>(HeadDirection.vector(azimuth: azimuth, elevation: elevation))
}

@Suite("Equal-power pan") struct EqualPowerPanTests {
    @Test("follows the table within 1e-6")
    func table() throws {
        for row in try Table.load("equal-power-check.csv").rows {
            let (left, right) = EqualPowerPan.gains(pan: Float(row.number("pan")))
            #expect(abs(Double(left) - row.number("left")) < 1e-6 && abs(Double(right) - row.number("right")) < 1e-6)
        }
    }

    @Test("clamps, and what is not a number is the centre")
    func limits() {
        #expect(EqualPowerPan.gains(pan: -9) == (1, 0))
        #expect(EqualPowerPan.gains(pan: .infinity) == (0, 1))
        #expect(EqualPowerPan.gains(pan: .nan) == EqualPowerPan.gains(pan: 0))
        #expect(EqualPowerPan.gains(direction: SIMD3(1, 0, 0)) == (0, 1))
        #expect(EqualPowerPan.gains(direction: SIMD3(-1, 0, 1)) == EqualPowerPan.gains(direction: SIMD3(-1, 0, -1)))
    }
}

@Suite("Panning between loudspeakers") struct VBAPPannerTests {
    private static let layouts: [SpeakerLayout] = [
        .mono, .stereo, .quad, .surround5_1, .surround7_1, .surround5_1_4, .surround7_1_4,
    ]

    @Test("gives the tabulated gains of pairs within 1e-4")
    func table() throws {
        for row in try Table.load("vbap-pair-check.csv").rows {
            let (a, b) = (row.number("speaker1_az"), row.number("speaker2_az"))
            let inSurround: [Set<Double>: SpeakerLayout] = [
                [30, -30]: .stereo, [0, 30]: .surround5_1, [30, 110]: .surround5_1, [110, -110]: .surround5_1,
                [30, 90]: .surround7_1, [90, 135]: .surround7_1,
            ]
            let layout = try #require(inSurround[[a, b]])
            let result = gains(layout, at(row.number("source_az")))
            let channel = { azimuth in layout.speakers.firstIndex { $0.azimuth == azimuth && !$0.isLFE } ?? 0 }
            #expect(abs(Double(result[channel(a)]) - row.number("gain1")) < 1e-4, "\(a)/\(b) at \(row["source_az"])")
            #expect(abs(Double(result[channel(b)]) - row.number("gain2")) < 1e-4, "\(a)/\(b) at \(row["source_az"])")
        }
    }

    @Test("covers the whole sphere with power one, no negative gain and a silent LFE", arguments: layouts)
    func power(layout: SpeakerLayout) {
        let panner = VBAPPanner(layout)
        for direction in sphereGrid(step: 2) + [.zero, SIMD3(.nan, 1, 0), SIMD3(1e20, 0, 0)] {
            let result = gains(panner, direction)
            #expect(abs(result.reduce(0) { $0 + Double($1) * Double($1) } - 1) < 1e-6, "\(direction)")
            #expect(result.allSatisfy { $0 >= 0 })
            for (speaker, gain) in zip(layout.speakers, result) where speaker.isLFE { #expect(gain == 0) }
        }
    }

    @Test("a source at a loudspeaker is that loudspeaker alone", arguments: layouts)
    func corners(layout: SpeakerLayout) {
        let panner = VBAPPanner(layout)
        for (channel, speaker) in layout.speakers.enumerated() where !speaker.isLFE {
            let result = gains(panner, at(speaker.azimuth, speaker.elevation))
            #expect(abs(result[channel] - 1) < 1e-6 && result.filter { $0 > 1e-4 }.count == 1)
        }
    }

    @Test(
        "the sum of gains times positions points at the source within 0.1° where only real loudspeakers play",
        arguments: [
            (SpeakerLayout.quad, 0.0), (.surround5_1, 0), (.surround7_1, 0), (.surround5_1_4, 0), (.surround5_1_4, 15),
            (.surround7_1_4, 20),
        ])
    func velocity(layout: SpeakerLayout, elevation: Double) {
        let panner = VBAPPanner(layout)
        for azimuth in stride(from: -180.0, to: 180, by: 1) {
            let target = HeadDirection.vector(azimuth: azimuth, elevation: elevation)
            let result = gains(panner, SIMD3<Float>(target))
            let sum = zip(layout.speakers, result).reduce(Vector.zero) { $0 + $1.0.direction * Double($1.1) }
            let angle = acos(min(sum.dot(target) / sum.magnitude, 1)) * 180 / .pi
            #expect(angle < 0.1, "\(azimuth)°: \(angle)")
        }
    }

    /// Between two loudspeakers at ±h from the middle amplitudes give tan φ = x tan h, energies tan φ = 2x/(1 + x²) tan
    /// h, with x = (g₁ − g₂)/(g₁ + g₂): the largest difference.
    private static func deviation(ofPair halfAngle: Double) -> Double {
        let tangent = tan(halfAngle * .pi / 180)
        return stride(from: 0.0, through: 1, by: 0.001).map { x in
            (atan(2 * x / (1 + x * x) * tangent) - atan(x * tangent)) * 180 / .pi
        }.max() ?? .nan
    }

    private func energyDeviation(_ layout: SpeakerLayout, at azimuth: Double, _ elevation: Double) -> Double {
        let target = HeadDirection.vector(azimuth: azimuth, elevation: elevation)
        let sum = zip(layout.speakers, gains(layout, SIMD3<Float>(target))).reduce(Vector.zero) {
            $0 + $1.0.direction * Double($1.1 * $1.1)
        }
        return acos(min(sum.dot(target) / sum.magnitude, 1)) * 180 / .pi
    }

    /// 12.8° between loudspeakers 90° apart, 17.9° behind 5.1, 4.5° in the front of 7.1.
    @Test(
        "the energy vector on the horizon deviates by no more than that of the widest pair",
        arguments: [
            (SpeakerLayout.quad, 90.0, 90.0), (.surround5_1, 30, 140), (.surround7_1, 30, 90),
            (.surround5_1_4, 30, 140), (.surround7_1_4, 30, 90),
        ])
    func energy(layout: SpeakerLayout, front: Double, anywhere: Double) {
        for azimuth in stride(from: -180.0, to: 180, by: 0.5) {
            let pair = abs(azimuth) <= 30 ? front : anywhere
            let angle = energyDeviation(layout, at: azimuth, 0)
            #expect(angle < Self.deviation(ofPair: pair / 2) + 0.05, "\(azimuth)°: \(angle)")
        }
    }

    @Test("overhead the energy vector of 7.1.4 points straight up: its heights stand at the corners of a square")
    func overhead() { #expect(energyDeviation(.surround7_1_4, at: 0, 90) < 0.1) }

    @Test("left and right are mirror images within 1e-6", arguments: layouts)
    func mirror(layout: SpeakerLayout) {
        let panner = VBAPPanner(layout)
        let image = layout.speakers.map { speaker in
            layout.speakers.firstIndex {
                $0.isLFE == speaker.isLFE && $0.elevation == speaker.elevation
                    && ($0.isLFE || $0.azimuth == -speaker.azimuth)
            } ?? 0
        }
        for direction in sphereGrid(step: 5) {
            let (a, b) = (gains(panner, direction), gains(panner, SIMD3(-direction.x, direction.y, direction.z)))
            for channel in a.indices { #expect(abs(a[channel] - b[image[channel]]) < 1e-6, "\(direction)") }
        }
    }

    @Test("nothing jumps: a tenth of a degree changes no gain by more than 0.03", arguments: layouts)
    func continuous(layout: SpeakerLayout) {
        let panner = VBAPPanner(layout)
        for elevation in [-90.0, -60, -30, 0, 15, 30, 45, 80] {
            var last = gains(panner, at(-180, elevation))
            for step in 1...3600 {
                let next = gains(panner, at(-180 + 0.1 * Double(step), elevation))
                #expect(zip(next, last).allSatisfy { abs($0 - $1) < 0.03 }, "\(elevation)°, step \(step)")
                last = next
            }
        }
    }

    @Test("a stereo pair folds what is behind to the front")
    func stereo() {
        let panner = VBAPPanner(.stereo)
        #expect(gains(panner, at(170)) == gains(panner, at(10)))
        #expect(gains(panner, at(90)) == [1, 0] && gains(panner, at(-100)) == [0, 1])
        for middle in [at(180), at(0, 90), at(0, -90)] {
            #expect(gains(panner, middle).allSatisfy { abs($0 - Float(0.5).squareRoot()) < 1e-6 })
        }
    }

    @Test("mono is 1, and odd layouts stay finite")
    func odd() {
        #expect(gains(.mono, SIMD3(0.3, -2, 1)) == [1])
        #expect(gains(SpeakerLayout([]), SIMD3(1, 0, 0)).isEmpty)
        typealias Speaker = SpeakerLayout.Speaker
        let odd: [[Speaker]] = [
            [Speaker(azimuth: 10), Speaker(azimuth: 10)], [Speaker(azimuth: 90), Speaker(azimuth: -90)],
            [Speaker(azimuth: 0), Speaker(azimuth: 0), Speaker(azimuth: 0)],
            [Speaker(azimuth: 30), Speaker(azimuth: -30), Speaker(azimuth: 0)],
            [Speaker(azimuth: 0, elevation: 90), Speaker(azimuth: 0, elevation: -90), Speaker(azimuth: 0)],
            [
                Speaker(azimuth: .nan), Speaker(azimuth: 1e300), Speaker(azimuth: 20, elevation: .infinity),
                Speaker(azimuth: 70),
            ],
            [
                Speaker(azimuth: 0, elevation: 61), Speaker(azimuth: 100, elevation: -44),
                Speaker(azimuth: -100, elevation: -44),
            ],
        ]
        for speakers in odd {
            let panner = VBAPPanner(SpeakerLayout(speakers))
            for direction in sphereGrid(step: 10) {
                let power = gains(panner, direction).reduce(0) { $0 + $1 * $1 }
                #expect(abs(power - 1) < 1e-5, "\(speakers) \(direction)")
            }
        }
    }
}
