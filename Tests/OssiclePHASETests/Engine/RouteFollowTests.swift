import OssicleChannels
import OssicleDevices
import OssicleTestSupport
import PHASE
import Synchronization
import Testing

@testable import OssiclePHASE

/// Devices of other loudspeakers, or for ears, come while an engine plays: it renders for each, and loses no sound.
@Suite struct RouteFollowTests {
    /// What sound comes out of, in words of the expectations below.
    private enum Kind: String, CaseIterable {
        case ears, stereo = "L R", wide = "L R C LFE Ls Rs Rls Rrs"

        var device: DrivenOutput {
            switch self {
            case .ears: DrivenOutput(transducer: .headphones)
            case .stereo: DrivenOutput(transducer: .externalSpeakers)
            case .wide: DrivenOutput(channelCount: 8)
            }
        }
    }

    /// A PHASE engine in manual update mode, at one device after the other.
    private final class Desk {
        let stage: Stage
        private(set) var device: DrivenOutput

        /// - Parameter build: before the engine starts.
        init(at kind: Kind, _ build: (Stage) throws -> Void = { _ in }) throws {
            device = kind.device
            stage = try Stage(updateMode: .manual)
            stage.engine.disableManualRenderingMode()
            try build(stage)
            try DeviceSubstitutes.$current.withValue(DeviceSubstitutes(output: device)) { try stage.engine.start() }
        }

        deinit { stage.engine.stop() }

        /// As if the server had moved the sound there.
        func move(to new: DrivenOutput) throws {
            let control = stage.engine.control
            let session = try TestFailure.unwrap(control.locked { control.session.device })
            DeviceSubstitutes.$current.withValue(DeviceSubstitutes(output: new)) { control.followRoute(of: session) }
            if new.isRunning { device = new }
        }

        func turn(_ blocks: Int) {
            for _ in 0..<blocks {
                stage.engine.update()
                device.take(blocks: 1)
            }
        }

        /// What is rendered, in the words of `Kind`.
        var rendered: String {
            let control = stage.engine.control
            return control.locked {
                guard let output = control.spatial.output else { return "nothing" }
                if output.hrtf != nil { return Kind.ears.rawValue }
                return Kind.allCases.first { ChannelOrder.labels(named: $0.rawValue) == output.labels }?.rawValue ?? "?"
            }
        }
    }

    @Test func `each device gets what it is for, while the event plays and the time goes on`() throws {
        var event: PHASESoundEvent?
        let desk = try Desk(at: .stereo) { stage in
            try stage.register("tone", [sine(440, 48_000)])
            let playing = try stage.event(stage.registerEvent("tone", into: stage.channelMixer(), loops: true))
            playing.start(completion: nil)
            event = playing
        }
        desk.turn(4)
        for (index, kind) in [Kind.ears, .wide, .ears, .stereo, .wide, .stereo].enumerated() {
            let device = kind.device
            try desk.move(to: device)
            #expect(desk.rendered == kind.rawValue && device.isRunning)
            desk.turn(4)
            #expect(device.taken.allSatisfy { $0.allSatisfy(\.isFinite) } && Measure.level(device.taken[0]) > -20)
            #expect(event?.renderingState == .started)
            #expect(desk.stage.engine.lastRenderTime?.sampleTime == Int64(4 + 4 * (index + 1)) * 512)
        }
        #expect(desk.stage.engine.lastError == nil)
    }

    @Test func `a device of the same kind is left to the server`() throws {
        let desk = try Desk(at: .ears), (first, other) = (desk.device, Kind.ears.device)
        try desk.move(to: other)
        #expect(first.isRunning && !other.isRunning && desk.rendered == "ears")
    }

    @Test func `after a pause the engine starts for what there is then`() throws {
        let desk = try Desk(at: .stereo), wide = Kind.wide.device
        desk.turn(2)
        desk.stage.engine.pause()
        try DeviceSubstitutes.$current.withValue(DeviceSubstitutes(output: wide)) { try desk.stage.engine.start() }
        #expect(desk.rendered == Kind.wide.rawValue && wide.isRunning)
    }

    /// Looped noise from the side; a room of its own for `lateReverb`.
    private static func noise(_ flags: PHASESpatialPipeline.Flags, _ stage: Stage) throws {
        stage.engine.defaultReverbPreset = flags.contains(.lateReverb) ? .mediumRoom : .none
        try stage.register("noise", [Signal.noise(count: 9000, seed: 7, amplitude: 0.2)])
        let mixer = try stage.spatialMixer(flags, rolloff: 1)
        let source = try stage.source(at: SIMD3(-2, 0, -1))
        try stage.event(stage.registerEvent("noise", into: mixer, loops: true), mixer, source).start(completion: nil)
    }

