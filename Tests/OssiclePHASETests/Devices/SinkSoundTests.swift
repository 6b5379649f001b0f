import Foundation
import OssicleChannels
import OssicleDevices
import OssicleTestSupport
import Synchronization
import Testing
@testable import OssicleAVFAudio
@testable import OssiclePHASE
@testable import PHASE

/// A minute of sound at sinks of two, six and eight channels, all of them at the same time, and seconds at others.
///
/// To be run alone: the whole process uses the sinks meanwhile.
@Suite(.serialized, .enabled(if: SoundServer.isRunning)) struct SinkSoundTests {
    private static let seconds = 60
    private static let amplitude = 0.125
    /// PulseAudio's words and Core Audio's names, in the order in which an engine gives channels.
    private static let roles = [
        ("front-left", "L"), ("front-right", "R"), ("front-center", "C"), ("lfe", "LFE"), ("side-left", "Ls"),
        ("side-right", "Rs"), ("rear-left", "Rls"), ("rear-right", "Rrs"), ("top-front-left", "Vhl"),
        ("top-front-right", "Vhr"), ("top-rear-left", "Ltr"), ("top-rear-right", "Rtr"),
    ]
    /// As ALSA orders eight.
    private static let eight = [
        "front-left", "front-right", "rear-left", "rear-right", "front-center", "lfe", "side-left", "side-right",
    ]

    /// A sink, and an engine of either kind that plays to it. Channel c has 310 + 200·c Hz from AVAudioEngine and
    /// 420 + 200·c Hz from PHASE.
    private final class Stand {
        let witness: SinkWitness
        /// Of the sink's channels, in the engines' order.
        private let roles: [String]
        private let engine: AVAudioEngine
        private let phase: (stage: Stage, event: PHASESoundEvent)

        /// - Parameter map: the sink's own order.
        init(_ name: String, map: [String]) throws {
            witness = try SinkWitness(name, map: map)
            let used = SinkSoundTests.roles.filter { map.contains($0.0) }
            roles = used.map(\.0)
            let names = used.map(\.1).joined(separator: " ")
            // One pair of surrounds is in the rear to PulseAudio.
            let layout =
                map.contains("side-left") ? names : names.replacing("Rls", with: "Ls").replacing("Rrs", with: "Rs")
            engine = try witness.serve {
                try ToneEngines.audioEngine(Stand.tones(310, map.count), amplitude: amplitude)
            }
            phase = try ToneEngines.phase(
                Stand.tones(420, map.count), amplitude: amplitude, labels: ChannelOrder.labels(named: layout))
        }

        static func tones(_ first: Double, _ count: Int) -> [Double] { (0..<count).map { first + 200 * Double($0) } }

        func start() throws {
            try witness.serve {
                try engine.start()
                try phase.stage.start()
            }
            phase.event.start(completion: nil)
        }

        func stop() {
            engine.stop()
            phase.stage.engine.stop()
        }

        /// What a channel of the sink has to sound like.
        func frequencies(of channel: Int) -> [Double] {
            let number = roles.firstIndex(of: witness.map[channel]) ?? 0
            return [310, 420].map { $0 + 200 * Double(number) }
        }
    }

    /// Records seconds of every stand's sink, ends the engines, and checks every channel.
    private func expectTones(at stands: [Stand], seconds: Int, until isEnough: () -> Bool = { true }) throws {
        let firsts = stands.map(\.witness.frameCount)
        let count = seconds * 48000
        Thread.sleep(forTimeInterval: Double(seconds))
        let isLong = SoundServer.eventually {
            zip(stands, firsts).allSatisfy { $0.witness.frameCount >= $1 + count } && isEnough()
        }
        #expect(isLong)
        for (stand, first) in zip(stands, firsts) {
            let (channels, hasLost) = try stand.witness.end(from: first, count: count)
            stand.stop()
            #expect(!hasLost)
            for (channel, samples) in channels.enumerated() {
                expectTones(
                    stand.frequencies(of: channel), in: samples,
                    at: "\(stand.witness.name), \(stand.witness.map[channel])")
            }
        }
    }

    /// Sines of the right pitch and level in every tenth of a second, and nothing else.
    private func expectTones(_ frequencies: [Double], in samples: [Float], at place: String) {
        let found = SteadyTones(frequencies, in: samples)
        let broken = found.residualPeaks.indices.filter { found.residualPeaks[$0] > 1e-3 * Self.amplitude }
        #expect(found.residualPeaks.count == samples.count / 4800)
        #expect(broken.isEmpty, "\(place): broken in tenths of seconds \(broken)")
        for (tone, frequency) in zip(found.tones, frequencies) {
            let levels = [tone.amplitude.lowerBound, tone.amplitude.upperBound]
            #expect(
                abs(1200 * log2(tone.frequency / frequency)) < 1 && tone.largestPhaseStep < 0.01
                    && levels.allSatisfy { abs(Measure.decibels($0 / Self.amplitude)) < 0.1 },
                "\(place): \(tone)")
        }
    }

    @Test(
        "2.1 to 7.1.4: every channel of both engines at its place in sinks of any order, for five seconds",
        arguments: [
            [
                ["front-left", "front-right", "lfe"], ["rear-left", "rear-right", "front-left", "front-right"],
                ["front-left", "front-right", "front-center", "rear-left", "rear-right"],
            ],
            [
                ["front-left", "front-right", "front-center", "rear-left", "rear-right", "side-left", "side-right"],
                ["top-front-left", "top-front-right", "top-rear-left", "top-rear-right"] + eight.reversed(),
            ],
        ])
    func layouts(maps: [[String]]) throws {
        let stands = try maps.map { try Stand("sink_\($0.count)", map: $0) }
        DevicePreferences.current.bufferDuration = 0.04
        defer { DevicePreferences.current = DevicePreferences() }
        for stand in stands { try stand.start() }
        Thread.sleep(forTimeInterval: 2)
        try expectTones(at: stands, seconds: 5)
    }

    @Test(
        "What the server says of a sink's loudspeakers decides between ears and loudspeakers",
        arguments: [("headphone", 8, true), ("speaker", 2, false), ("speaker", 8, false), (nil, 2, true)]
            as [(String?, Int, Bool)])
    func forms(form: String?, channels: Int, isBinaural: Bool) throws {
        let map = channels == 8 ? Self.eight.joined(separator: ",") : nil
        let module = try SoundServer.addSink("formed", channels: channels, map: map, form: form)
        defer { _ = try? SoundServer.control("unload-module", module) }
        setenv("OSSICLE_DEVICE", "pulse:formed", 1)
        defer { unsetenv("OSSICLE_DEVICE") }
        let stage = try Stage()
        stage.engine.disableManualRenderingMode()
        try stage.start()
        let output = try TestFailure.unwrap(stage.engine.control.locked { stage.engine.control.spatial.output })
        #expect(output.channelCount == (isBinaural ? 2 : channels))
        if case .binaural = output.spatializer { #expect(isBinaural) } else { #expect(!isBinaural) }
        stage.engine.stop()
    }

    /// A cent is 578 millionths. A frame that is missing turns the lowest tone by 0.04; a sample that is wrong by a
    /// thousandth of the amplitude shows in the residual.
    @Test("A minute of both engines at 2, 6 and 8 channels: pitch, level and place of every channel, no gap, no click")
    func minute() throws {
        let stands = [
            try Stand("two", map: ["front-left", "front-right"]),
            try Stand("six", map: ["front-left", "front-right", "front-center", "lfe", "rear-left", "rear-right"]),
            try Stand("eight", map: Self.eight),
        ]
        let duplex = try DuplexLoop()
        // Blocks of 40 ms, of which four are on their way: what is loaded here is a machine that tests.
        DevicePreferences.current.bufferDuration = 0.04
        defer { DevicePreferences.current = DevicePreferences() }
        for stand in stands { try stand.start() }
        try duplex.start()
        Thread.sleep(forTimeInterval: 2)
        let count = Self.seconds * 48000
        try expectTones(at: stands, seconds: Self.seconds) { duplex.frameCount > count }
        let captured = duplex.end()
        // What comes before is silence.
        let sound = captured.drop { $0 == [0, 0] }.prefix(count)
        let wrong = sound.indices.first { sound[$0] != DuplexLoop.frame($0 - sound.startIndex) }
        #expect(sound.count == count && wrong == nil, "frame \(wrong.map { $0 - sound.startIndex } ?? -1) differs")
    }
}

