import Foundation
import OssicleAudioToolbox
import OssicleTestSupport
import Testing
@testable import OssicleAVFAudio

@Suite("A measured room in a reverb") struct ReverbResponseTests {
    private static func buffer(_ channels: [[Float]], rate: Double = 48_000) throws -> AVAudioPCMBuffer {
        let count = channels[0].count
        let layout = try #require(
            AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_DiscreteInOrder | UInt32(channels.count)))
        let format =
            channels.count > 2
            ? AVAudioFormat(standardFormatWithSampleRate: rate, channelLayout: layout)
            : OfflineRig.format(rate, AVAudioChannelCount(channels.count))
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(max(count, 1))))
        buffer.frameLength = AVAudioFrameCount(count)
        for (number, channel) in channels.enumerated() {
            for (frame, sample) in channel.enumerated() { buffer.floatChannelData?[number][frame] = sample }
        }
        return buffer
    }

    /// Noise that falls by 60 dB over its length.
    private static func decay(_ length: Int, seed: UInt64, height: Double = 0.5) -> [Float] {
        Signal.noise(count: length, seed: seed, amplitude: height).enumerated().map {
            $1 * Float(exp(-6.907755 * Double($0) / Double(length)))
        }
    }

    @Test("A file's response is heard sample by sample from the first frame on, and the unit says how long it is")
    func file() throws {
        let response = [Self.decay(5000, seed: 1), Self.decay(5000, seed: 2)]
        let folder = try TemporaryFolder()
        let url = folder.file("hall.wav")
        do {
            let file = try AVAudioFile(forWriting: url, settings: OfflineRig.format(48_000, 2).settings)
            try file.write(from: try Self.buffer(response))
        }
        let unit = AVAudioUnitReverb()
        try unit.loadImpulseResponse(contentsOf: url, normalized: false)
        #expect(unit.hasImpulseResponse)
        let rig = try OfflineRig.playing(OfflineRig.source(OfflineRig.impulse), through: [unit])
        let out = try rig.render(9600)
        for channel in 0..<2 {
            let differences = (0..<5000).map { abs(out[channel][$0] - response[channel][$0]) }
            #expect((differences.max() ?? 1) < 1e-6)
            #expect(Measure.peak(Array(out[channel].dropFirst(5000))) < 1e-6)
        }
        #expect(unit.latency == 0)
        #expect(abs(unit.auAudioUnit.tailTime - 5000 / 48_000) < 1e-9)
    }

    @Test("Mixed by half, dry and wet powers add up, and the dry sound is in time")
    func mix() throws {
        let unit = AVAudioUnitReverb()
        try unit.loadImpulseResponse(try Self.buffer([[0, 0, 1]]), normalized: false)
        unit.wetDryMix = 50
        let rig = try OfflineRig.playing(OfflineRig.source(OfflineRig.impulse), through: [unit])
        let out = try rig.render(64)[0]
        #expect(abs(out[0] - 0.70711) < 1e-4 && abs(out[2] - 0.70711) < 1e-4 && out[1] == 0)
    }

    @Test("Four channels are left to left, left to right, right to left, right to right")
    func trueStereo() throws {
        var responses = [[Float]](repeating: [Float](repeating: 0, count: 300), count: 4)
        for (number, frame) in [0, 130, 20, 250].enumerated() { responses[number][frame] = 1 / Float(1 << number) }
        let unit = AVAudioUnitReverb()
        try unit.loadImpulseResponse(try Self.buffer(responses), normalized: false)
        // Left plays an impulse at 0, right one at 1000.
        let source = OfflineRig.source { frame, channel in frame == 1000 * channel ? 1 : 0 }
        let out = try OfflineRig.playing(source, through: [unit]).render(2048)
        for (channel, frame, expected) in [(0, 0, 1), (1, 130, 0.5), (0, 1020, 0.25), (1, 1250, 0.125)]
            as [(Int, Int, Float)]
        {
            #expect(abs(out[channel][frame] - expected) < 1e-6, "channel \(channel), frame \(frame)")
        }
        let energy = Measure.energy(out[0]) + Measure.energy(out[1])
        #expect(abs(energy - 1.328_125) < 1e-4)
    }

    @Test("A response at another rate is the same room: a tone passes as loud, within 0.1 dB")
    func rate() throws {
        func gain(_ rate: Double) throws -> Double {
            // e^(−t/10 ms)·cos(2π·500 Hz·t), scaled as an integral.
            let response = (0..<Int(rate * 0.15)).map { frame -> Float in
                let time = Double(frame) / rate
                return Float(exp(-time / 0.01) * cos(2 * .pi * 500 * time) * 48 / rate)
            }
            let unit = AVAudioUnitReverb()
            try unit.loadImpulseResponse(try Self.buffer([response], rate: rate), normalized: false)
            let rig = try OfflineRig.playing(OfflineRig.tone(500, amplitude: 0.1), through: [unit])
            return Measure.tone(500, in: Array(try rig.render(24_000)[0].dropFirst(14_400))).amplitude
        }
        let expected = try gain(48_000)
        for rate in [44_100.0, 96_000, 32_000] {
            let ratio = Measure.decibels(try gain(rate) / expected)
            #expect(abs(ratio) < 0.1, "\(rate) Hz: \(ratio) dB")
        }
    }

    @Test("Normalised, noise of the middle octaves leaves as loud as it came, whatever the file's level")
    func normalized() throws {
        for (height, count) in [(0.9, 1), (0.001, 2)] {
            let unit = AVAudioUnitReverb()
            try unit.loadImpulseResponse(
                try Self.buffer((0..<count).map { Self.decay(12_000, seed: UInt64($0), height: height) }))
            let rig = try OfflineRig.playing(OfflineRig.source(OfflineRig.noise), through: [unit])
            let wet = Measure.octaveEnergies(of: Array(try rig.render(96_000)[0].dropFirst(24_000)))
            let dry = Measure.octaveEnergies(of: (24_000..<96_000).map { OfflineRig.noise($0, 0) })
            let gain = (wet[4] - dry[4] + wet[5] - dry[5]) / 2
            #expect(abs(gain) < 1, "\(gain) dB")
        }
    }

    @Test("Presets and unloading go back to the network; what cannot be taken leaves the unit as it was")
    func back() throws {
        let unit = AVAudioUnitReverb()
        let preset = unit.auAudioUnit.tailTime
        let response = try Self.buffer([Self.decay(480, seed: 1)])
        try unit.loadImpulseResponse(response)
        #expect(throws: (any Error).self) { try unit.loadImpulseResponse(try Self.buffer([[0, 0]])) }
        #expect(unit.hasImpulseResponse)
        unit.unloadImpulseResponse()
        #expect(!unit.hasImpulseResponse)
        try unit.loadImpulseResponse(response)
        unit.loadFactoryPreset(.cathedral)
        #expect(!unit.hasImpulseResponse)
        unit.loadFactoryPreset(.mediumHall)
        let rig = try OfflineRig.playing(OfflineRig.source(OfflineRig.impulse), through: [unit])
        let fresh = AVAudioUnitReverb()
        let other = try OfflineRig.playing(OfflineRig.source(OfflineRig.impulse), through: [fresh])
        #expect(try rig.render(4800) == other.render(4800))
        #expect(unit.auAudioUnit.tailTime >= preset)
    }

    @Test("A response that is loaded while sound plays takes over within its own length, without a gap")
    func live() throws {
        let unit = AVAudioUnitReverb()
        unit.loadFactoryPreset(.smallRoom)
        let rig = try OfflineRig.playing(OfflineRig.source(OfflineRig.noise), through: [unit])
        let before = Measure.rms(Array(try rig.render(48_000)[0].suffix(9600)))
        try unit.loadImpulseResponse(try Self.buffer([Self.decay(24_000, seed: 3)]))
        let during = try rig.render(48_000)[0]
        let after = Measure.rms(Array(during.suffix(9600)))
        for start in stride(from: 0, to: 38_400, by: 4800) {
            let level = Measure.rms(Array(during[start..<start + 4800]))
            #expect(Measure.decibels(level / min(before, after)) > -1.2, "at \(start)")
        }
    }

    @Test("What is no response says what is wrong")
    func errors() throws {
        let unit = AVAudioUnitReverb()
        func text(_ channels: [[Float]], rate: Double = 48_000) -> String {
            do { try unit.loadImpulseResponse(try Self.buffer(channels, rate: rate)) } catch { return "\(error)" }
            return "taken"
        }
        #expect(text([[1], [1], [1]]).contains("3 channels"))
        #expect(text([[0, 0]]).contains("nothing but zeros"))
        #expect(text([[1, .nan]]).contains("not finite"))
        #expect(text([[Float](repeating: 1, count: 20_001)], rate: 1000).contains("longer than 20"))
        #expect(
            avfaudioCode { try unit.loadImpulseResponse(contentsOf: URL(fileURLWithPath: "/nowhere/hall.wav")) } == -43)
        #expect(!unit.hasImpulseResponse)
    }
}
