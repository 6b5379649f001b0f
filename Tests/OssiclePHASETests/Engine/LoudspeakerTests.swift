import Foundation
import OssicleChannels
import OssicleCore
import OssicleTestSupport
import PHASE
import Testing

/// What a format's loudspeakers get of direct sound, reflections, reverberation and beds, from quad to 7.1.4.
@Suite struct LoudspeakerTests {
    private static let tags = [
        kAudioChannelLayoutTag_Quadraphonic, kAudioChannelLayoutTag_MPEG_5_0_A, kAudioChannelLayoutTag_MPEG_5_1_A,
        kAudioChannelLayoutTag_MPEG_7_1_C, kAudioChannelLayoutTag_Atmos_5_1_4, kAudioChannelLayoutTag_Atmos_7_1_4,
    ]
    private static let amplitude = 0.1

    private static func speakers(_ tag: AudioChannelLayoutTag) throws -> [SpeakerLayout.Speaker] {
        try TestFailure.unwrap(SpeakerLayout.speakers(tag: tag))
    }

    /// The amplitude in each channel of a tone from a direction, from all of the directions in turn.
    private func direct(
        _ tag: AudioChannelLayoutTag, from directions: [(azimuth: Double, elevation: Double)]
    ) throws -> [[Double]] {
        try directions.map { azimuth, elevation in
            let stage = try Stage(layout: tag)
            try stage.register("tone", [Signal.sine(1000, count: 4800, amplitude: Self.amplitude)])
            let mixer = try stage.spatialMixer()
            let event = try stage.registerEvent("tone", into: mixer, loops: true)
            let place = HeadDirection.vector(azimuth: azimuth, elevation: elevation) * 2
            try stage.start()
            try stage.event(event, mixer, stage.source(at: SIMD3<Float>(place))).start()
            return try stage.render(4800).map { rms($0[2400...]) * 2.squareRoot() }
        }
    }

    private func power(_ amplitudes: [Double]) -> Double { amplitudes.reduce(0) { $0 + $1 * $1 } }

    @Test(arguments: tags)
    func `a source at a loudspeaker is heard from it alone, at its own level`(tag: AudioChannelLayoutTag) throws {
        let speakers = try Self.speakers(tag)
        for (channel, speaker) in speakers.enumerated() where !speaker.isLFE {
            let heard = try direct(tag, from: [(speaker.azimuth, speaker.elevation)])[0]
            #expect(abs(decibels(heard[channel] / Self.amplitude)) < 0.1)
            for (other, level) in heard.enumerated() where other != channel {
                #expect(level < 1e-3 * Self.amplitude, "channel \(channel) in \(other)")
            }
        }
    }

    /// Directions around and above the listener that are no loudspeaker's.
    @Test(arguments: tags)
    func `from anywhere the power is the sound's own, and the LFE is silent`(tag: AudioChannelLayoutTag) throws {
        let directions: [(azimuth: Double, elevation: Double)] = [0.0, 40, 75].flatMap { (elevation: Double) in
            stride(from: -170.0, to: 180, by: 50).map { (azimuth: $0, elevation: elevation) }
        }
        let speakers = try Self.speakers(tag)
        for (heard, direction) in zip(try direct(tag, from: directions), directions) {
            #expect(abs(decibels(power(heard).squareRoot() / Self.amplitude)) < 0.1, "\(direction)")
            for (speaker, level) in zip(speakers, heard) where speaker.isLFE { #expect(level == 0) }
        }
    }

    @Test(arguments: [kAudioChannelLayoutTag_Atmos_5_1_4, kAudioChannelLayoutTag_Atmos_7_1_4])
    func `a source overhead is heard from the four heights alone`(tag: AudioChannelLayoutTag) throws {
        let heard = try direct(tag, from: [(0, 90)])[0]
        for (speaker, level) in zip(try Self.speakers(tag), heard) {
            if speaker.elevation > 0 {
                #expect(abs(decibels(level / Self.amplitude) + 6.02) < 0.1)
            } else {
                #expect(level < 1e-3 * Self.amplitude)
            }
        }
    }

    /// The energy that a click brings to all loudspeakers together, by one part of its sound in a room.
    private func energy(_ part: PHASESpatialPipeline.Flags, _ tag: AudioChannelLayoutTag) throws -> Double {
        let stage = try Stage(layout: tag, mode: .alwaysUseChannelBased)
        stage.engine.defaultReverbPreset = .mediumRoom
        try stage.register("click", [Signal.impulse(count: 64, height: 0.5)])
        let mixer = try stage.spatialMixer(part)
        try stage.registerEvent("click", into: mixer)
        try stage.start()
        try stage.event("click event", mixer, stage.source(at: SIMD3(1.3, 0.2, -1.9))).start()
        let heard = try stage.render(48_000)
        for (speaker, samples) in zip(try Self.speakers(tag), heard) where speaker.isLFE {
            #expect(samples.allSatisfy { $0 == 0 })
        }
        return heard.reduce(0) { $0 + Measure.energy($1) }
    }

    @Test(arguments: [PHASESpatialPipeline.Flags.earlyReflections, .lateReverb])
    func `a room is as loud on every layout within half a decibel`(part: PHASESpatialPipeline.Flags) throws {
        let levels = try ([kAudioChannelLayoutTag_Mono, kAudioChannelLayoutTag_Stereo] + Self.tags).map {
            10 * log10(try energy(part, $0))
        }
        let mean = levels.reduce(0, +) / Double(levels.count)
        #expect(levels.allSatisfy { abs($0 - mean) < 0.25 }, "\(levels.map { $0 - mean })")
    }

    @Test(arguments: tags)
    func `beds of the same layout pass channel by channel; ambient ones lose their LFE`(
        tag: AudioChannelLayoutTag
    ) throws {
        let speakers = try Self.speakers(tag)
        let tone = Signal.sine(1000, count: 4800, amplitude: Self.amplitude)
        let bed = (1...speakers.count).map { number in tone.map { $0 * Float(number) / 16 } }
        for isAmbient in [false, true] {
            let stage = try Stage(layout: tag)
            try stage.start()
            if isAmbient {
                try stage.startBed(bed, tag)
            } else {
                try stage.register("bed", bed, layout: tag)
                try stage.event(stage.registerEvent("bed", into: stage.channelMixer(tag), loops: true)).start()
            }
            let heard = try stage.render(7200).map { rms($0[2400...]) * 2.squareRoot() * 16 / Self.amplitude }
            for (channel, speaker) in speakers.enumerated() {
                let expected = isAmbient && speaker.isLFE ? 0 : Double(channel + 1)
                #expect(abs(heard[channel] - expected) < 0.01 * Double(channel + 1), "channel \(channel)")
            }
        }
    }
}
