import Foundation
import OssicleCore
import OssicleTestSupport
import PHASE
import Testing

/// What the channels of an ambisonic output get (ACN, SN3D), against the harmonics in closed form.
@Suite struct AmbisonicOutputTests {
    private static let amplitude = 0.1
    private static func tag(_ order: Int) -> AudioChannelLayoutTag {
        kAudioChannelLayoutTag_HOA_ACN_SN3D | AudioChannelLayoutTag((order + 1) * (order + 1))
    }

    /// The harmonics as Daniel (2001) tables them, by azimuth to the left and elevation, in degrees.
    private static func harmonics(_ azimuth: Double, _ elevation: Double) -> [Double] {
        let (a, e) = (azimuth * .pi / 180, elevation * .pi / 180), c = cos(e), s = sin(e)
        return [
            1, sin(a) * c, s, cos(a) * c,
            3.0.squareRoot() / 2 * sin(2 * a) * c * c, 3.0.squareRoot() / 2 * sin(a) * sin(2 * e), (3 * s * s - 1) / 2,
            3.0.squareRoot() / 2 * cos(a) * sin(2 * e), 3.0.squareRoot() / 2 * cos(2 * a) * c * c,
            (5.0 / 8).squareRoot() * sin(3 * a) * c * c * c, 15.0.squareRoot() / 2 * sin(2 * a) * s * c * c,
            (3.0 / 8).squareRoot() * sin(a) * c * (5 * s * s - 1), s * (5 * s * s - 3) / 2,
            (3.0 / 8).squareRoot() * cos(a) * c * (5 * s * s - 1), 15.0.squareRoot() / 2 * cos(2 * a) * s * c * c,
            (5.0 / 8).squareRoot() * cos(3 * a) * c * c * c,
        ]
    }

    /// Those of any order, by the sum that defines the associated Legendre functions: with s = sin e, Pₗᵐ(s) is
    /// (1 − s²)^(m/2) / 2ˡ · Σₖ (−1)ᵏ (2l − 2k)! / (k! (l − k)! (l − 2k − m)!) s^(l − 2k − m).
    private static func harmonics(_ azimuth: Double, _ elevation: Double, order: Int) -> [Double] {
        let (a, s) = (azimuth * .pi / 180, sin(elevation * .pi / 180))
        func factorial(_ n: Int) -> Double { (0..<n).reduce(1) { $0 * Double($1 + 1) } }
        return (0...order).flatMap { l in
            (-l...l).map { signed -> Double in
                let m = abs(signed)
                let sum = (0...(l - m) / 2).reduce(0.0) { sum, k in
                    let term =
                        factorial(2 * l - 2 * k) / (factorial(k) * factorial(l - k) * factorial(l - 2 * k - m))
                    return sum + (k % 2 == 0 ? term : -term) * pow(s, Double(l - 2 * k - m))
                }
                let legendre = pow(max(1 - s * s, 0), Double(m) / 2) / pow(2, Double(l)) * sum
                let scale = ((m == 0 ? 1 : 2) * factorial(l - m) / factorial(l + m)).squareRoot()
                return scale * legendre * (signed < 0 ? sin(Double(m) * a) : cos(Double(m) * a))
            }
        }
    }

    /// The gain with which each channel has what the first one has.
    private func gains(_ channels: [[Float]]) -> [Double] {
        func product(_ other: [Float]) -> Double {
            zip(channels[0], other).reduce(0) { $0 + Double($1.0) * Double($1.1) }
        }
        let power = product(channels[0])
        return channels.map { product($0) / power }
    }

    private func direct(
        _ order: Int, azimuth: Double, elevation: Double, turn: Float = 0,
        weights: AudioChannelLayoutTag = kAudioChannelLayoutTag_HOA_ACN_SN3D
    ) throws -> [[Float]] {
        let stage = try Stage(layout: weights | UInt32((order + 1) * (order + 1)))
        try stage.register("tone", [Signal.sine(1000, count: 4800, amplitude: Self.amplitude)])
        let mixer = try stage.spatialMixer()
        let event = try stage.registerEvent("tone", into: mixer, loops: true)
        let place = HeadDirection.vector(azimuth: azimuth, elevation: elevation) * 2
        stage.listener.transform = simd_float4x4(simd_quatf(angle: turn * .pi / 180, axis: simd_float3(0, 1, 0)))
        try stage.start()
        try stage.event(event, mixer, stage.source(at: SIMD3<Float>(place))).start()
        return try stage.render(4800).map { Array($0[2400...]) }
    }

