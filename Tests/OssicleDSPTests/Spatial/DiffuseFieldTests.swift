import Foundation
import OssicleChannels
import OssicleCore
import OssicleDSP
import OssicleTestSupport
import Testing

/// Two ears in a diffuse field: powers, and the cross spectrum at a set of frequencies.
private struct EarSpectra {
    var left: [Double], right: [Double]
    var cross: [SIMD2<Double>]

    /// Hz; a twelfth of an octave apart.
    static let frequencies = (-6..<78).map { 125 * pow(2, (Double($0) + 0.5) / 12) }

    init() {
        let count = Self.frequencies.count
        (left, right) = ([Double](repeating: 0, count: count), [Double](repeating: 0, count: count))
        cross = [SIMD2<Double>](repeating: .zero, count: count)
    }

    mutating func add(_ l: [SIMD2<Double>], _ r: [SIMD2<Double>], weight: Double) {
        for f in l.indices {
            left[f] += (l[f] * l[f]).sum() * weight
            right[f] += (r[f] * r[f]).sum() * weight
            cross[f] += SIMD2(l[f].x * r[f].x + l[f].y * r[f].y, l[f].y * r[f].x - l[f].x * r[f].y) * weight
        }
    }

    /// Of an octave, 0 at 125 Hz: the greatest correlation within 1 ms.
    func coherence(_ octave: Int) -> Double {
        let band = (12 * octave)..<(12 * octave + 12)
        // Per hertz: frequencies stand evenly on a logarithmic scale.
        let widths = band.map { Self.frequencies[$0] }
        let power = zip(band, widths).reduce((0.0, 0.0)) { ($0.0 + left[$1.0] * $1.1, $0.1 + right[$1.0] * $1.1) }
        return stride(from: -1e-3, through: 1e-3, by: 1e-5).map { lag in
            zip(band, widths).reduce(0.0) { sum, bin in
                let angle = 2 * Double.pi * Self.frequencies[bin.0] * lag
                return sum + (cross[bin.0].x * cos(angle) - cross[bin.0].y * sin(angle)) * bin.1
            }.magnitude / (power.0 * power.1).squareRoot()
        }.max() ?? .nan
    }

    /// dB.
    func level(_ octave: Int) -> Double {
        let band = (12 * octave)..<(12 * octave + 12)
        return 10 * log10(band.reduce(0.0) { $0 + (left[$1] + right[$1]) * Self.frequencies[$1] })
    }
}

@Suite("The diffuse field of a decoder for ears") struct DiffuseFieldTests {
    private static let rate = 48_000.0
    private static let tables = EarSpectra.frequencies.map { frequency in
        (0..<400).map { k in
            let angle = -2 * Double.pi * frequency / rate * Double(k)
            return SIMD2(cos(angle), sin(angle))
        }
    }

    private static func transform(_ taps: [Float], delay: Double = 0) -> [SIMD2<Double>] {
        EarSpectra.frequencies.indices.map { f in
            var sum = SIMD2<Double>.zero
            for k in taps.indices { sum += tables[f][k] * Double(taps[k]) }
            let angle = -2 * Double.pi * EarSpectra.frequencies[f] / rate * delay
            let turn = SIMD2(cos(angle), sin(angle))
            return SIMD2(sum.x * turn.x - sum.y * turn.y, sum.x * turn.y + sum.y * turn.x)
        }
    }

    /// What the head itself has when plane waves come from everywhere.
    private static func own(_ head: HRTFFilters) -> EarSpectra {
        var spectra = EarSpectra()
        let waves = SphereGrid.spiral(150)
        for wave in waves {
            let response = HeadResponse(head, SIMD3<Float>(wave.direction))
            spectra.add(
                transform(response.left, delay: Double(response.delays.x)),
                transform(response.right, delay: Double(response.delays.y)), weight: wave.weight)
        }
        return spectra
    }

    /// The same through the channels of a field, which are incoherent in an isotropic one.
    private static func decoded(_ filters: AmbisonicHRTFFilters) -> EarSpectra {
        var spectra = EarSpectra()
        let table = filters.table
        for channel in 0..<table.channelCount {
            let taps = (0..<2).map { ear in (0..<table.tapCount).map { table.filter(ear, channel)[$0] } }
            spectra.add(
                transform(taps[0]), transform(taps[1]),
                weight: 1 / Double(2 * SphericalHarmonics.order(of: channel) + 1))
        }
        return spectra
    }

