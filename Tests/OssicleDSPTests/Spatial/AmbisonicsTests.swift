import Foundation
import OssicleChannels
import OssicleCore
import OssicleDSP
import OssicleTestSupport
import Testing

private typealias Axes = (right: Vector, up: Vector, back: Vector)

/// Axes turned at random.
private func randomAxes(_ index: Int) -> Axes {
    let random = CounterRandom(seed: 5, object: 1)
    let v = (0..<6).map { random.unit(UInt64(6 * index + $0)) * 2 - 1 }
    let right = HeadDirection.unit(SIMD3<Float>(Float(v[0]), Float(v[1]), Float(v[2])))
    let up = right.cross(Vector(v[3], v[4], v[5])).direction ?? Vector(0, 1, 0)
    return (right, up, right.cross(up))
}

private func matrix(_ axes: Axes, order: Int) -> [[Double]] {
    let rotation = FieldRotation(order: order), size = rotation.stride
    var memory = [Float](repeating: .nan, count: size * size)
    rotation.write(right: axes.right, up: axes.up, back: axes.back, to: &memory)
    return (0..<size).map { row in (0..<size).map { Double(memory[row * size + $0]) } }
}

private func directions(step: Int = 30) -> [Vector] { sphereGrid(step: step).map { HeadDirection.unit($0) } }