    @Test func `both forms of the harmonics agree`() {
        for (a, b) in zip(Self.harmonics(37, -21), Self.harmonics(37, -21, order: 7)) { #expect(abs(a - b) < 1e-12) }
    }

    @Test(arguments: [1, 2, 3, 5, 7])
    func `a source is encoded by the harmonics of its direction, the first channel at its own level`(order: Int) throws
    {
        for (azimuth, elevation) in [(0.0, 0.0), (90, 0), (-30, 20), (135, -45), (10, 90), (-160, 60)] {
            let heard = try direct(order, azimuth: azimuth, elevation: elevation)
            #expect(heard.count == (order + 1) * (order + 1))
            #expect(abs(decibels(rms(heard[0][...]) * 2.squareRoot() / Self.amplitude)) < 0.02)
            for (gain, expected) in zip(gains(heard), Self.harmonics(azimuth, elevation, order: order)) {
                #expect(abs(gain - expected) < 1e-4, "\(azimuth), \(elevation)")
            }
        }
    }

    @Test func `in N3D every channel is √(2l + 1) times as large`() throws {
        let heard = try direct(7, azimuth: 70, elevation: -20, weights: kAudioChannelLayoutTag_HOA_ACN_N3D)
        for (index, (gain, expected)) in zip(gains(heard), Self.harmonics(70, -20, order: 7)).enumerated() {
            let scale = Double(2 * Int(Double(index).squareRoot()) + 1).squareRoot()
            #expect(abs(gain - expected * scale) < 1e-4)
        }
    }

    @Test func `directions are those of the listener's head`() throws {
        // The head is turned 50° to the left: what was at 20° to the left is 30° to the right.
        for (gain, expected) in zip(
            gains(try direct(7, azimuth: 20, elevation: 10, turn: 50)), Self.harmonics(-30, 10, order: 7))
        {
            #expect(abs(gain - expected) < 1e-4)
        }
    }

    @Test func `a reflection is encoded by the harmonics of where it comes from, in every order`() throws {
        for isStrongest in [true, false] {
            let box = try BoxStage(layout: Self.tag(7))
            // A wall 2 m to the left: the image of (−1, 1, −1) is (−3, 1, −1). Four walls that reflect more, from
            // further off than is measured, take the places of those that have a direction of their own, and leave it
            // the bus.
            try box.add(
                SIMD3(0.5, 60, 60), at: SIMD3(-2.25, 0, 0), box.material(absorption: isStrongest ? 0 : 0.9995))
            if !isStrongest {
                for (size, centre) in [
                    (SIMD3<Float>(0.5, 60, 60), SIMD3<Float>(40, 0, 0)), (SIMD3(60, 0.5, 60), SIMD3(0, 40, 0)),
                    (SIMD3(60, 0.5, 60), SIMD3(0, -40, 0)), (SIMD3(60, 60, 0.5), SIMD3(0, 0, 40)),
                ] { try box.add(size, at: centre, box.material(absorption: 0)) }
            }
            try box.play(
                [0.5] + [Float](repeating: 0, count: 255), at: SIMD3(-1, 1, -1), flags: .earlyReflections, loops: false)
            let heard = try box.stage.render(1024)
            let azimuth = atan2(3.0, 1) * 180 / .pi, elevation = asin(1 / 11.0.squareRoot()) * 180 / .pi
            for (gain, expected) in zip(gains(heard), Self.harmonics(azimuth, elevation, order: 7)) {
                #expect(abs(gain - expected) < 1e-4)
            }
        }
    }

    /// The energy that a click brings to each channel, by one part of its sound in a room.
    private func energies(_ part: PHASESpatialPipeline.Flags, _ tag: AudioChannelLayoutTag) throws -> [Double] {
        let stage = try Stage(layout: tag, mode: .alwaysUseChannelBased)
        stage.engine.defaultReverbPreset = .mediumRoom
        try stage.register("click", [Signal.impulse(count: 64, height: 0.5)])
        let mixer = try stage.spatialMixer(part)
        try stage.registerEvent("click", into: mixer)
        try stage.start()
        try stage.event("click event", mixer, stage.source(at: SIMD3(1.3, 0.2, -1.9))).start()
        return try stage.render(48_000).map(Measure.energy)
    }

    @Test func `reverberation is an isotropic field: channels of order l have 1 / (2l + 1) of the first one's energy`()
        throws
    {
        let energy = try energies(.lateReverb, Self.tag(7))
        for l in 0...7 {
            let mean = energy[(l * l)..<((l + 1) * (l + 1))].reduce(0, +) / Double(2 * l + 1)
            // One response of a second is a random one: its energy scatters by some tenths of a dB.
            #expect(abs(decibels((mean / energy[0] * Double(2 * l + 1)).squareRoot())) < 1, "order \(l)")
        }
    }

    @Test(arguments: [PHASESpatialPipeline.Flags.lateReverb, .earlyReflections])
    func `the first channel has the energy that all loudspeakers have together`(part: PHASESpatialPipeline.Flags) throws
    {
        let field = try energies(part, Self.tag(3))[0]
        let speakers = try energies(part, kAudioChannelLayoutTag_Atmos_7_1_4).reduce(0, +)
        #expect(abs(decibels((field / speakers).squareRoot())) < 1)
    }

    @Test func `fewer channels are the first of many`() throws {
        let many = try energies(.lateReverb, Self.tag(7))
        for order in [1, 3] {
            let few = try energies(.lateReverb, Self.tag(order))
            #expect(few == Array(many.prefix(few.count)))
        }
    }

    /// What a bed becomes whose channel `active` alone has a sound.
    private func bed(
        _ tag: AudioChannelLayoutTag, _ active: Int, of count: Int
    ) throws -> (sound: [Float], heard: [[Float]]) {
        let stage = try Stage(layout: Self.tag(7))
        let sound = Signal.noise(count: 4800, amplitude: 0.3)
        try stage.register(
            "bed", (0..<count).map { $0 == active ? sound : Signal.silence(count: 4800) }, layout: tag)
        let event = try stage.registerEvent("bed", into: stage.channelMixer(tag))
        try stage.start()
        try stage.event(event).start()
        return (sound, try stage.render(4800))
    }

    @Test func `a bed of the same field passes bit for bit, one in N3D in its weights`() throws {
        for (tag, channel, count) in [(Self.tag(3), 7, 16), (Self.tag(7), 50, 64)] {
            let same = try bed(tag, channel, of: count)
            #expect(same.heard[channel] == same.sound)
            for other in 0..<64 where other != channel { #expect(same.heard[other].allSatisfy { $0 == 0 }) }
        }
        let other = try bed(kAudioChannelLayoutTag_HOA_ACN_N3D | 16, 7, of: 16)
        for (a, b) in zip(other.heard[7], other.sound) { #expect(abs(a - b / 5.0.squareRoot().float) < 1e-6) }
    }

    @Test func `loudspeakers of a bed stand where their layout has them, and its LFE is dropped`() throws {
        let left = try bed(kAudioChannelLayoutTag_MPEG_5_1_A, 0, of: 6)
        for (gain, expected) in zip(gains(left.heard), Self.harmonics(30, 0, order: 7)) {
            #expect(abs(gain - expected) < 1e-5)
        }
        let lfe = try bed(kAudioChannelLayoutTag_MPEG_5_1_A, 3, of: 6)
        #expect(lfe.heard.allSatisfy { $0.allSatisfy { $0 == 0 } })
    }
}

extension Double {
    fileprivate var float: Float { Float(self) }
}
