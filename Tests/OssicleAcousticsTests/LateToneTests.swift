@testable import OssicleAcoustics
import OssicleCore
import OssicleTestSupport
import Testing

/// Early paths and late field together have the energy of all image sources: nothing falls between the two.
@Suite struct LateToneTests {
    private let size = Vector(7, 5, 3)
    private let absorption = 0.1

    /// Energy of all image sources up to 60 dB below the direct sound's, per band, air included.
    private func images(from source: Vector, to listener: Vector, _ medium: Medium) -> [Double] {
        // By tenths of a metre, so that the air is asked for once each.
        let byLength = BoxImages.energies(
            from: source, to: listener, size: Vector(size.x, size.z, size.y), remaining: 1 - absorption,
            reach: 2.0 * 343.2)
        var energies = [Double](repeating: 0, count: OctaveBands.count)
        for (index, energy) in byLength.enumerated() where energy > 0 {
            let air = medium.gains(distance: (Double(index) + 0.5) / 10)
            for band in energies.indices { energies[band] += energy * Double(air[band] * air[band]) }
        }
        return energies
    }

    @Test("The mean of eight places is within 0.7 dB of the image sources in every octave from 63 Hz to 8 kHz")
    func tone() {
        let tracer = LateRooms.box(size, walls: LateRooms.wall(absorption, scattering: 0))
        let places = LateRooms.places(16, in: size)
        let wanted = (0..<8).map { images(from: places[2 * $0], to: places[2 * $0 + 1], tracer.scene.medium) }
        for quality in [AcousticQuality.medium, .high] { check(quality, tracer, places, wanted) }
    }

    private func check(
        _ quality: AcousticQuality, _ tracer: PortableTracer, _ places: [Vector], _ wanted: [[Double]]
    ) {
        var quality = quality
        quality.rays = 4096
        let solver = GeometrySolver(tracer: tracer, quality: quality, seed: 5)
        let medium = tracer.scene.medium
        var ratios = [Double](repeating: 0, count: OctaveBands.count)
        for pair in 0..<8 {
            let (source, listener) = (places[2 * pair], places[2 * pair + 1])
            let acoustics = solver.paths(
                DirectPathQuery(source: .point(source), listener: listener),
                trying: solver.wantsCandidates ? solver.candidates(of: source, at: listener) : nil)
            let late = solver.lateResponses(of: [source], at: listener)
            let field = LateField(late.room, survey: late.survey, speedOfSound: medium.speedOfSound)
            let part = LateField(of: late.sources[0], in: field)
            let direct = (source - listener).magnitude
            for band in 0..<OctaveBands.count {
                let early = acoustics.reflections.reduce(Self.energy(1, direct, medium, band)) {
                    $0 + Self.energy($1.bandGains[band], $1.length, medium, band)
                }
                ratios[band] += Decibels.of(energy: (early + Double(part.energy[band])) / wanted[pair][band]) / 8
            }
        }
        for band in 1...8 {
            #expect(abs(ratios[band]) < 0.7, "\(quality.reflections) reflections, band \(band): \(ratios[band]) dB")
        }
    }

    private static func energy(_ gain: Float, _ length: Double, _ medium: Medium, _ band: Int) -> Double {
        let amplitude = Double(gain * medium.gains(distance: length)[band]) / length
        return amplitude * amplitude
    }
}
