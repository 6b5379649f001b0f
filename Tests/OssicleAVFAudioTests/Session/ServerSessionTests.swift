import Foundation
import OssicleDevices
import OssiclePlayback
import OssicleTestSupport
import Testing
@testable import OssicleAVFAudio

@Suite("Session at a sound server", .enabled(if: SoundServer.isRunning), .serialized)
struct ServerSessionTests {
    /// A session of its own at the server, as that of another program.
    private final class Program {
        let participants = SessionParticipants()
        let session: AVAudioSession
        private let notes: NotificationLog
        private var names: [String] = []

        init() {
            session = AVAudioSession(
                SessionControl(
                    surroundings: ServerSurroundings(), participants: participants,
                    access: RecordAccess(environment: [:])
                ) { _ in })
            notes = NotificationLog(of: session)
        }

        /// "began", or "ended" with the raw value of the options, of each interruption so far.
        var interruptions: [String] {
            names += notes.take().filter { $0.name == AVAudioSession.interruptionNotification }.map { note in
                let options = note.userInfo?[AVAudioSessionInterruptionOptionKey] as? UInt
                return options.map { "ended \($0)" } ?? "began"
            }
            return names
        }
    }

    @Test("Another program of the telephone's role interrupts an engine, and its end lets it resume")
    func telephone() throws {
        let program = Program()
        let session = program.session
        let engine = AVAudioEngine()
        engine.errorHandler = { _ in }
        let source = OfflineRig.source { _, _ in 0 }
        engine.attach(source)
        engine.connect(source, to: engine.mainMixerNode, format: OfflineRig.format(48_000, 2))
        program.participants.add(engine.machine)
        try session.setCategory(.playback)
        try session.setActive(true)
        try engine.start()
        #expect(session.currentRoute.outputs.count == 1 && session.currentRoute.outputs != [.silence])

        let phone = try SoundServer.Neighbour(role: "phone")
        #expect(SoundServer.eventually { !session.isActive && !engine.isRunning })
        #expect(session.secondaryAudioShouldBeSilencedHint && session.promptStyle == .none)
        #expect(sessionCode { try session.setActive(true) } == .insufficientPriority)
        phone.end()
        #expect(SoundServer.eventually { program.interruptions == ["began", "ended 1"] })
        try session.setActive(true)
        try engine.start()
        #expect(engine.isRunning)
        engine.stop()
    }

    @Test("A prompt's session lowers music by 12 dB while it is active, and interrupts nobody that mixes")
    func prompt() throws {
        let (prompter, game) = (Program(), Program())
        let music = try SoundServer.Neighbour(role: "music")
        defer { music.end() }
        func volume() throws -> Int? {
            let words = try SoundServer.control("list", "sink-inputs").split(whereSeparator: \.isWhitespace)
            return words.first { $0.hasSuffix("%") }.flatMap { Int($0.dropLast()) }
        }
        #expect(SoundServer.eventually { (try? volume()) == 100 })
        try game.session.setCategory(.ambient)
        try game.session.setActive(true)
        try prompter.session.setCategory(.playback, mode: .voicePrompt, options: .duckOthers)
        try prompter.session.setActive(true)
        #expect(SoundServer.eventually { (try? volume()) == 63 }, "−12 dB are 63 % of the cubic scale")
        try prompter.session.setActive(false, options: .notifyOthersOnDeactivation)
        #expect(SoundServer.eventually { (try? volume()) == 100 })
        #expect(game.interruptions.isEmpty && game.session.isActive)
    }

    @Test("A session that does not mix interrupts that of another program; the end says what the other's says")
    func rivals() throws {
        let (first, second, mixing) = (Program(), Program(), Program())
        try first.session.setCategory(.playback)
        try second.session.setCategory(.playback)
        try mixing.session.setCategory(.playback, options: .mixWithOthers)
        try mixing.session.setActive(true)
        try first.session.setActive(true)
        try second.session.setActive(true)
        #expect(SoundServer.eventually { first.interruptions == ["began"] && !first.session.isActive })
        try second.session.setActive(false, options: .notifyOthersOnDeactivation)
        #expect(SoundServer.eventually { first.interruptions == ["began", "ended 1"] })

        try first.session.setActive(true)
        try second.session.setActive(true)
        #expect(SoundServer.eventually { first.interruptions.count == 3 })
        try second.session.setActive(false)
        #expect(SoundServer.eventually { first.interruptions.suffix(2) == ["began", "ended 0"] })

        try second.session.setActive(true)
        try first.session.setActive(true)
        #expect(SoundServer.eventually { second.interruptions == ["began"] }, "the latest has the sound")
        try second.session.setActive(true)
        #expect(SoundServer.eventually { first.interruptions.last == "began" }, "and it can be taken back")
        #expect(second.session.isActive && second.interruptions == ["began"])
        #expect(mixing.session.isActive && mixing.interruptions.isEmpty)
    }

    @Test("A program that is killed while it has the sound gives it back, without an option")
    func killedRival() throws {
        let program = Program()
        try program.session.setCategory(.playback)
        try program.session.setActive(true)
        let other = try SoundServer.Neighbour(
            role: "game", properties: ["ossicle.session": "exclusive \(UInt64.max)"])
        #expect(SoundServer.eventually { program.interruptions == ["began"] })
        other.end()
        #expect(SoundServer.eventually { program.interruptions == ["began", "ended 0"] })
    }

    @Test("The output's volume is that of the server's mixer")
    func volume() throws {
        let session = Program().session
        defer { _ = try? SoundServer.control("set-sink-volume", SoundServer.sink, "100%") }
        for percent in [50, 100, 25] {
            try SoundServer.control("set-sink-volume", SoundServer.sink, "\(percent)%")
            #expect(SoundServer.eventually { abs(session.outputVolume - Float(percent) / 100) < 1e-3 })
        }
    }
}