    @Test("coherence between the ears is the head's own in every octave within 0.05, and the level within 0.5 dB")
    func coherence() throws {
        let head = try HRTFFilters(sampleRate: Self.rate)
        let filters = AmbisonicHRTFFilters(head: head, order: 3)
        let (own, decoded) = (Self.own(head), Self.decoded(filters))
        for octave in 0..<7 {
            let (wanted, found) = (own.coherence(octave), decoded.coherence(octave))
            #expect(abs(found - wanted) < 0.05, "octave \(125 << octave) Hz: \(found) for \(wanted)")
            #expect(abs(decoded.level(octave) - own.level(octave)) < 0.5, "octave \(125 << octave) Hz")
        }
    }

    /// Seconds by which the left ear hears a wave earlier than the right one, from 200 to 1500 Hz.
    private static func delay(_ left: [SIMD2<Double>], _ right: [SIMD2<Double>]) -> Double {
        let bins = EarSpectra.frequencies.indices.filter { (200...1500).contains(EarSpectra.frequencies[$0]) }
        var spectra = EarSpectra()
        spectra.add(left, right, weight: 1)
        var best = (lag: Double.nan, value: -Double.infinity)
        for lag: Double in stride(from: -1e-3, through: 1e-3, by: 2e-6) {
            let value = bins.reduce(0.0) { (sum: Double, f: Int) -> Double in
                let frequency: Double = EarSpectra.frequencies[f]
                let angle = 2 * Double.pi * frequency * lag
                return sum + (spectra.cross[f].x * cos(angle) + spectra.cross[f].y * sin(angle)) * frequency
            }
            if value > best.value { best = (lag, value) }
        }
        return best.lag
    }

    @Test("a wave has the head's delay between the ears within 55 µs, which is 11° at the side and less in front")
    func delay() throws {
        let head = try HRTFFilters(sampleRate: Self.rate)
        let filters = AmbisonicHRTFFilters(head: head, order: 3)
        let table = filters.table
        let channels = (0..<2).map { ear in
            (0..<16).map { channel in
                Self.transform((0..<table.tapCount).map { table.filter(ear, channel)[$0] })
            }
        }
        for azimuth in stride(from: 0.0, through: 180, by: 30) {
            for elevation in [-30.0, 0, 45] {
                let wave = HeadDirection.vector(azimuth: azimuth, elevation: elevation)
                let (harmonics, own) = (SphericalHarmonics.values(wave), HeadResponse(head, SIMD3<Float>(wave)))
                let field = channels.map { ear in
                    ear[0].indices.map { f in
                        (0..<16).reduce(SIMD2<Double>.zero) { $0 + ear[$1][f] * harmonics[$1] }
                    }
                }
                let wanted = Self.delay(
                    Self.transform(own.left, delay: Double(own.delays.x)),
                    Self.transform(own.right, delay: Double(own.delays.y)))
                let found = Self.delay(field[0], field[1])
                #expect(abs(found - wanted) < 55e-6, "\(azimuth)°, \(elevation)°: \(found) s for \(wanted)")
            }
        }
    }

    @Test("sixteen equal signals are an isotropic field")
    func isotropy() {
        let encoders = DiffuseDirections.encoders
        for a in 0..<16 {
            for b in 0..<16 {
                let covariance = encoders.reduce(0.0) { $0 + Double($1[a]) * Double($1[b]) } / 16
                let wanted = a == b ? 1 / Double(2 * SphericalHarmonics.order(of: a) + 1) : 0
                #expect(abs(covariance - wanted) < 1e-5)
            }
        }
    }

    @Test("each of the sixteen comes from its direction, and they are left and right, above and below alike")
    func directions() {
        for (direction, encoder) in zip(DiffuseDirections.all, DiffuseDirections.encoders) {
            // The first order's channels: y left, z up, x front.
            let vector = Vector(-Double(encoder[1]), Double(encoder[2]), -Double(encoder[3]))
            #expect(vector.dot(direction) / vector.magnitude > 0.95)
        }
        let middle = DiffuseDirections.all.reduce(Vector.zero, +)
        #expect(middle.magnitude < 0.1)
    }
}
