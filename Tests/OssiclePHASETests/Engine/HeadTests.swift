import Foundation
import OssicleTestSupport
import PHASE
import Testing

/// Another head, put on before and while it plays.
@Suite struct HeadTests {
    /// A head like nobody's: twice as wide as ours, and each ear with an echo of its own.
    private static func strangeHead(
        in folder: TemporaryFolder, name: String = "strange.sofa", width: Double = 1
    ) throws -> URL {
        var directions: [(azimuth: Double, elevation: Double)] = [(0, 90), (0, -90)]
        for elevation in [-45.0, 0, 45] {
            for azimuth in stride(from: 0.0, to: 360, by: 30) { directions.append((azimuth, elevation)) }
        }
        let responses = directions.map { direction in
            let side = sin(direction.azimuth * .pi / 180) * cos(direction.elevation * .pi / 180)
            func ear(_ side: Double, echo: Int) -> [Float] {
                var taps = [Float](repeating: 0, count: 96)
                let at = Int((24 - 20 * width * side).rounded())
                taps[at] = Float(1 + 0.7 * side)
                taps[at + echo] = 0.4
                return taps
            }
            return (ear(side, echo: 9), ear(-side, echo: 13))
        }
        let url = folder.url.appendingPathComponent(name)
        try Data(SofaWriter(sampleRate: 48_000, directions: directions, responses: responses).bytes()).write(to: url)
        return url
    }

    private static let noise = Signal.noise(count: 48_000, seed: 3).map { $0 * 0.2 }

    /// A source at the right, in front of the listener's right ear, and what is sent into the room.
    private static func stage(
        sound: [Float] = noise, flags: PHASESpatialPipeline.Flags = [.directPathTransmission, .lateReverb],
        sampleRate: Double = 48_000,
        mode: PHASESpatializationMode = .automatic
    ) throws -> (stage: Stage, source: PHASESource) {
        let stage = try Stage(sampleRate: sampleRate, mode: mode)
        if flags.contains(.lateReverb) { stage.engine.defaultReverbPreset = .mediumRoom }
        try stage.register("sound", [sound])
        let mixer = try stage.spatialMixer(flags, rolloff: 0)
        try stage.registerEvent("sound", into: mixer, loops: true)
        let source = try stage.source(at: SIMD3(2, 0.3, -0.5))
        try stage.event("sound event", mixer, source).start()
        return (stage, source)
    }