/// An engine whose input hears what it plays, by a microphone that is fed by its sink.
private final class DuplexLoop {
    private let witness: SinkWitness
    private let microphone: String
    private let engine: AVAudioEngine
    private let frames = Frames()

    private final class Frames: Sendable {
        private let frames = Mutex<[SIMD2<Float>]>([])
        func take(_ buffer: AVAudioPCMBuffer) {
            guard let channels = buffer.floatChannelData, buffer.format.channelCount == 2 else { return }
            frames.withLock { frames in
                for frame in 0..<Int(buffer.frameLength) { frames.append([channels[0][frame], channels[1][frame]]) }
            }
        }
        var all: [SIMD2<Float>] { frames.withLock { $0 } }
        var count: Int { frames.withLock { $0.count } }
    }

    /// Noise that is never zero; the second channel is the negative of the first.
    static func frame(_ index: Int) -> SIMD2<Float> {
        let bits = (UInt64(index) &+ 1) &* 0x9E37_79B9_7F4A_7C15
        let value = (Float(bits >> 41) + 1) / 8_388_608 * 0.9
        return [value, -value]
    }

    init() throws {
        witness = try SinkWitness("loop", map: ["front-left", "front-right"])
        // The monitor itself is no microphone, which an engine's input node is for.
        microphone = try SoundServer.control(
            "load-module", "module-remap-source", "source_name=loop_microphone", "master=loop.monitor", "remix=no")
        setenv("OSSICLE_INPUT_DEVICE", "pulse:loop_microphone", 1)
        engine = try witness.serve { [frames] in
            let engine = try ToneEngines.audioEngine(channelCount: 2) { Self.frame($1)[$0] }
            engine.inputNode.installTap(onBus: 0, bufferSize: 4800, format: nil) { buffer, _ in frames.take(buffer) }
            return engine
        }
    }

    func start() throws { try witness.serve { try engine.start() } }
    var frameCount: Int { frames.count }

    func end() -> [SIMD2<Float>] {
        engine.stop()
        return frames.all
    }

    deinit {
        unsetenv("OSSICLE_INPUT_DEVICE")
        _ = try? SoundServer.control("unload-module", microphone)
    }
}
