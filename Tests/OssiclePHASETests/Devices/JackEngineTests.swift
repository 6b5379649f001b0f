import CJack
import Foundation
import OssicleChannels
import OssicleTestSupport
import Synchronization
import Testing
@testable import OssicleAVFAudio
@testable import OssicleDevices
@testable import OssiclePHASE
@testable import PHASE

/// Engines at the server that `Scripts/with-jack-server` started.
///
/// To be run alone: the whole process uses JACK meanwhile.
@Suite(.serialized, .enabled(if: ProcessInfo.processInfo.environment["OSSICLE_JACK_SERVER"] == "1"))
struct JackEngineTests {
    /// Runs `body` while programs get a device of JACK's.
    private func serve<Result>(_ device: String, _ body: () throws -> Result) rethrows -> Result {
        setenv("OSSICLE_DEVICE", device, 1)
        defer { unsetenv("OSSICLE_DEVICE") }
        return try body()
    }

    /// What a program's ports gave in a cycle after some, by channel.
    private func heard(from client: String, after cycles: Int = 20) throws -> [Float] {
        let input = try PortInput(.jack(client))
        let blocks = Mutex<[[Float]]>([])
        let count = input.channelCount
        try input.start { block in
            let frame = (0..<count).map { block[$0][0] }
            blocks.withLock { $0.append(frame) }
        }
        _ = SoundServer.eventually { blocks.withLock { $0.count } > cycles }
        input.stop()
        return blocks.withLock { $0.last ?? [] }
    }

