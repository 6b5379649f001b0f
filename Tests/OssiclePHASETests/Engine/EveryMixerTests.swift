import Foundation
import OssicleTestSupport
import PHASE
import Testing

/// Mono, stereo, 5.1 and 7.1 through every kind of mixer: the level of a tone in each channel.
@Suite struct EveryMixerTests {
    /// Tag, and the gain of each channel in left and right of a stereo output (ITU-R BS.775).
    static let layouts: [(tag: AudioChannelLayoutTag, left: [Double], right: [Double])] = [
        (kAudioChannelLayoutTag_Mono, [1], [1]),
        (kAudioChannelLayoutTag_Stereo, [1, 0], [0, 1]),
        (
            kAudioChannelLayoutTag_MPEG_5_1_A, [1, 0, 0.5.squareRoot(), 0, 0.5.squareRoot(), 0],
            [0, 1, 0.5.squareRoot(), 0, 0, 0.5.squareRoot()]
        ),
        (
            kAudioChannelLayoutTag_MPEG_7_1_C, [1, 0, 0.5.squareRoot(), 0, 0.5.squareRoot(), 0, 0.5.squareRoot(), 0],
            [0, 1, 0.5.squareRoot(), 0, 0, 0.5.squareRoot(), 0, 0.5.squareRoot()]
        ),
    ]

    private let tone = Signal.sine(1000, count: 2400, amplitude: 0.1)

    private func isLFE(_ channel: Int, of count: Int) -> Bool { count >= 6 && channel == 3 }

    @Test(arguments: layouts)
    func `through a channel mixer, each by the documented gain`(
        tag: AudioChannelLayoutTag, left: [Double], right: [Double]
    ) throws {
        for channel in left.indices {
            let stage = try Stage()
            try stage.register("bed", Bed.only(channel, of: left.count, tone), layout: tag)
            let event = try stage.registerEvent("bed", into: stage.channelMixer(tag))
            try stage.start()
            try stage.event(event).start()
            let out = try stage.render(2400)
            for (ear, gain) in [(0, left[channel]), (1, right[channel])] {
                #expect(abs(rms(out[ear][...]) / rms(tone[...]) - gain) < 1e-4)
            }
        }
    }

    @Test(arguments: layouts)
    func `through an ambient mixer, each with the power it has; an LFE not at all`(
        tag: AudioChannelLayoutTag, left: [Double], right: [Double]
    ) throws {
        for channel in left.indices {
            let stage = try Stage(layout: kAudioChannelLayoutTag_MPEG_5_1_A)
            try stage.start()
            try stage.startBed(Bed.only(channel, of: left.count, tone), tag)
            let heard = power(try levels(stage, turns: [Bed.yaw(0)])[0])
            if isLFE(channel, of: left.count) {
                #expect(heard == -.infinity)
            } else {
                #expect(abs(heard - decibels(rms(tone[...]))) < 0.1)
            }
        }
    }

    @Test(arguments: layouts)
    func `through a spatial mixer, as the mean of its channels`(
        tag: AudioChannelLayoutTag, left: [Double], right: [Double]
    ) throws {
        func level(_ channels: [[Float]], _ tag: AudioChannelLayoutTag) throws -> Double {
            let stage = try Stage()
            try stage.register("sound", channels, layout: tag)
            let mixer = try stage.spatialMixer()
            try stage.registerEvent("sound", into: mixer, loops: true)
            try stage.start()
            try stage.event("sound event", mixer, stage.source(at: SIMD3(0, 0, -2))).start()
            return power(try levels(stage, turns: [Bed.yaw(0)])[0])
        }
        let alone = try level([tone], kAudioChannelLayoutTag_Mono)
        for channel in left.indices {
            let heard = try level(Bed.only(channel, of: left.count, tone), tag)
            #expect(abs(heard - alone + decibels(Double(left.count))) < 0.01)
        }
        #expect(abs(try level([[Float]](repeating: tone, count: left.count), tag) - alone) < 0.01)
    }
}
