import Foundation
import OssicleCore
import OssicleDSP
import OssicleTestSupport
import PHASE
import Testing

/// The head turns in a bed: what changes, and what must not.
@Suite struct BedEquivalenceTests {
    /// Layout, a channel of it, and where its loudspeaker stands (ITU-R BS.2051; the quad is a square).
    static let channels: [(tag: AudioChannelLayoutTag, channel: Int, azimuth: Double, elevation: Double)] = [
        (kAudioChannelLayoutTag_Stereo, 0, 30, 0), (kAudioChannelLayoutTag_Quadraphonic, 3, -135, 0),
        (kAudioChannelLayoutTag_MPEG_5_1_A, 4, 110, 0),
        (kAudioChannelLayoutTag_MPEG_7_1_C, 6, 135, 0), (kAudioChannelLayoutTag_Atmos_7_1_4, 9, -45, 30),
    ]

    /// Noise with a period of 1200 frames, up to 16 kHz: as far as delays are exact while a direction still settles.
    private static let noise: [Float] = {
        let random = CounterRandom(seed: 1, object: 0)
        let turns = (1...400).map { random.unit(UInt64($0)) }
        return (0..<1200).map { frame in
            let sum = turns.enumerated().reduce(0.0) { sum, partial in
                sum + cos(2 * Double.pi * (Double((partial.offset + 1) * frame) / 1200 + partial.element))
            }
            return Float(0.0025 * sum)
        }
    }()

    /// A source 30 m away without a distance model.
    private func farSource(
        _ sound: [Float], _ direction: Vector, channels: AVAudioChannelCount = 2, layout: AudioChannelLayoutTag? = nil
    ) throws -> Stage {
        let stage = try Stage(channels: channels, layout: layout)
        try stage.register("far", [sound])
        let mixer = try stage.spatialMixer()
        try stage.registerEvent("far", into: mixer, loops: true)
        try stage.start()
        try stage.event("far event", mixer, stage.source(at: SIMD3<Float>(direction * 30))).start()
        return stage
    }

    private func playing(
        _ channels: [[Float]], _ tag: AudioChannelLayoutTag, layout: AudioChannelLayoutTag? = nil
    ) throws -> Stage {
        let stage = try Stage(layout: layout)
        try stage.start()
        try stage.startBed(channels, tag)
        return stage
    }

    @Test(arguments: channels)
    func `a channel is a source far away in its direction, at each ear and any turn of the head`(
        tag: AudioChannelLayoutTag, channel: Int, azimuth: Double, elevation: Double
    ) throws {
        let sound = Self.noise
        let count = Int(AudioChannelLayoutTag_GetNumberOfChannels(tag))
        let (bed, source) = (
            try playing(Bed.only(channel, of: count, sound), tag),
            try farSource(sound, HeadDirection.vector(azimuth: azimuth, elevation: elevation))
        )
        // What is on its way for 30 m arrives.
        _ = try (bed.render(5120), source.render(5120))
        let turns = Bed.turns(24)
        let (heard, wanted) = (try levels(bed, turns: turns), try levels(source, turns: turns))
        for (a, b) in zip(heard, wanted) { for ear in 0..<2 { #expect(abs(a[ear] - b[ear]) < 0.1) } }
        // The turns are heard.
        #expect((heard.map { $0[0] - $0[1] }.max() ?? 0) > 3 && (heard.map { $0[0] - $0[1] }.min() ?? 0) < -3)
    }

    @Test(arguments: [
        kAudioChannelLayoutTag_Quadraphonic, kAudioChannelLayoutTag_MPEG_5_1_A, kAudioChannelLayoutTag_Atmos_7_1_4,
    ])
    func `on loudspeakers a channel keeps its level at any turn of the head`(output: AudioChannelLayoutTag) throws {
        let sound = Signal.sine(1000, count: 2400, amplitude: 0.1)
        for (tag, channel, _, _) in Self.channels {
            let bed = try playing(
                Bed.only(channel, of: Int(AudioChannelLayoutTag_GetNumberOfChannels(tag)), sound), tag, layout: output)
            for heard in try levels(bed, turns: Bed.turns(24)) {
                #expect(abs(power(heard) - decibels(rms(sound[...]))) < 0.1)
            }
        }
    }

    @Test(arguments: [250.0, 500, 1000])
    func `a wave in a sound field is a source far away, up to 1 kHz and within 1 dB at the nearer ear, 2 at the other`(
        frequency: Double
    ) throws {
        let sound = Signal.sine(frequency, count: 2400, amplitude: 0.05)
        let direction = HeadDirection.vector(azimuth: 70, elevation: 0)
        let (bed, source) = (
            try playing(Bed.wave(sound, from: direction), kAudioChannelLayoutTag_HOA_ACN_SN3D | 16),
            try farSource(sound, direction)
        )
        _ = try (bed.render(5120), source.render(5120))
        let turns = stride(from: 0.0, to: 360, by: 15).map { Bed.yaw($0) }
        for (a, b) in zip(try levels(bed, turns: turns), try levels(source, turns: turns)) {
            let near = b[0] > b[1] ? 0 : 1
            #expect(abs(a[near] - b[near]) < 1)
            #expect(abs(a[1 - near] - b[1 - near]) < 2)
        }
    }

    @Test(arguments: [1, 2, 3])
    func `turning the head in a sound field is turning the field the other way`(order: Int) throws {
        let sound = Signal.noise(count: 1200, amplitude: 0.05)
        let channels = Bed.wave(sound, from: HeadDirection.vector(azimuth: 40, elevation: -20), order: order)
        let tag = kAudioChannelLayoutTag_HOA_ACN_SN3D | AudioChannelLayoutTag(channels.count)
        let bed = try playing(channels, tag)
        for turn in Bed.turns(6) {
            let heard = try levels(bed, turns: [turn])[0]
            let other = try Stage()
            try other.start()
            try other.startBed(channels, tag, turned: turn.inverse)
            let wanted = try levels(other, turns: [Bed.yaw(0)])[0]
            for ear in 0..<2 { #expect(abs(heard[ear] - wanted[ear]) < 0.01) }
        }
    }
}