    @Test(
        "A head put on while it plays sounds, after the cross-fade, to the byte as if it had been there from the start",
        arguments: [4800, 5000])
    func exact(at frame: Int) throws {
        let folder = try TemporaryFolder()
        let url = try Self.strangeHead(in: folder)
        let (before, _) = try Self.stage(), (while_, _) = try Self.stage(), (never, _) = try Self.stage()
        try before.engine.loadHRTF(contentsOf: url)
        for stage in [before, while_, never] { try stage.start() }
        var (a, b, c) = (try before.render(frame), try while_.render(frame), try never.render(frame))
        for channel in 0..<2 {
            #expect(Measure.sameBytes(b[channel], c[channel]) && !Measure.sameBytes(a[channel], b[channel]))
        }
        try while_.engine.loadHRTF(contentsOf: url)
        (a, b, c) = (try before.render(9600), try while_.render(9600), try never.render(9600))
        for channel in 0..<2 {
            #expect(
                !Measure.sameBytes(a[channel], b[channel])
                    && !Measure.sameBytes(Array(b[channel].suffix(1000)), Array(c[channel].suffix(1000))))
            // A quantum of fading, with the filters' and the room's memory before and after it.
            #expect(Measure.sameBytes(Array(a[channel].dropFirst(768)), Array(b[channel].dropFirst(768))))
        }
    }

    /// Another head's ears start where the source is, while those that were there are behind it by a few milliseconds
    /// (`DirectionSmoothing`). That wears off within 120 ms, 5760 frames.
    @Test(
        "A source that moves all the while ends up the same within −90 dB, and so does the way back to the built-in head"
    )
    func moving() throws {
        let folder = try TemporaryFolder()
        let url = try Self.strangeHead(in: folder)
        let (first, one) = try Self.stage(), (second, other) = try Self.stage(), (third, another) = try Self.stage()
        try first.engine.loadHRTF(contentsOf: url)
        for stage in [first, second, third] { try stage.start() }
        func render(_ range: Range<Int>) throws -> [[[Float]]] {
            var results = [[[Float]]](repeating: [[], []], count: 3)
            for step in range {
                for (index, (stage, source)) in [(first, one), (second, other), (third, another)].enumerated() {
                    source.transform = .translation(SIMD3(2 - 0.02 * Float(step), 0.3, -0.5 + 0.01 * Float(step)))
                    let block = try stage.render(512)
                    for channel in 0..<2 { results[index][channel] += block[channel] }
                }
            }
            return results
        }
        _ = try render(0..<10)
        try second.engine.loadHRTF(contentsOf: url)
        let loaded = try render(10..<30)
        func difference(_ a: [Float], _ b: [Float]) -> Double {
            let rest = zip(a, b).map { $0 - $1 }
            return decibels(rms(rest[6144...]) / rms(a[6144...]))
        }
        for channel in 0..<2 { #expect(difference(loaded[0][channel], loaded[1][channel]) <= -90) }
        second.engine.resetHRTF()
        let reset = try render(30..<50)
        for channel in 0..<2 {
            #expect(difference(reset[2][channel], reset[1][channel]) <= -90)
            #expect(
                !Measure.sameBytes(Array(reset[0][channel].dropFirst(1024)), Array(reset[1][channel].dropFirst(1024))))
        }
    }

    @Test(
        "Changing heads on a steady tone leaves nothing beside it above −70 dB",
        arguments: [PHASESpatialPipeline.Flags.directPathTransmission, .lateReverb])
    func click(flags: PHASESpatialPipeline.Flags) throws {
        let folder = try TemporaryFolder()
        let (stage, _) = try Self.stage(sound: sine(500, 48_000), flags: flags)
        try stage.start()
        _ = try stage.render(48_000)
        let before = try stage.render(4096)
        try stage.engine.loadHRTF(contentsOf: try Self.strangeHead(in: folder))
        let after = try stage.render(4096)
        for channel in 0..<2 {
            var signal = before[channel] + after[channel]
            for index in signal.indices {
                signal[index] *= Float(0.5 - 0.5 * cos(2 * Double.pi * (Double(index) + 0.5) / Double(signal.count)))
            }
            let spectrum = Spectrum(of: signal)
            let ratio = 10 * log10(spectrum.energy(from: 4000, to: 24_001) / spectrum.energy(from: 0, to: 24_001))
            let change = decibels(rms(after[channel][2048...]) / rms(before[channel][2048...]))
            print("change of head, \(flags), channel \(channel): \(change) dB in level, \(ratio) dB beyond 4 kHz")
            #expect(ratio < -70)
        }
    }

    @Test("A bed changes over as well")
    func bed() throws {
        let folder = try TemporaryFolder()
        let url = try Self.strangeHead(in: folder)
        func stage() throws -> Stage {
            let stage = try Stage()
            let layout = try TestFailure.unwrap(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_MPEG_5_1_A))
            let mixer = PHASEAmbientMixerDefinition(
                channelLayout: layout, orientation: simd_quatf(ix: 0, iy: 0, iz: 0, r: 1))
            try stage.register(
                "bed", (0..<6).map { Signal.noise(count: 24_000, seed: UInt64($0)).map { $0 * 0.1 } },
                layout: kAudioChannelLayoutTag_MPEG_5_1_A)
            try stage.registerEvent("bed", into: mixer, loops: true)
            let parameters = PHASEMixerParameters()
            parameters.addAmbientMixerParameters(identifier: mixer.identifier, listener: stage.listener)
            try PHASESoundEvent(engine: stage.engine, assetIdentifier: "bed event", mixerParameters: parameters).start()
            return stage
        }
        let (before, while_) = (try stage(), try stage())
        try before.engine.loadHRTF(contentsOf: url)
        try before.start()
        try while_.start()
        let (a, b) = (try before.render(2048), try while_.render(2048))
        #expect(!Measure.sameBytes(a[0], b[0]) && rms(b[0][...]) > 0.01)
        try while_.engine.loadHRTF(contentsOf: url)
        let (c, d) = (try before.render(4096), try while_.render(4096))
        for channel in 0..<2 {
            #expect(Measure.sameBytes(Array(c[channel].dropFirst(512)), Array(d[channel].dropFirst(512))))
        }
    }

    @Test("The delay and level between the ears are those of the head that was loaded")
    func binaural() throws {
        let folder = try TemporaryFolder()
        var impulse = [Float](repeating: 0, count: 48_000)
        impulse[0] = 1
        let (stage, source) = try Self.stage(sound: impulse, flags: .directPathTransmission)
        source.transform = .translation(SIMD3(2, 0, 0))
        try stage.engine.loadHRTF(contentsOf: try Self.strangeHead(in: folder))
        try stage.start()
        let output = try stage.render(2048)
        let places = output.map { channel in channel.indices.max { abs(channel[$0]) < abs(channel[$1]) } ?? 0 }
        // 40 frames, and 1.7 to 0.3 of a response with an echo that is the same for both.
        // Heads have the delay of the phase below 1.5 kHz, to which the echo adds: 0.4 is more beside 0.3 than beside
        // 1.7.
        #expect(abs(places[0] - places[1] - 40) <= 1)
        let level = decibels(rms(output[1][...]) / rms(output[0][...]))
        let expected = 10 * log10((1.7 * 1.7 + 0.16) / (0.3 * 0.3 + 0.16))
        #expect(abs(level - expected) < 1.5, "\(level) dB, not \(expected)")
    }

    @Test("Names say which head it is; engines have heads of their own; a head outlives a stop and fits another rate")
    func names() throws {
        let folder = try TemporaryFolder()
        let url = try Self.strangeHead(in: folder),
            wide = try Self.strangeHead(in: folder, name: "narrow.sofa", width: 0.5)
        let (first, _) = try Self.stage(), (second, _) = try Self.stage()
        #expect(first.engine.hrtfName == "KEMAR (built in)")
        try first.engine.loadHRTF(contentsOf: url)
        try second.engine.loadHRTF(contentsOf: wide)
        #expect(first.engine.hrtfName == "strange.sofa" && second.engine.hrtfName == "narrow.sofa")
        try first.start()
        try second.start()
        let (a, b) = (try first.render(2048), try second.render(2048))
        #expect(!Measure.sameBytes(a[0], b[0]))
        first.engine.stop()
        let format = try TestFailure.unwrap(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2))
        try first.engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 4096)
        try first.start()
        #expect(first.engine.hrtfName == "strange.sofa" && first.engine.recordedErrors.isEmpty)
        first.engine.resetHRTF()
        #expect(first.engine.hrtfName == "KEMAR (built in)")
    }

    @Test("A panned output sounds the same with any head")
    func panned() throws {
        let folder = try TemporaryFolder()
        let (plain, _) = try Self.stage(mode: .alwaysUseChannelBased),
            (loaded, _) = try Self.stage(mode: .alwaysUseChannelBased)
        try plain.start()
        try loaded.start()
        _ = (try plain.render(512), try loaded.render(512))
        try loaded.engine.loadHRTF(contentsOf: try Self.strangeHead(in: folder))
        let (a, b) = (try plain.render(4096), try loaded.render(4096))
        #expect(
            loaded.engine.hrtfName == "strange.sofa" && Measure.sameBytes(a[0], b[0]) && Measure.sameBytes(a[1], b[1]))
    }

    @Test("Many changes in a row do no harm, and in the end the last one counts")
    func many() throws {
        let folder = try TemporaryFolder()
        let urls = [
            try Self.strangeHead(in: folder), try Self.strangeHead(in: folder, name: "narrow.sofa", width: 0.5),
        ]
        let (stage, source) = try Self.stage(), (reference, other) = try Self.stage()
        try reference.engine.loadHRTF(contentsOf: urls[1])
        try stage.start()
        try reference.start()
        for step in 0..<24 {
            if step % 3 == 0 { stage.engine.resetHRTF() } else { try stage.engine.loadHRTF(contentsOf: urls[step % 2]) }
            if step % 5 == 0 {
                for source in [source, other] { source.transform = .translation(SIMD3(step % 2 == 0 ? -3 : 3, 0, 1)) }
            }
            let run = 100 + 97 * step
            let block = try stage.render(run)
            _ = try reference.render(run)
            #expect(block.allSatisfy { $0.allSatisfy { $0.isFinite && abs($0) <= 1 } })
        }
        #expect(stage.engine.hrtfName == "narrow.sofa")
        _ = (try stage.render(2048), try reference.render(2048))
        let (a, b) = (try stage.render(2048), try reference.render(2048))
        #expect(Measure.sameBytes(a[0], b[0]) && Measure.sameBytes(a[1], b[1]) && stage.engine.recordedErrors.isEmpty)
    }

    @Test("A file that cannot be used is named in the error, and changes nothing")
    func refused() throws {
        let folder = try TemporaryFolder()
        let broken = folder.url.appendingPathComponent("broken.sofa")
        try Data("no head at all".utf8).write(to: broken)
        let (stage, _) = try Self.stage()
        let web = try TestFailure.unwrap(URL(string: "https://example.org/head.sofa"))
        for url in [broken, folder.url.appendingPathComponent("missing.sofa"), folder.url, web] {
            let error = #expect(throws: PHASEAssetError.self) { try stage.engine.loadHRTF(contentsOf: url) }
            #expect(
                error?.code == .failedToLoad && error?.description.contains(url.lastPathComponent) == true,
                "\(String(describing: error))")
        }
        #expect(stage.engine.hrtfName == "KEMAR (built in)")
    }
}
