import Foundation
import OssicleAcoustics
import OssicleCore
import OssicleDSP
import OssicleTestSupport
import PHASE
import Testing

/// A room of a scene from the click to the last sample, against all of its image sources: early paths, late field and
/// what networks make of it, as one microphone, loudspeakers and ears hear them.
@Suite struct RoomToneTests {
    /// x, up, z.
    private static let size = Vector(7, 3, 5)
    private static let absorption = 0.1
    /// −68 dB.
    private static let seconds = 1.3

    /// Two places each, half a metre and more from the walls and 1.5 m from one another.
    private static let pairs: [(source: Vector, listener: Vector)] = {
        let random = CounterRandom(seed: 20, object: 8)
        var draws: UInt64 = 0
        func place() -> Vector {
            let share = (0..<3).map { random.unit(draws + UInt64($0)) }
            draws += 3
            return Vector(0.5, 0.5, 0.5) + Vector(share[0], share[1], share[2]) * (size - Vector(1, 1, 1))
        }
        return (0..<8).map { _ in
            var pair = (source: place(), listener: place())
            while (pair.source - pair.listener).magnitude < 1.5 { pair = (place(), place()) }
            return pair
        }
    }()

    /// Energies of the octaves of what reaches a listener, re the sound's own at 1 m.
    private struct Energies {
        /// All, and what of it comes by at most two reflections, by where from.
        var all = [Double](repeating: 0, count: OctaveBands.count)
        var early: [(way: Vector, energies: [Double])] = []

        /// What interference of the early ones makes of their energy in a band, as a factor: of their pressures at 64
        /// frequencies. Later ones are so many that it is 1.
        func interference(_ band: Int) -> Double {
            let paths = early.map { (length: $0.way.magnitude, amplitude: $0.energies[band].squareRoot()) }
            let energy = (0..<64).reduce(0.0) { sum, step in
                let frequency = OctaveBands.centre(band) * 0.5.squareRoot() * (1 + (Double(step) + 0.5) / 64)
                var (re, im) = (0.0, 0.0)
                for path in paths {
                    let phase = 2 * Double.pi * frequency * path.length / 343.2
                    (re, im) = (re + path.amplitude * cos(phase), im + path.amplitude * sin(phase))
                }
                return sum + (re * re + im * im) / 64
            }
            return energy / early.reduce(0) { $0 + $1.energies[band] }
        }
    }

    /// Of all image sources that arrive in the time, air included.
    private static let images: [Energies] = pairs.map { pair in
        let medium = Medium()
        func energies(_ length: Double, _ energy: Double) -> [Double] {
            let air = medium.gains(distance: length)
            return (0..<OctaveBands.count).map { energy * Double(air[$0] * air[$0]) }
        }
        var result = Energies()
        // By tenths of a metre, so that the air is asked for once each.
        let byLength = BoxImages.energies(
            from: pair.source, to: pair.listener, size: size, remaining: 1 - absorption, reach: seconds * 343.2
        ) { way, energy in
            result.early.append((way, energies(way.magnitude, energy)))
        }
        for (index, energy) in byLength.enumerated() where energy > 0 {
            for (band, part) in energies((Double(index) + 0.5) / 10, energy).enumerated() { result.all[band] += part }
        }
        return result
    }

    enum Output: CaseIterable {
        case microphone, stereo, ears, field

        var stage: (channels: AVAudioChannelCount, layout: AudioChannelLayoutTag?, mode: PHASESpatializationMode) {
            switch self {
            case .microphone: (1, nil, .alwaysUseChannelBased)
            case .stereo: (2, nil, .alwaysUseChannelBased)
            case .ears: (2, nil, .alwaysUseBinaural)
            case .field: (16, kAudioChannelLayoutTag_HOA_ACN_SN3D | 16, .automatic)
            }
        }
    }