    @Test("AVAudioEngine at twelve ports renders in 7.1.4, and each channel goes to the port of its number")
    func heights() throws {
        let right = (0..<12).map { Float($0 + 1) / 16 }
        try serve("jack") {
            let engine = try ToneEngines.audioEngine(channelCount: 12) { channel, _ in right[channel] }
            #expect(
                engine.outputNode.outputFormat(forBus: 0).channelLayout?.layoutTag
                    == kAudioChannelLayoutTag_Atmos_7_1_4)
            try engine.start()
            #expect(try heard(from: "Ossicle") == right)
            engine.stop()
        }
    }

    /// A program with ports that count as hardware's.
    private func box() throws -> JackClient {
        let box = try JackClient(name: "Box", device: "test")
        for number in 1...2 { _ = try box.register("playback_\(number)", .input, isPhysical: true) }
        _ = jack_activate(box.handle)
        return box
    }

    /// PHASE with a bed whose channel c is c + 1 sixteenths.
    private func constants(_ labels: [AudioChannelLabel]) throws -> (stage: Stage, event: PHASESoundEvent) {
        let channels = (1...labels.count).map { [Float](repeating: Float($0) / 16, count: 480) }
        return try ToneEngines.phase(channels, .of(channelLabels: labels))
    }

    @Test("PHASE at twelve ports renders in 7.1.4, and each channel goes to the port of its number, without a gap")
    func tall() throws {
        try serve("jack") {
            let (stage, event) = try constants(try #require(DeviceChannels.usual(12)))
            try stage.start()
            event.start(completion: nil)
            let right = (0..<12).map { Float($0 + 1) / 16 }
            #expect(SoundServer.eventually { (try? heard(from: "Ossicle", after: 2)) == right })
            #expect(try heard(from: "Ossicle", after: 200) == right)
            stage.engine.stop()
        }
    }

    /// Loudspeakers, and what arrived at them last.
    private final class Loudspeakers: @unchecked Sendable {
        private let client: JackClient
        private let ports: [OpaquePointer]
        private let samples = Mutex<[Float]>([])

        init(_ names: [String]) throws {
            client = try JackClient(name: "Box", device: "test")
            ports = try names.map { [client] in
                try client.register("playback_" + $0, .input, isPhysical: true)
            }
            jack_set_process_callback(
                client.handle,
                { frames, me in
                    if let me { Unmanaged<Loudspeakers>.fromOpaque(me).takeUnretainedValue().take(frames) }
                    return 0
                }, Unmanaged.passUnretained(self).toOpaque())
            jack_activate(client.handle)
        }

        deinit { jack_deactivate(client.handle) }

        private func take(_ frames: UInt32) {
            let new = ports.map { jack_port_get_buffer($0, frames)?.assumingMemoryBound(to: Float.self)[0] ?? .nan }
            samples.withLock { $0 = new }
        }

        var last: [Float] { samples.withLock { $0 } }
    }

    @Test(
        "Ports that state roles get the channels of these, as PipeWire's do; others count as the usual layout",
        arguments: [
            ("1 2 3", "L R C", [1, 2, 3]), ("1 2 3 4", "L R Ls Rs", [1, 2, 3, 4]),
            ("1 2 3 4 5", "L R C Ls Rs", [1, 2, 3, 4, 5]),
            ("1 2 3 4 5 6 7", "L R C Ls Rs Rls Rrs", [1, 2, 3, 4, 5, 6, 7]),
            ("FL FR LFE", "L R LFE", [1, 2, 3]), ("RL RR FL FR", "L R Ls Rs", [3, 4, 1, 2]),
            ("FL FR RL RR FC LFE SL SR", "L R C LFE Ls Rs Rls Rrs", [1, 2, 7, 8, 3, 4, 5, 6]),
        ] as [(String, String, [Float])])
    func roles(ports: String, layout: String, heard: [Float]) throws {
        let box = try Loudspeakers(ports.split(separator: " ").map(String.init))
        try serve("jack:Box") {
            let labels = ChannelOrder.labels(named: layout)
            let engine = AVAudioEngine()
            #expect(engine.outputNode.outputFormat(forBus: 0).channelLabels == labels)
            let (stage, event) = try constants(labels)
            try stage.start()
            event.start(completion: nil)
            #expect(SoundServer.eventually { box.last == heard.map { $0 / 16 } }, "\(box.last)")
            stage.engine.stop()
        }
    }

    @Test("Hardware that goes and comes, twice: AVAudioEngine stays on, and sounds again each time")
    func staysOn() throws {
        var box: JackClient? = try box()
        try serve("jack:Box") {
            let engine = try ToneEngines.audioEngine(channelCount: 2) { channel, _ in channel == 0 ? 0.5 : -0.5 }
            engine.staysOnWhenDevicesChange = true
            try engine.start()
            #expect(try heard(from: "Ossicle") == [0.5, -0.5])
            for _ in 0..<2 {
                box = nil
                let isSilent = { engine.machine.locked { engine.machine.session.device?.isSilent == true } }
                #expect(SoundServer.eventually { engine.isRunning && isSilent() })
                box = try self.box()
                #expect(SoundServer.eventually { !isSilent() })
                #expect(try heard(from: "Ossicle") == [0.5, -0.5])
            }
            engine.stop()
        }
        withExtendedLifetime(box) {}
    }

    @Test("Hardware that goes: AVAudioEngine stops and notifies, and starts at a silent clock until it is back")
    func stopsAndNotifies() throws {
        var box: JackClient? = try box()
        try serve("jack:Box") {
            let engine = try ToneEngines.audioEngine(channelCount: 2) { _, _ in 0.5 }
            let changes = Atomic(0)
            let token = NotificationCenter.default.addObserver(
                forName: .AVAudioEngineConfigurationChange, object: engine, queue: nil
            ) { _ in changes.add(1, ordering: .relaxed) }
            defer { NotificationCenter.default.removeObserver(token) }
            try engine.start()
            box = nil
            #expect(SoundServer.eventually { changes.load(ordering: .relaxed) == 1 && !engine.isRunning })
            try engine.start()
            #expect(engine.machine.locked { engine.machine.session.device?.isSilent } == true)
            box = try self.box()
            #expect(SoundServer.eventually { changes.load(ordering: .relaxed) == 2 && !engine.isRunning })
            try engine.start()
            #expect(try heard(from: "Ossicle") == [0.5, 0.5])
            engine.stop()
        }
        withExtendedLifetime(box) {}
    }

    @Test("PHASE plays at JACK, and again when its hardware has gone and come")
    func phase() throws {
        var box: JackClient? = try box()
        try serve("jack:Box") {
            let (stage, event) = try ToneEngines.phase([440], amplitude: 0.5, layout: kAudioChannelLayoutTag_Mono)
            let control = stage.engine.control
            try stage.start()
            event.start(completion: nil)
            #expect(try heard(from: "Ossicle").contains { $0 != 0 })
            box = nil
            #expect(SoundServer.eventually { control.locked { control.session.device?.isSilent == true } })
            box = try self.box()
            #expect(SoundServer.eventually { control.locked { control.session.device?.isSilent == false } })
            #expect(try heard(from: "Ossicle").contains { $0 != 0 })
            stage.engine.stop()
        }
        withExtendedLifetime(box) {}
    }
}
