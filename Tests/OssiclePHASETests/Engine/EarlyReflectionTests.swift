import Foundation
@testable import OssicleAcoustics
import OssicleCore
import OssicleDSP
import OssicleTestSupport
import PHASE
import Testing

@Suite struct EarlyReflectionTests {
    private static let rate = 48_000.0
    private static let place = SIMD3<Float>(1.3, 0.2, -1.9)

    /// A source at `place` heard through its reflections alone, and its event, started.
    private func play(
        _ sound: [Float], channels: AVAudioChannelCount = 1, preset: PHASEReverbPreset = .mediumRoom,
        loops: Bool = false,
        flags: PHASESpatialPipeline.Flags = [.earlyReflections], rolloff: Double? = 1
    ) throws -> (Stage, PHASESource) {
        let stage = try Stage(channels: channels)
        stage.engine.defaultReverbPreset = preset
        try stage.register("sound", [sound])
        let mixer = try stage.spatialMixer(flags, rolloff: rolloff)
        try stage.registerEvent("sound", into: mixer, loops: loops)
        let source = try stage.source(at: Self.place)
        try stage.start()
        try stage.event("sound event", mixer, source).start(completion: nil)
        return (stage, source)
    }

    /// Distance and wall count of every reflection of the preset's box, and what one wall leaves at 1 kHz.
    private func expected(_ preset: ReverbPreset) -> (paths: [(distance: Double, order: Int)], wall: Double) {
        let room = preset.room
        let wall = BoxRoom.wall(t60: room.t60, meanFreeTime: room.meanFreeTime)
        let source = Vector(Self.place)
        let box = BoxRoom(around: .zero, source: source, size: Vector(room.width, room.height, room.length), wall: wall)
        let images = BoxRoom.indices(upTo: 2).map { box.image(of: source, $0) }
        return (images.map { ($0.position.magnitude, $0.order) }, Double(wall[5]))
    }

    @Test func `reflections arrive when their ways say, and none before the direct sound would`() throws {
        let (stage, _) = try play([1] + [Float](repeating: 0, count: 479))
        let heard = try stage.render(4096)[0]
        let arrivals = expected(.mediumRoom).paths.map { $0.distance / 343.2 * Self.rate }.sorted()
        let direct = Vector(Self.place).magnitude / 343.2 * Self.rate
        // The interpolation of a delay rings 16 frames ahead.
        let early = heard[0..<Int(arrivals[0]) - 17].map(abs).max() ?? 1
        #expect(arrivals[0] > direct && early == 0)
        var tested = 0
        for (index, arrival) in arrivals.enumerated() {
            let alone =
                (index == 0 || arrival - arrivals[index - 1] > 40)
                && (index + 1 == arrivals.count || arrivals[index + 1] - arrival > 40)
            guard alone else { continue }
            let around = Int(arrival) - 15...Int(arrival) + 15
            let peak = around.max { abs(heard[$0]) < abs(heard[$1]) } ?? 0
            #expect(abs(Double(peak) - arrival) <= 1, "\(peak) for \(arrival)")
            tested += 1
        }
        #expect(tested >= 4)
    }

    @Test(arguments: [500.0, 1000, 2000])
    func `a tone through the reflections is the sum of their paths within half a decibel`(frequency: Double) throws {
        let (stage, _) = try play(sine(frequency, 4800), loops: true)
        let heard = try stage.render(24_000)[0]
        let (paths, wall) = expected(.mediumRoom)
        var (re, im) = (0.0, 0.0)
        for path in paths {
            let gain = pow(wall, Double(path.order)) / path.distance
            let phase = -2 * Double.pi * frequency * path.distance / 343.2
            (re, im) = (re + gain * cos(phase), im + gain * sin(phase))
        }
        let level = decibels(rms(heard[12_000..<21_600]) / (0.25 / 2.0.squareRoot()))
        #expect(abs(level - decibels((re * re + im * im).squareRoot())) < 0.5, "\(level) dB")
    }