    /// dB of each octave re the sound's own at 1 m: of a pair of loudspeakers together, of ears in the mean, and of the
    /// first channel of a field.
    private func rendered(_ pair: (source: Vector, listener: Vector), _ output: Output) throws -> [Double] {
        let stage = output.stage
        let box = try BoxStage(channels: stage.channels, layout: stage.layout, mode: stage.mode)
        try box.add(SIMD3<Float>(Self.size), at: .zero, box.material(absorption: Self.absorption), isRoom: true)
        box.stage.listener.transform = .translation(SIMD3<Float>(pair.listener - Self.size / 2))
        let click = [0.1] + [Float](repeating: 0, count: 127)
        try box.play(
            click, at: SIMD3<Float>(pair.source - Self.size / 2),
            flags: [.directPathTransmission, .earlyReflections, .lateReverb], loops: false)
        let channels = try box.stage.render(Int(Self.seconds * 48_000))
        let own = Measure.octaveEnergies(of: click + [Float](repeating: 0, count: 65_408))
        let heard = channels.prefix(output == .field ? 1 : 2).map { Measure.octaveEnergies(of: $0) }
        return own.indices.map { band in
            let energy = heard.reduce(0) { $0 + pow(10, ($1[band] - own[band]) / 10) }
            return 10 * log10(output == .ears ? energy / 2 : energy)
        }
    }

    /// Mean power of both ears in each octave, of a wave from a direction.
    private static func ears(_ head: HRTFFilters, _ direction: Vector) -> [Double] {
        let count = head.tapCount
        var (left, right) = ([Float](repeating: 0, count: count), [Float](repeating: 0, count: count))
        _ = head.table.interpolate(SIMD3<Float>(direction), left: &left, right: &right)
        let own = Measure.octaveEnergies(of: [1] + [Float](repeating: 0, count: 16_383))
        let (l, r) = (Spectrum(of: left, minimumCount: 16_384), Spectrum(of: right, minimumCount: 16_384))
        return own.indices.map { band in
            let (low, high) = (OctaveBands.centre(band) / 2.0.squareRoot(), OctaveBands.centre(band) * 2.0.squareRoot())
            return (l.energy(from: low, to: high) + r.energy(from: low, to: high)) / 2 / pow(10, own[band] / 10)
        }
    }

    /// dB of all image sources at the output. Between two loudspeakers early ones do not interfere as at one place:
    /// there energies are added.
    private func expected(
        _ images: Energies, _ output: Output, _ head: HRTFFilters?, diffuse: [Double]
    ) -> [Double] {
        let ears = head.map { head in images.early.map { Self.ears(head, $0.way) } }
        return images.all.indices.map { band in
            let early = images.early.map { $0.energies[band] }
            let heard = ears.map { zip(early, $0).reduce(0) { $0 + $1.0 * $1.1[band] } } ?? early.reduce(0, +)
            let late = (images.all[band] - early.reduce(0, +)) * diffuse[band]
            return 10 * log10(late + heard * (output == .stereo ? 1 : images.interference(band)))
        }
    }

    @Test(arguments: Output.allCases)
    func `the mean of eight places has the image sources' level within 0.7 dB from 63 Hz to 8 kHz`(
        output: Output
    ) throws {
        let head = output == .ears ? try HRTFFilters.shared(sampleRate: 48_000) : nil
        var diffuse = [Double](repeating: head == nil ? 1 : 0, count: OctaveBands.count)
        for point in SphereGrid.spiral(60) {
            guard let head else { break }
            for (band, power) in Self.ears(head, point.direction).enumerated() { diffuse[band] += power * point.weight }
        }
        var means = [Double](repeating: 0, count: OctaveBands.count)
        for (pair, images) in zip(Self.pairs, Self.images) {
            let (found, wanted) = (try rendered(pair, output), expected(images, output, head, diffuse: diffuse))
            for band in means.indices { means[band] += (found[band] - wanted[band]) / Double(Self.pairs.count) }
        }
        for band in 1...8 { #expect(abs(means[band]) < 0.7, "octave \(band): \(means[band]) dB") }
    }
}
