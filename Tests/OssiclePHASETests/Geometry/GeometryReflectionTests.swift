import Foundation
import OssicleAcoustics
import OssicleCore
import OssicleTestSupport
import PHASE
import Testing

/// Reflections of a scene, against the closed form of a box.
@Suite struct GeometryReflectionTests {
    private static let rate = 48_000.0
    private static let size = SIMD3<Float>(6, 3, 5)
    private static let ear = SIMD3<Float>(1.2, -0.1, 1.3)
    private static let place = SIMD3<Float>(-1.1, 0.2, -0.9)
    private static let absorption = 0.2

    /// All reflections to order 2, each in a slot of its own: 24 are more than the twenty slots, so the weakest four
    /// are left out.
    private static let twenty = PHASEAcousticsQuality(rays: 256, reflections: 20)

    private func room(_ sound: [Float], loops: Bool, channels: AVAudioChannelCount = 1) throws -> Stage {
        let box = try BoxStage(channels: channels, quality: Self.twenty)
        try box.add(Self.size, at: .zero, box.material(absorption: Self.absorption), isRoom: true)
        box.stage.listener.transform = .translation(Self.ear)
        try box.play(sound, at: Self.place, flags: [.earlyReflections], loops: loops)
        return box.stage
    }

    /// Distance and amplitude of the images that are played.
    private var images: [(distance: Double, gain: Double)] {
        let wall = OctaveBands(repeating: Float((1 - Self.absorption).squareRoot()))
        let box = BoxRoom(
            corner: -Vector(Self.size) / 2, size: Vector(Self.size), walls: Array(repeating: wall, count: 6))
        return BoxRoom.indices(upTo: 2).map { index in
            let image = box.image(of: Vector(Self.place), index)
            let distance = (image.position - Vector(Self.ear)).magnitude
            return (distance, pow(1 - Self.absorption, Double(image.order) / 2) / distance)
        }
    }

    @Test func `reflections arrive when their ways say`() throws {
        let heard = try room([1] + [Float](repeating: 0, count: 479), loops: false).render(4096)[0]
        let images = images.sorted { $0.distance < $1.distance }
        let arrivals = images.map { $0.distance / 343.2 * Self.rate }
        var tested = 0
        for (index, arrival) in arrivals.enumerated() {
            let alone =
                (index == 0 || arrival - arrivals[index - 1] > 12)
                && (index + 1 == arrivals.count || arrivals[index + 1] - arrival > 12)
            guard alone, index < 12 else { continue }
            let around = Int(arrival) - 5...Int(arrival) + 5
            let peak = around.max { abs(heard[$0]) < abs(heard[$1]) } ?? 0
            #expect(abs(Double(peak) - arrival) <= 1, "\(peak) for \(arrival)")
            tested += 1
        }
        #expect(tested >= 3, "\(tested)")
    }

    @Test(arguments: [500.0, 1000, 2000])
    func `a tone through the reflections is the sum of their ways within half a decibel`(frequency: Double) throws {
        let heard = try room(sine(frequency, 4800), loops: true).render(28_800)[0]
        var (re, im) = (0.0, 0.0)
        for image in images.sorted(by: { $0.gain > $1.gain }).prefix(20) {
            let phase = -2 * Double.pi * frequency * image.distance / 343.2
            (re, im) = (re + image.gain * cos(phase), im + image.gain * sin(phase))
        }
        let level = decibels(rms(heard[14_400..<28_800]) / (0.25 / 2.0.squareRoot()))
        #expect(abs(level - decibels((re * re + im * im).squareRoot())) < 0.5, "\(level) dB")
    }

    @Test func `the cut of render calls leaves no trace`() throws {
        func render(_ call: Int) throws -> [[Float]] {
            let box = try BoxStage(quality: PHASEAcousticsQuality(rays: 512))
            try box.add(Self.size, at: .zero, box.material(absorption: Self.absorption, scattering: 0.3), isRoom: true)
            try box.add(SIMD3(1, 3, 0.2), at: SIMD3(0, 0, -0.2), box.material(absorption: 0.1))
            let (source, _) = try box.play(
                Signal.noise(count: 9600, amplitude: 0.2), at: Self.place,
                flags: [.directPathTransmission, .earlyReflections, .lateReverb])
            var heard = try box.stage.render(4096, call: call)
            source.transform = .translation(SIMD3(1, 0.5, -1))
            for (channel, samples) in try box.stage.render(8192, call: call).enumerated() { heard[channel] += samples }
            return heard
        }
        let (whole, cut) = (try render(512), try render(37))
        #expect(Measure.rms(whole[0]) > 1e-3 && zip(whole, cut).allSatisfy { Measure.sameBytes($0, $1) })
    }

    @Test func `in the open there are no reflections`() throws {
        let box = try BoxStage()
        try box.play(sine(1000, 4800), at: Self.place, flags: [.earlyReflections, .lateReverb])
        let heard = try box.stage.render(9600)
        #expect(heard.joined().allSatisfy { $0 == 0 } && box.engine.lastError == nil)
    }

    @Test func `the explanation tells the ways and the reverb`() throws {
        let box = try BoxStage()
        try box.add(Self.size, at: .zero, box.material(absorption: Self.absorption, scattering: 0.5), isRoom: true)
        box.stage.listener.transform = .translation(Self.ear)
        let (_, event) = try box.play(
            sine(1000, 4800), at: Self.place, flags: [.directPathTransmission, .earlyReflections, .lateReverb])
        _ = try box.stage.render(4800)
        let explanation = box.engine.explain(event)
        let voice = try TestFailure.unwrap(explanation.voices.first)
        let loudest = try TestFailure.unwrap(images.max { $0.gain < $1.gain })
        let direct = Double(simd_length(Self.place - Self.ear))
        let path = try TestFailure.unwrap(voice.paths.first)
        #expect(path.course == "off 1 surface" && abs(path.delay - (loudest.distance - direct) / 0.3432) < 0.01)
        // Half of what comes back is scattered, and belongs to the reverb; reflections that are left out share a little
        // out.
        let more = path.decibels - decibels(loudest.gain * 0.5.squareRoot())
        #expect((-0.1...0.3).contains(more), "\(path.decibels) dB, \(more) dB more")
        let eyring = 0.161 * 90 / (-126 * log(0.8))
        let t60 = try TestFailure.unwrap(voice.reverbTimes)[5]
        #expect(abs(t60 / eyring - 1) < 0.15, "\(t60) s, Eyring \(eyring) s")
        #expect("\(explanation)".contains("off 1 surface") && "\(explanation)".contains("reverb around the listener"))
        let report = box.engine.acousticsReport
        #expect(report.reflections >= 6 && !report.isDegraded && report.qualityUsed == .medium)
    }
}