    /// 60 dB below the sound: octave bands and the ears' filters remember little of what was before.
    @Test(arguments: [(Kind.stereo, Kind.ears), (.ears, .wide), (.wide, .ears)])
    private func `a tenth of a second after the change all is as if the engine had always been there`(
        old: Kind, new: Kind
    ) throws {
        for flags: PHASESpatialPipeline.Flags in [
            [.directPathTransmission], [.directPathTransmission, .earlyReflections],
        ] {
            let desk = try Desk(at: old) { try Self.noise(flags, $0) }
            let always = try Desk(at: new) { try Self.noise(flags, $0) }
            let device = new.device
            desk.turn(20)
            try desk.move(to: device)
            desk.turn(30)
            always.turn(50)
            for channel in device.taken.indices {
                let (sound, expected) = (device.taken[channel], Array(always.device.taken[channel][(20 * 512)...]))
                #expect(
                    abs(Measure.level(sound.prefix(512)) - Measure.level(expected.prefix(512))) < 3 || sound == expected
                )
                let rest = zip(sound, expected).map { $0 - $1 }[4800...]
                #expect(
                    Measure.rms(rest) <= 1e-3 * Measure.rms(expected[4800...]),
                    "\(old) to \(new), \(flags), channel \(channel)")
            }
        }
    }

    /// 34.3 m away the burst needs 0.1 s: it has left the source, and not yet arrived, when the device changes.
    @Test(arguments: [(Kind.stereo, Kind.ears), (.ears, .wide), (.wide, .stereo)])
    private func `what is on its way at the change arrives when it would have, as loud`(old: Kind, new: Kind) throws {
        func desk(at kind: Kind) throws -> Desk {
            try Desk(at: kind) { stage in
                try stage.register("burst", [Signal.noise(count: 2400, seed: 3, amplitude: 0.5)])
                let mixer = try stage.spatialMixer([.directPathTransmission], rolloff: 1)
                let source = try stage.source(at: SIMD3(-34.3, 0, 0))
                try stage.event(stage.registerEvent("burst", into: mixer), mixer, source).start(completion: nil)
            }
        }
        let moved = try desk(at: old), always = try desk(at: new), device = new.device
        moved.turn(7)
        try moved.move(to: device)
        moved.turn(15)
        always.turn(22)
        // Without a place there, the front of 7.1 stays silent.
        let side = device.taken.indices.max { Measure.energy(device.taken[$0]) < Measure.energy(device.taken[$1]) } ?? 0
        let (sound, expected) = (device.taken[side], Array(always.device.taken[side][(7 * 512)...]))
        let (onset, due) = (Measure.onset(of: sound, threshold: 1e-3), Measure.onset(of: expected, threshold: 1e-3))
        #expect(onset != nil && abs((onset ?? 0) - (due ?? .max)) <= 1, "\(onset ?? -1) for \(due ?? -1)")
        #expect(abs(Measure.level(sound) - Measure.level(expected)) < 0.1)
    }

    /// Half a second of a room's decay; what it has of the two rooms, the old and the new, adds up as power.
    @Test(arguments: [(Kind.stereo, Kind.ears), (.ears, .wide), (.wide, .stereo)])
    private func `a room rings on`(old: Kind, new: Kind) throws {
        func desk(at kind: Kind) throws -> Desk {
            try Desk(at: kind) { stage in
                stage.engine.defaultReverbPreset = .largeHall
                try stage.register("burst", [Signal.noise(count: 4800, seed: 3, amplitude: 0.5)])
                let mixer = try stage.spatialMixer([.lateReverb], rolloff: 1)
                let source = try stage.source(at: SIMD3(-2, 0, 0))
                try stage.event(stage.registerEvent("burst", into: mixer), mixer, source).start(completion: nil)
            }
        }
        let moved = try desk(at: old), always = try desk(at: new), device = new.device
        moved.turn(20)
        try moved.move(to: device)
        moved.turn(50)
        always.turn(70)
        func energy(_ channels: [[Float]], _ frames: Range<Int>) -> Double {
            channels.reduce(0) { $0 + Measure.energy($1[frames]) }
        }
        for begin in stride(from: 1024, to: 24_000, by: 4800) {
            let heard = energy(device.taken, begin..<begin + 4800)
            let expected = energy(always.device.taken, begin + 20 * 512..<begin + 20 * 512 + 4800)
            #expect(
                abs(10 * log10(heard / expected)) < 2,
                "\(old) to \(new): \(10 * log10(heard / expected)) dB at \(begin)")
        }
    }

    @Test func `taps get the channels there are`() throws {
        let counts = Mutex<[AVAudioChannelCount]>([])
        var mix: PHASEListenerOutput?
        let desk = try Desk(at: .stereo) { stage in
            try stage.engine.installTap(bufferSize: 512) { buffer, _ in
                counts.withLock { $0.append(buffer.format.channelCount) }
            }
            mix = stage.engine.output(for: stage.listener)
        }
        desk.turn(8)
        try desk.move(to: Kind.wide.device)
        desk.turn(8)
        try desk.move(to: Kind.ears.device)
        desk.turn(8)
        desk.stage.engine.removeTap()
        let isWhole = SoundServer.eventually { counts.withLock { $0.count } >= 22 }
        let runs = counts.withLock { $0 }.reduce(into: [AVAudioChannelCount]()) { if $0.last != $1 { $0.append($1) } }
        #expect(isWhole && runs == [2, 8, 2])
        withExtendedLifetime(mix) {}
    }
}
