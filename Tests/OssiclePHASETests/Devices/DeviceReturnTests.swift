import Foundation
import OssicleDevices
import OssicleTestSupport
import Synchronization
import Testing
@testable import OssicleAVFAudio
@testable import OssiclePHASE
@testable import PHASE

/// What a sink plays, by its monitor.
private final class Monitor: Sendable {
    private let frames = Mutex<[Float]>([])

    /// Waits until half a second of a tone within 0.1 Hz of `frequency`, all else 40 dB below it, comes out of the
    /// sink; twenty seconds at most.
    /// - Returns: its level in dB, nil if it did not come.
    static func level(of frequency: Double, at server: SoundServer.Victim) throws -> Double? {
        var found: Double?
        let isHeard = SoundServer.eventually {
            guard let heard = try? Monitor().listen(server) else { return false }
            let tone = Measure.pitch(near: frequency, in: heard)
            guard tone.amplitude > 1e-3, abs(tone.frequency - frequency) < 0.1, tone.signalToNoise > 40
            else { return false }
            found = Measure.decibels(tone.amplitude)
            return true
        }
        return isHeard ? found : nil
    }

    private func listen(_ server: SoundServer.Victim) throws -> [Float] {
        let input = try PortInput(.pulse(SoundServer.sink + ".monitor", server: server.address))
        try input.start { block in
            let left = block[0]
            self.frames.withLock { $0.append(contentsOf: left) }
        }
        defer { input.stop() }
        guard SoundServer.eventually({ frames.withLock { $0.count } >= 30000 }) else { return [] }
        return frames.withLock { Array($0.suffix(24000)) }
    }
}

/// Each kills a server of its own, twice. To be run alone: the whole process uses that server meanwhile.
@Suite(.serialized, .enabled(if: SoundServer.isRunning)) struct DeviceReturnTests {
    /// Kills the server and starts it again, twice; after each the tone must be heard again, at −6 dB within 0.1 dB.
    private func killTwice(_ server: SoundServer.Victim, whileAway: () -> Bool) throws {
        for _ in 0..<2 {
            server.send(SIGKILL)
            let isAway = SoundServer.eventually(whileAway)
            #expect(isAway)
            try server.restart()
            try expectSoundAtOnce()
            let level = try #require(try Monitor.level(of: 440, at: server))
            #expect(abs(level + 6.02) < 0.1)
        }
    }

    /// Half a second of the sink's own frames, from when it is there, is the most that may pass in silence.
    private func expectSoundAtOnce() throws {
        let silence = try #require(try SinkWitness.silence(at: SoundServer.sink))
        #expect(silence < 0.5)
    }

    private func phaseStage() throws -> (stage: Stage, event: PHASESoundEvent) {
        try ToneEngines.phase([440], amplitude: 0.5, layout: kAudioChannelLayoutTag_Mono)
    }

    @Test("PHASE: the server is killed and started again twice; sound goes on each time")
    func phase() throws {
        let server = try SoundServer.Victim()
        try server.serve {
            let (stage, event) = try phaseStage()
            try stage.start()
            event.start(completion: nil)
            let level = try #require(try Monitor.level(of: 440, at: server))
            #expect(level > -20)
            for _ in 0..<2 {
                server.send(SIGKILL)
                let control = stage.engine.control
                #expect(SoundServer.eventually { control.locked { control.session.device?.isSilent == true } })
                try server.restart()
                try expectSoundAtOnce()
                let again = try #require(try Monitor.level(of: 440, at: server))
                #expect(abs(again - level) < 0.1)
            }
            #expect(event.renderingState == .started)
            stage.engine.stop()
        }
    }

    @Test("PHASE: started without a server; sound comes when one does")
    func phaseWithoutServer() throws {
        let server = try SoundServer.Victim()
        try server.serve {
            server.send(SIGKILL)
            #expect(SoundServer.eventually { (try? DeviceList.current()) == nil })
            let (stage, event) = try phaseStage()
            try stage.start()
            event.start(completion: nil)
            #expect(stage.engine.control.locked { stage.engine.control.session.device?.isSilent } == true)
            try server.restart()
            try expectSoundAtOnce()
            #expect(try Monitor.level(of: 440, at: server) != nil)
            stage.engine.stop()
        }
    }

    private func toneEngine() throws -> AVAudioEngine {
        try ToneEngines.audioEngine([440, 440], amplitude: 0.5)
    }

    @Test("AVAudioEngine that stays on: the server is killed and started again twice; sound goes on each time")
    func staysOn() throws {
        let server = try SoundServer.Victim()
        try server.serve {
            let engine = try toneEngine()
            engine.staysOnWhenDevicesChange = true
            try engine.start()
            #expect(try Monitor.level(of: 440, at: server) != nil)
            try killTwice(server) {
                engine.isRunning && engine.machine.locked { engine.machine.session.device?.isSilent == true }
            }
            #expect(engine.isRunning)
            engine.stop()
        }
    }

    @Test("AVAudioEngine as Apple's: stopped and notified when the server goes and when it is back")
    func stopsAndNotifies() throws {
        let server = try SoundServer.Victim()
        try server.serve {
            let engine = try toneEngine()
            let notes = Mutex<[Bool]>([])
            let token = NotificationCenter.default.addObserver(
                forName: .AVAudioEngineConfigurationChange, object: engine, queue: nil
            ) { note in
                let engine = note.object as? AVAudioEngine
                notes.withLock { $0.append(engine?.isRunning == true) }
                try? engine?.start()
            }
            try engine.start()
            #expect(try Monitor.level(of: 440, at: server) != nil)
            try killTwice(server) {
                engine.isRunning && engine.machine.locked { engine.machine.session.device?.isSilent == true }
            }
            NotificationCenter.default.removeObserver(token)
            // Twice away and twice back, and it had stopped each time.
            #expect(notes.withLock { $0 } == [false, false, false, false])
            engine.stop()
        }
    }

    /// PipeWire may put a sink of its own in the place of the last one; if not, time passes in silence.
    @Test(
        "The last sink goes twice, and another comes: the engine is heard there", arguments: ["AVAudioEngine", "PHASE"])
    func sinkGoes(name: String) throws {
        let server = try SoundServer.Victim()
        try server.serve {
            let engine = try toneEngine()
            engine.staysOnWhenDevicesChange = true
            let (stage, event) = try phaseStage()
            if name == "PHASE" {
                try stage.start()
                event.start(completion: nil)
            } else {
                try engine.start()
            }
            #expect(try Monitor.level(of: 440, at: server) != nil)
            for _ in 1...2 {
                try server.control("unload-module", "module-null-sink")
                #expect(
                    SoundServer.eventually {
                        (try? DeviceList.current())?.outputs.contains { $0.id == SoundServer.sink } == false
                    })
                try server.addSink()
                try expectSoundAtOnce()
                #expect(try Monitor.level(of: 440, at: server) != nil)
            }
            engine.stop()
            stage.engine.stop()
        }
    }
}
