import Foundation
import OssicleDevices
import OssicleTestKit
import Synchronization
import Testing
@testable import OssicleAVFAudio
@testable import OssiclePHASE
@testable import PHASE

/// A minute of sound at sinks of two, six and eight channels, all of them at the same time.
///
/// To be run alone: the whole process uses the sinks meanwhile.
@Suite(.serialized, .enabled(if: SoundServer.isRunning)) struct SinkSoundTests {
    private static let seconds = 60
    private static let amplitude = 0.125
    /// In the order in which an engine gives eight channels; the first six are 5.1, the first two stereo.
    private static let roles = [
        "front-left", "front-right", "front-center", "lfe", "rear-left", "rear-right",
    ]
    private static let eightRoles = [
        "front-left", "front-right", "front-center", "lfe", "side-left", "side-right", "rear-left", "rear-right",
    ]

    /// A sink, and an engine of either kind that plays to it. Channel c has 310 + 200·c Hz from AVAudioEngine and
    /// 420 + 200·c Hz from PHASE, which plays in 5.1 where there are eight channels.
    private final class Stand {
        let witness: SinkWitness
        let audioRoles: [String]
        let phaseRoles: [String]
        private let engine: AVAudioEngine
        private let phase: (stage: Stage, event: PHASESoundEvent)

        /// - Parameter map: the sink's own order.
        init(_ name: String, map: [String]) throws {
            witness = try SinkWitness(name, map: map)
            audioRoles = map.count == 8 ? eightRoles : Array(roles.prefix(map.count))
            phaseRoles = Array(roles.prefix(min(map.count, 6)))
            engine = try witness.serve {
                try ToneEngines.audioEngine(Stand.tones(310, map.count), amplitude: amplitude)
            }
            phase = try ToneEngines.phase(
                Stand.tones(420, phaseRoles.count), amplitude: amplitude,
                layout: map.count == 2 ? kAudioChannelLayoutTag_Stereo : kAudioChannelLayoutTag_MPEG_5_1_A)
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
            let role = witness.map[channel]
            return [(310.0, audioRoles), (420.0, phaseRoles)].compactMap { first, roles in
                roles.firstIndex(of: role).map { first + 200 * Double($0) }
            }
        }

        /// What PipeWire adds: the surround channels of 5.1 sound at the sides of 7.1 as well, at a level of its choice.
        func additions(to channel: Int) -> [Double] {
            let rear = witness.map[channel].replacingOccurrences(of: "side", with: "rear")
            guard rear != witness.map[channel], let index = phaseRoles.firstIndex(of: rear) else { return [] }
            return [420 + 200 * Double(index)]
        }
    }

    /// Sines of the right pitch and level in every tenth of a second, and nothing else.
    /// - Parameter additions: frequencies that may be there as well.
    private func expectTones(
        _ frequencies: [Double], beside additions: [Double] = [], in samples: [Float], at place: String
    ) {
        let found = SteadyTones(frequencies + additions, in: samples)
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

    @Test("7.1.4: twelve channels of AVAudioEngine, each at its place in a sink of another order")
    func heights() throws {
        let tops = ["top-front-left", "top-front-right", "top-rear-left", "top-rear-right"]
        let roles = Self.eightRoles + tops
        let witness = try SinkWitness("tall", map: tops + Self.eightRoles.reversed())
        DevicePreferences.current.bufferDuration = 0.04
        defer { DevicePreferences.current = DevicePreferences() }
        let engine = try witness.serve {
            let engine = try ToneEngines.audioEngine(Stand.tones(310, 12), amplitude: Self.amplitude)
            try engine.start()
            return engine
        }
        Thread.sleep(forTimeInterval: 2)
        let (first, count) = (witness.frameCount, 5 * 48000)
        #expect(SoundServer.eventually { witness.frameCount >= first + count })
        let (channels, hasLost) = try witness.end(from: first, count: count)
        engine.stop()
        #expect(!hasLost)
        for (role, samples) in zip(witness.map, channels) {
            let channel = try TestFailure.unwrap(roles.firstIndex(of: role))
            expectTones([310 + 200 * Double(channel)], in: samples, at: role)
        }
    }

    /// A cent is 578 millionths. A frame that is missing turns the lowest tone by 0.04; a sample that is wrong by a
    /// thousandth of the amplitude shows in the residual.
    @Test("A minute of both engines at 2, 6 and 8 channels: pitch, level and place of every channel, no gap, no click")
    func minute() throws {
        let stands = [
            try Stand("two", map: ["front-left", "front-right"]), try Stand("six", map: Self.roles),
            // As ALSA orders eight.
            try Stand(
                "eight",
                map: [
                    "front-left", "front-right", "rear-left", "rear-right", "front-center", "lfe", "side-left",
                    "side-right",
                ]),
        ]
        let duplex = try DuplexLoop()
        // Blocks of 40 ms, of which four are on their way: what is loaded here is a machine that tests.
        DevicePreferences.current.bufferDuration = 0.04
        defer { DevicePreferences.current = DevicePreferences() }
        for stand in stands { try stand.start() }
        try duplex.start()
        Thread.sleep(forTimeInterval: 2)
        let firsts = stands.map(\.witness.frameCount)
        let count = Self.seconds * 48000
        Thread.sleep(forTimeInterval: Double(Self.seconds))
        let isLong = SoundServer.eventually {
            zip(stands, firsts).allSatisfy { $0.witness.frameCount >= $1 + count } && duplex.frameCount > count
        }
        #expect(isLong)
        for (stand, first) in zip(stands, firsts) {
            let (channels, hasLost) = try stand.witness.end(from: first, count: count)
            stand.stop()
            #expect(!hasLost)
            for (channel, samples) in channels.enumerated() {
                expectTones(
                    stand.frequencies(of: channel), beside: stand.additions(to: channel), in: samples,
                    at: "\(stand.witness.name), \(stand.witness.map[channel])")
            }
        }
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
