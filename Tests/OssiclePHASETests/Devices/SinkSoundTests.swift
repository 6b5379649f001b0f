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
/// Each sink's first channel also has a tone that a program of the server's plays. Where that one breaks the server or
/// the machine left something out: a second on either side of it is not judged.
///
/// To be run alone: the whole process uses the sinks meanwhile.
@Suite(.serialized, .enabled(if: SoundServer.isRunning)) struct SinkSoundTests {
    private static let seconds = 60
    private static let amplitude = 0.125
    private static let foreign = (frequency: 5000.0, amplitude: 0.25)
    /// Frames in which a tone is fitted: a tenth of a second.
    private static let block = 4800
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
        private let foreign: ForeignTone
        /// Of the sink's channels, in the engines' order.
        private let roles: [String]
        private let engine: AVAudioEngine
        private let phase: (stage: Stage, event: PHASESoundEvent)

        /// - Parameter map: the sink's own order.
        init(_ name: String, map: [String]) throws {
            witness = try SinkWitness(name, map: map)
            foreign = try ForeignTone(
                SinkSoundTests.foreign.frequency, amplitude: SinkSoundTests.foreign.amplitude, seconds: 2 * seconds,
                at: name, role: map[0])
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

    /// Records seconds of every stand's sink, ends the engines, and checks every channel between the server's omissions.
    /// - Parameter least: seconds that must be left between them.
    private func expectTones(at stands: [Stand], seconds: Int, least: Int) throws {
        let firsts = stands.map(\.witness.frameCount)
        let count = seconds * 48000
        Thread.sleep(forTimeInterval: Double(seconds))
        let isLong = SoundServer.eventually {
            zip(stands, firsts).allSatisfy { $0.witness.frameCount >= $1 + count }
        }
        #expect(isLong)
        let heard = try zip(stands, firsts).map { stand, first in
            let (channels, hasLost) = try stand.witness.end(from: first, count: count)
            stand.stop()
            #expect(!hasLost)
            return channels
        }
        let omissions = Set(zip(stands, heard).flatMap { Self.omissions(in: $1[0], beside: $0.frequencies(of: 0)) })
        let pieces = Self.pieces(of: count / Self.block, between: omissions)
        print("Sinks: the server left something out in tenths of seconds \(omissions.sorted())")
        #expect(pieces.reduce(0) { $0 + $1.count } >= 10 * least, "left between the server's omissions: \(pieces)")
        for (stand, channels) in zip(stands, heard) {
            for (channel, samples) in channels.enumerated() {
                for piece in pieces {
                    expectTones(
                        stand.frequencies(of: channel), foreign: channel == 0 ? [Self.foreign.frequency] : [],
                        in: Array(samples[piece.lowerBound * Self.block..<piece.upperBound * Self.block]),
                        at: "\(stand.witness.name), \(stand.witness.map[channel]), from tenth \(piece.lowerBound) on")
                }
            }
        }
    }

    /// Blocks in which the foreign tone breaks. Breaks of the other tones change its fit by 0.04 dB.
    private static func omissions(in samples: [Float], beside frequencies: [Double]) -> [Int] {
        let tones = SteadyTones([foreign.frequency] + frequencies, in: samples)
        let runs = tones.runs(amplitude: foreign.amplitude, residual: .infinity)
        return tones.residualPeaks.indices.filter { block in !runs.contains { $0.contains(block) } }
            + runs.dropFirst().map(\.lowerBound)
    }

    /// What is a second and more away from each omission, where that is a second long.
    private static func pieces(of blocks: Int, between omissions: Set<Int>) -> [Range<Int>] {
        let edges = [-11] + omissions.sorted() + [blocks + 10]
        return zip(edges, edges.dropFirst()).compactMap { omission, next in
            let (begin, end) = (omission + 11, next - 10)
            return end - begin >= 10 ? begin..<end : nil
        }
    }

    /// Sines of the right pitch and level in every tenth of a second, and nothing else but foreign ones.
    private func expectTones(_ frequencies: [Double], foreign: [Double], in samples: [Float], at place: String) {
        let found = SteadyTones(frequencies + foreign, in: samples)
        let broken = found.residualPeaks.indices.filter { found.residualPeaks[$0] > 1e-3 * Self.amplitude }
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
        try expectTones(at: stands, seconds: 5, least: 2)
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
        // Blocks of 40 ms, of which four are on their way: what is loaded here is a machine that tests.
        DevicePreferences.current.bufferDuration = 0.04
        defer { DevicePreferences.current = DevicePreferences() }
        for stand in stands { try stand.start() }
        Thread.sleep(forTimeInterval: 2)
        try expectTones(at: stands, seconds: Self.seconds, least: 48)
    }

    /// Judged from the first frame to the first that is wrong: behind it a capture buffer resamples, as between two
    /// clocks. What lost that frame is known: another program that hears the same microphone lost one too, or our
    /// devices tell of it.
    @Test("An engine hears what it plays bit for bit, twenty seconds of it, but for losses that are told of")
    func capture() throws {
        DevicePreferences.current.bufferDuration = 0.04
        defer { DevicePreferences.current = DevicePreferences() }
        var judged = 0
        for _ in 1...6 where judged < 20 * 48_000 {
            let loop = try DuplexLoop()
            try loop.play(frames: 20 * 48_000)
            let way = try loop.end()
            print("A loop: \(way)")
            #expect(way.exact >= 20 * 48_000 || way.isLossKnown, "\(way)")
            judged += way.exact
        }
        #expect(judged >= 20 * 48_000)
    }
}

/// An engine whose input hears what it plays, by a microphone that is fed by its sink. Another program hears that too,
/// and a third one plays a tone to the sink's third channel.
private final class DuplexLoop {
    private static let tone = (frequency: 5000.0, amplitude: 0.25)
    private let witness: SinkWitness
    private let foreign: ForeignTone
    private let engine: AVAudioEngine
    private let frames = Frames()
    /// How many frames were heard when our devices first told of a loss.
    private var told: Int?

    private final class Frames: Sendable {
        private let frames = Mutex<[SIMD2<Float>]>([])
        func take(_ buffer: AVAudioPCMBuffer) {
            guard let channels = buffer.floatChannelData, buffer.format.channelCount >= 2 else { return }
            frames.withLock { frames in
                for frame in 0..<Int(buffer.frameLength) { frames.append([channels[0][frame], channels[1][frame]]) }
            }
        }
        var all: [SIMD2<Float>] { frames.withLock { $0 } }
        var count: Int { frames.withLock { $0.count } }
    }

    /// How far the sound came, in frames from its first on.
    struct Way: CustomStringConvertible {
        /// To the first that is not as it was played.
        let exact: Int
        /// The same in the other program.
        let witnessed: Int
        /// To the first break of the third program's tone behind the begin.
        let unbroken: Int
        /// To the first loss that our devices told of, half a second of silence ahead of the sound included.
        let told: Int?

        /// Within a second, as losses are found out in blocks.
        var isLossKnown: Bool {
            [witnessed, unbroken, told].contains { $0.map { abs($0 - exact) < 48_000 } ?? false }
        }

        var description: String {
            "\(exact) frames bit for bit, \(witnessed) in another program, \(unbroken) of a third one's tone; losses told of at \(told.map(String.init) ?? "no frame")"
        }
    }

    /// Noise that is never zero; the second channel is the negative of the first.
    private static func frame(_ index: Int) -> SIMD2<Float> {
        let bits = (UInt64(index) &+ 1) &* 0x9E37_79B9_7F4A_7C15
        let value = (Float(bits >> 41) + 1) / 8_388_608 * 0.9
        return [value, -value]
    }

    /// Frames as they were played, from the first one on.
    private static func exact(_ sound: some Sequence<SIMD2<Float>>) -> Int {
        var count = 0
        for frame in sound {
            guard frame == DuplexLoop.frame(count) else { break }
            count += 1
        }
        return count
    }

    init() throws {
        let map = ["front-left", "front-right", "lfe"]
        witness = try SinkWitness("loop", map: map, microphone: "loop_microphone")
        foreign = try ForeignTone(
            Self.tone.frequency, amplitude: Self.tone.amplitude, seconds: 60, at: "loop", role: map[2])
        engine = try witness.serve { [frames] in
            let engine = try ToneEngines.audioEngine(channelCount: 3) { $0 < 2 ? Self.frame($1)[$0] : 0 }
            engine.inputNode.installTap(onBus: 0, bufferSize: 4800, format: nil) { buffer, _ in frames.take(buffer) }
            return engine
        }
    }

    /// Returns when so many frames are back, half a second of silence ahead of them included; earlier where a second ago
    /// our devices told of a loss.
    func play(frames count: Int) throws {
        // The tone is there first.
        Thread.sleep(forTimeInterval: 1)
        try witness.serve { try engine.start() }
        let isBack = waitUntil(limit: Double(count) / 48_000 + 20) {
            let heard = frames.count
            if told == nil, losses > 0 { told = heard }
            return heard >= told.map { $0 + 48_000 } ?? (count + 24_000)
        }
        #expect(isBack, "\(frames.count) frames")
    }

    /// That our devices tell of.
    private var losses: Int {
        engine.machine.locked {
            guard let device = engine.machine.session.device, let capture = device.capture else { return 0 }
            let report = capture.report
            return device.dropoutCount + capture.dropoutCount + report.underflows + report.overflows + report.resyncs
        }
    }

    func end() throws -> Way {
        engine.stop()
        let (heard, hasLost) = try witness.end(from: 0, count: witness.frameCount)
        #expect(!hasLost)
        let first = Self.frame(0)
        let begin = try #require(heard[0].indices.first { heard[0][$0] == first.x && heard[1][$0] == first.y })
        let tone = SteadyTones([Self.tone.frequency], in: Array(heard[2][begin...]))
        let run = tone.runs(amplitude: Self.tone.amplitude).first ?? 0..<0
        return Way(
            exact: Self.exact(frames.all.drop { $0 == [0, 0] }),
            witnessed: Self.exact(heard[0].indices.dropFirst(begin).lazy.map { [heard[0][$0], heard[1][$0]] }),
            unbroken: run.lowerBound == 0 ? 4800 * run.upperBound : 0, told: told)
    }
}