    @Test func `whatever the distance law, reflections are to the direct sound what their ways make of them`() throws {
        func level(_ rolloff: Double?, _ flags: PHASESpatialPipeline.Flags) throws -> Double {
            let (stage, _) = try play(sine(1000, 4800), loops: true, flags: flags, rolloff: rolloff)
            return rms(try stage.render(24_000)[0][12_000..<21_600])
        }
        let ratio = try level(1, [.earlyReflections]) / level(1, [.directPathTransmission])
        for rolloff in [0.5, 2, nil] {
            let other = try level(rolloff, [.earlyReflections]) / level(rolloff, [.directPathTransmission])
            #expect(abs(decibels(other / ratio)) < 0.05)
        }
    }

    @Test func `without a preset there is no room, and no reflection`() throws {
        let (stage, _) = try play(sine(1000, 4800), preset: .none, loops: true)
        let heard = try stage.render(9600)[0]
        #expect(heard.allSatisfy { $0 == 0 } && stage.engine.lastError == nil)
    }

    @Test func `the cut of render calls leaves no trace`() throws {
        func render(_ call: Int) throws -> [[Float]] {
            let (stage, source) = try play(
                Signal.noise(count: 9600, amplitude: 0.2), channels: 2, loops: true,
                flags: [.directPathTransmission, .earlyReflections])
            var heard = try stage.render(4096, call: call)
            source.transform = .translation(SIMD3(-2, 0.5, -1))
            for (channel, samples) in try stage.render(8192, call: call).enumerated() { heard[channel] += samples }
            return heard
        }
        let (whole, cut) = (try render(512), try render(37))
        #expect(whole == cut)
    }

    @Test
    func
        `binaural reflections lean to the side of their source, and are as strong as sources where the images are, within 3 dB`()
        throws
    {
        let place = SIMD3<Float>(2, 0, -0.3)
        func power(_ flags: PHASESpatialPipeline.Flags, at position: SIMD3<Float>) throws -> SIMD2<Double> {
            let (stage, source) = try play(
                Signal.noise(count: 9600, amplitude: 0.2), channels: 2, loops: true, flags: flags)
            source.transform = .translation(position)
            let heard = try stage.render(19_200)
            return SIMD2(pow(rms(heard[0][9600...]), 2), pow(rms(heard[1][9600...]), 2))
        }
        let room = ReverbPreset.mediumRoom.room
        let wall = BoxRoom.wall(t60: room.t60, meanFreeTime: room.meanFreeTime)
        let box = BoxRoom(
            around: .zero, source: Vector(place), size: Vector(room.width, room.height, room.length), wall: wall)
        var expected = SIMD2<Double>.zero
        for image in BoxRoom.indices(upTo: 2).map({ box.image(of: Vector(place), $0) }) {
            expected +=
                try power([.directPathTransmission], at: SIMD3<Float>(image.position))
                * pow(Double(wall[5]), 2 * Double(image.order))
        }
        let heard = try power([.earlyReflections], at: place)
        #expect(heard.y > heard.x)
        #expect(
            abs(10 * log10(heard.x / expected.x)) < 3 && abs(10 * log10(heard.y / expected.y)) < 3,
            "\(heard / expected)")
    }

    @Test func `a room that changes while it sounds does not click`() throws {
        let (stage, source) = try play(sine(1000, 4800), loops: true)
        var heard = try stage.render(12_288)[0]
        stage.engine.defaultReverbPreset = .largeRoom
        heard += try stage.render(6144)[0]
        for step in 0..<24 {
            source.transform = .translation(Self.place + SIMD3(Float(step) * 0.02, 0, 0))
            heard += try stage.render(512)[0]
        }
        // A sine's steps are bounded by its slope; a click would be a step many times that.
        let steps = zip(heard[6000...], heard[6001...]).map { abs($1 - $0) }
        let peak = heard[6000...].map(abs).max() ?? 0
        #expect(peak > 0.01 && (steps.max() ?? 1) < peak * Float(2 * Double.pi * 1000 / Self.rate) * 1.5)
    }
}