@Suite("Spherical harmonics") struct SphericalHarmonicsTests {
    @Test("follow the table within 1e-6")
    func table() throws {
        for row in try Table.load("sh-check.csv").rows {
            let values = SphericalHarmonics.values(
                HeadDirection.vector(azimuth: row.number("azimuth_deg_left"), elevation: row.number("elevation_deg")))
            for index in 0..<16 { #expect(abs(values[index] - row.number("acn\(index)")) < 1.1e-6, "ACN \(index)") }
        }
    }

    @Test("are orthogonal on the grid of 26 points, with mean squares of 1/(2l + 1)")
    func grid() {
        let points = SphereGrid.lebedev26()
        #expect(points.count == 26)
        #expect(abs(points.reduce(0) { $0 + $1.weight } - 1) < 1e-14)
        for a in 0..<16 {
            for b in 0..<16 {
                let mean = points.reduce(0.0) { sum, point in
                    let values = SphericalHarmonics.values(point.direction)
                    return sum + point.weight * values[a] * values[b]
                }
                #expect(abs(mean - (a == b ? 1 / Double(2 * SphericalHarmonics.order(of: a) + 1) : 0)) < 1e-14)
            }
        }
    }

    @Test("odd channels, and no others, change their sign in a mirror")
    func mirror() {
        let d = HeadDirection.vector(azimuth: 37, elevation: 21)
        let (here, there) = (SphericalHarmonics.values(d), SphericalHarmonics.values(Vector(-d.x, d.y, d.z)))
        for index in 0..<16 { #expect(there[index] == (SphericalHarmonics.isOdd(index) ? -here[index] : here[index])) }
    }
}

@Suite("Rotation of a sound field") struct FieldRotationTests {
    @Test("turns the channels of a wave into those of the turned wave", arguments: 0..<20, [3, 7])
    func turnsWaves(index: Int, order: Int) {
        let axes = randomAxes(index)
        let rotation = matrix(axes, order: order)
        for d in directions(step: order == 3 ? 30 : 45) {
            let (before, after) = (
                HighOrderHarmonics.values(d, order: order),
                HighOrderHarmonics.values(axes.right * d.x + axes.up * d.y + axes.back * d.z, order: order)
            )
            for row in rotation.indices {
                let turned = rotation.indices.reduce(0.0) { $0 + rotation[row][$1] * before[$1] }
                #expect(abs(turned - after[row]) < 1e-6)
            }
        }
    }

    @Test("is orthogonal, and block by block", arguments: 0..<20)
    func isOrthogonal(index: Int) {
        let rotation = matrix(randomAxes(index), order: 7)
        for a in 0..<64 {
            for b in 0..<64 {
                let product = (0..<64).reduce(0.0) { $0 + rotation[a][$1] * rotation[b][$1] }
                #expect(abs(product - (a == b ? 1 : 0)) < 1e-6)
                if SphericalHarmonics.order(of: a) != SphericalHarmonics.order(of: b) { #expect(rotation[a][b] == 0) }
            }
        }
    }

    @Test("no turn is no change; a lower order is the upper left of a higher one")
    func identity() {
        let still = matrix((Vector(1, 0, 0), Vector(0, 1, 0), Vector(0, 0, 1)), order: 7)
        for a in 0..<64 { for b in 0..<64 { #expect(abs(still[a][b] - (a == b ? 1 : 0)) < 1e-7) } }
        let high = matrix(randomAxes(3), order: 7)
        for order in 0...6 {
            for (row, values) in matrix(randomAxes(3), order: order).enumerated() {
                #expect(Array(high[row].prefix(values.count)) == values)
            }
        }
    }

    @Test("half and quarter turns, where angles have no meaning, are exact as well")
    func quarterTurns() {
        let axes: [Axes] = [
            (Vector(-1, 0, 0), Vector(0, 1, 0), Vector(0, 0, -1)),
            (Vector(1, 0, 0), Vector(0, -1, 0), Vector(0, 0, -1)),
            (Vector(0, 0, -1), Vector(0, 1, 0), Vector(1, 0, 0)), (Vector(1, 0, 0), Vector(0, 0, 1), Vector(0, -1, 0)),
        ]
        for turn in axes {
            let rotation = matrix(turn, order: 7)
            for d in directions(step: 45) {
                let before = HighOrderHarmonics.values(d, order: 7)
                let after = HighOrderHarmonics.values(turn.right * d.x + turn.up * d.y + turn.back * d.z, order: 7)
                for row in 0..<64 {
                    #expect(abs((0..<64).reduce(0.0) { $0 + rotation[row][$1] * before[$1] } - after[row]) < 1e-6)
                }
            }
        }
    }
}

@Suite("Sound fields on loudspeakers") struct FieldSpeakersTests {
    /// A wave's gains through the decoder and through the panner.
    private static func compare(
        _ layout: SpeakerLayout, order: Int, _ waves: [Vector]
    ) -> [(field: [Double], panned: [Double])] {
        let panner = VBAPPanner(layout)
        let decoder = FieldSpeakers.gains(order: order, panner: panner)
        let channels = SphericalHarmonics.count(order: order)
        return waves.map { wave in
            let harmonics = HighOrderHarmonics.values(wave, order: order)
            var panned = [Float](repeating: 0, count: panner.channelCount)
            panner.gains(SIMD3<Float>(wave), into: &panned)
            let field = panned.indices.map { speaker in
                (0..<channels).reduce(0.0) { $0 + Double(decoder[speaker * channels + $1]) * harmonics[$1] }
            }
            return (field, panned.map { Double($0) })
        }
    }

    private static func power(_ gains: [Double]) -> Double { 10 * log10(gains.reduce(0) { $0 + $1 * $1 }) }

    private static func energyVector(_ gains: [Double], _ layout: SpeakerLayout) -> Vector {
        zip(gains, layout.speakers).reduce(Vector.zero) { $0 + $1.1.direction * ($1.0 * $1.0) }
    }

    private static let horizon = stride(from: 0.0, to: 360, by: 5).map {
        HeadDirection.vector(azimuth: $0, elevation: 0)
    }

    @Test(
        "order 3 is within 0.8 dB and 11° of panning, 6° in the mean, all around the listener",
        arguments: [SpeakerLayout.stereo, .quad, .surround5_1, .surround7_1, .surround7_1_4])
    func nearPanning(layout: SpeakerLayout) {
        var angles: [Double] = []
        for wave in Self.compare(layout, order: 3, Self.horizon) {
            #expect(abs(Self.power(wave.field)) < 0.8)
            let (a, b) = (Self.energyVector(wave.field, layout), Self.energyVector(wave.panned, layout))
            let cosine: Double = a.dot(b) / (a.magnitude * b.magnitude)
            angles.append(acos(min(cosine, 1)) * 180 / Double.pi)
        }
        #expect((angles.max() ?? .nan) < 11, "largest \(angles.max() ?? .nan)")
        #expect(angles.reduce(0, +) / Double(angles.count) < 6, "mean \(angles.reduce(0, +) / Double(angles.count))")
    }

    @Test(
        "orders 3 and 7 are as loud from anywhere within 0.5 dB, above and below too",
        arguments: [
            SpeakerLayout.mono, .stereo, .quad, .surround5_1, .surround7_1, .surround5_1_4, .surround7_1_4,
        ], [3, 7])
    func level(layout: SpeakerLayout, order: Int) {
        let powers = Self.compare(layout, order: order, directions(step: 10)).map { Self.power($0.field) }
        let (least, most) = (powers.min() ?? .nan, powers.max() ?? .nan)
        #expect(least > -0.5 && most < 0.5, "\(least) … \(most) dB")
    }

    @Test("order 7 is nearer to panning than order 3 is, on every layout that resolves it")
    func sharper() {
        for layout in [SpeakerLayout.quad, .surround5_1, .surround7_1, .surround7_1_4] {
            let errors = [3, 7].map { order in
                Self.compare(layout, order: order, Self.horizon).reduce(0.0) { sum, wave in
                    sum + zip(wave.field, wave.panned).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
                }
            }
            #expect(errors[1] < 0.6 * errors[0], "\(errors)")
        }
    }

    @Test("the mean power of all directions is one, whatever the order", arguments: [0, 1, 2, 3, 5, 7])
    func meanPower(order: Int) {
        for layout in [SpeakerLayout.mono, .stereo, .quad, .surround5_1, .surround7_1_4] {
            let waves = SphereGrid.spiral(300).map(\.direction)
            let powers = Self.compare(layout, order: order, waves).map { $0.field.reduce(0) { $0 + $1 * $1 } }
            #expect(abs(10 * log10(powers.reduce(0, +) / Double(powers.count))) < 0.05)
        }
    }

    @Test("one loudspeaker gets W alone, an LFE nothing, no loudspeaker nothing at all")
    func edges() {
        let mono = FieldSpeakers.gains(order: 3, panner: VBAPPanner(.mono))
        #expect(abs(mono[0] - 1) < 1e-3 && mono.dropFirst().allSatisfy { $0.magnitude < 2e-2 })
        let surround = FieldSpeakers.gains(order: 3, panner: VBAPPanner(.surround5_1))
        #expect(surround[48..<64].allSatisfy { $0 == 0 })
        let none = FieldSpeakers.gains(
            order: 1, panner: VBAPPanner(SpeakerLayout([SpeakerLayout.Speaker(azimuth: 0, isLFE: true)])))
        #expect(none.allSatisfy { $0 == 0 })
    }
}

@Suite("Sound fields for ears") struct FieldEarFiltersTests {
    /// Response of an ear to a wave at a frequency, and of the head itself, both with all their delay.
    private static func response(
        _ filters: AmbisonicHRTFFilters, _ head: HRTFFilters, _ wave: Vector, ear: Int, _ frequency: Double,
        rate: Double
    ) -> (field: SIMD2<Double>, head: SIMD2<Double>) {
        let table = filters.table
        let harmonics = HighOrderHarmonics.values(wave, order: SphericalHarmonics.order(of: table.channelCount - 1))
        var taps = [Double](repeating: 0, count: table.tapCount)
        for channel in 0..<table.channelCount {
            for tap in taps.indices { taps[tap] += Double(table.filter(ear, channel)[tap]) * harmonics[channel] }
        }
        let direct = HeadResponse(head, SIMD3<Float>(wave))
        func transform(_ taps: [Double], _ delay: Double) -> SIMD2<Double> {
            taps.enumerated().reduce(SIMD2<Double>.zero) { sum, tap in
                let angle = -2 * .pi * frequency / rate * (Double(tap.offset) + delay)
                return sum + SIMD2(cos(angle), sin(angle)) * tap.element
            }
        }
        let own = (ear == 0 ? direct.left : direct.right).map { Double($0) }
        return (
            transform(taps, Double(table.delay)),
            transform(own, 16 + Double(ear == 0 ? direct.delays.x : direct.delays.y))
        )
    }

    private static func level(_ value: SIMD2<Double>) -> Double { 10 * log10((value * value).sum()) }
    private static func phase(_ a: SIMD2<Double>, _ b: SIMD2<Double>) -> Double {
        atan2(a.y * b.x - a.x * b.y, a.x * b.x + a.y * b.y) * 180 / .pi
    }

    /// Largest error of level (dB) and phase (degrees) at the ear that faces the wave, on a ring of waves at an
    /// elevation.
    private static func error(
        _ frequency: Double, elevation: Double, order: Int = 3
    ) throws -> (level: Double, phase: Double) {
        let head = try HRTFFilters(sampleRate: 48_000)
        let filters = AmbisonicHRTFFilters(head: head, order: order)
        var worst = (level: 0.0, phase: 0.0)
        for azimuth in stride(from: -180.0, to: 180, by: 15) {
            let wave = HeadDirection.vector(azimuth: azimuth, elevation: elevation)
            // Behind the head an ear hears little, and what is missing of little is much in decibels.
            for ear in 0..<2 where ear == 0 ? wave.x < 0.35 : wave.x > -0.35 {
                let (field, own) = response(filters, head, wave, ear: ear, frequency, rate: 48_000)
                worst = (max(worst.level, abs(level(field) - level(own))), max(worst.phase, abs(phase(field, own))))
            }
        }
        return worst
    }

    @Test("on the horizon order 3 is the head itself up to 1 kHz, within 1 dB and 10°", arguments: [250.0, 500, 1000])
    func nearHead(frequency: Double) throws {
        let error = try Self.error(frequency, elevation: 0)
        #expect(error.level < 1, "\(error.level) dB")
        #expect(error.phase < 10, "\(error.phase)°")
    }

    @Test("30° above and below within 2.5 dB", arguments: [250.0, 500, 1000])
    func above(frequency: Double) throws {
        for elevation in [-30.0, 30] {
            let error = try Self.error(frequency, elevation: elevation)
            #expect(error.level < 2.5, "\(error.level) dB at \(elevation)°")
        }
    }

    @Test("on the horizon order 7 is the head itself up to 1 kHz, within 1 dB and 10°", arguments: [250.0, 500, 1000])
    func nearHeadOfOrder7(frequency: Double) throws {
        let error = try Self.error(frequency, elevation: 0, order: 7)
        #expect(error.level < 1, "\(error.level) dB")
        #expect(error.phase < 10, "\(error.phase)°")
    }

    @Test("a diffuse field has the power it has with the head itself", arguments: [0, 1, 2, 3, 5, 7])
    func diffuse(order: Int) throws {
        let head = try HRTFFilters(sampleRate: 48_000)
        let filters = AmbisonicHRTFFilters(head: head, order: order)
        for frequency in [300.0, 1000, 3000, 8000, 12_000] {
            let powers = SphereGrid.spiral(150).map { point -> (field: Double, own: Double) in
                let (field, own) = Self.response(filters, head, point.direction, ear: 0, frequency, rate: 48_000)
                return ((field * field).sum() * point.weight, (own * own).sum() * point.weight)
            }
            let ratio = 10 * log10(powers.reduce(0) { $0 + $1.field } / powers.reduce(0) { $0 + $1.own })
            #expect(abs(ratio) < 0.5, "\(frequency) Hz: \(ratio) dB")
        }
    }

    @Test(
        "the built-in head is found symmetric at every rate, and all taps are finite",
        arguments: [16_000.0, 44_100, 48_000, 96_000])
    func symmetry(rate: Double) throws {
        let head = try HRTFFilters(sampleRate: rate)
        let table = AmbisonicHRTFFilters(head: head, order: 3)
        withExtendedLifetime(table) {
            #expect(table.table.isSymmetric)
            #expect(table.table.tapCount % 16 == 0)
            for channel in 0..<16 {
                #expect((0..<table.table.tapCount).allSatisfy { table.table.filter(0, channel)[$0].isFinite })
            }
        }
        // Little is cut off at either end: what rings ahead is −33 dB at 16 kHz, less at higher rates.
        let w = UnsafeBufferPointer(start: table.table.filter(0, 0), count: table.table.tapCount)
        let energy = w.reduce(Float(0)) { $0 + $1 * $1 }
        #expect(w.suffix(8).reduce(Float(0)) { $0 + $1 * $1 } < energy * 1e-4)
        #expect(w.prefix(4).reduce(Float(0)) { $0 + $1 * $1 } < energy * 1e-3)
    }
}
