import Foundation
import OssicleDevices
import OssiclePlayback
import Testing
@testable import OssicleAVFAudio

@Suite("Permission to record, muted input, and engines under a session")
struct RecordPermissionTests {
    @Test("Permission is granted unless the environment denies it; requests answer at once")
    func permission() async {
        let granted = AVAudioApplication(RecordAccess(environment: [:]))
        let denied = AVAudioApplication(RecordAccess(environment: ["OSSICLE_DENY_RECORD_PERMISSION": "1"]))
        #expect(granted.recordPermission == .granted && denied.recordPermission == .denied)
        #expect(await AVAudioApplication.requestRecordPermission())
        await confirmation { answered in
            AVAudioApplication.requestRecordPermission { _ in answered() }
        }
        #expect(granted.microphoneInjectionPermission == .serviceDisabled)
    }

    @Test("Without permission there is no input, and a session that only records does not become active")
    func denied() throws {
        let session = SessionStage(isDenied: true).session
        #expect(!session.isInputAvailable)
        try session.setCategory(.playAndRecord)
        #expect(session.availableInputs == [] && session.currentRoute.inputs.isEmpty)
        try session.setActive(true)
        try session.setActive(false)
        try session.setCategory(.record)
        #expect(sessionCode { try session.setActive(true) } == .cannotStartRecording)
    }

    @Test("Muting asks the handler, takes effect once, and is told")
    func muting() throws {
        let access = RecordAccess(environment: [:])
        let application = AVAudioApplication(access)
        let notes = NotificationLog(of: application)
        let asked = Box<[Bool]>([])
        try application.setInputMuteStateChangeHandler { muted in
            asked.value.append(muted)
            return muted
        }
        try application.setInputMuted(true)
        try application.setInputMuted(true)
        #expect(access.isMuted && application.isInputMuted)
        #expect(sessionCode { try application.setInputMuted(false) } == .unspecified)
        #expect(application.isInputMuted && asked.value == [true, false])
        try application.setInputMuteStateChangeHandler(nil)
        try application.setInputMuted(false)
        let states = notes.take().map { $0.userInfo?[AVAudioApplication.muteStateKey] as? Bool }
        #expect(states == [true, false] && !access.isMuted)
    }

    @Test("An engine at a device is paused by an interruption and starts again; one that renders manually goes on")
    func engines() throws {
        let stage = SessionStage()
        let engine = AVAudioEngine()
        engine.errorHandler = { _ in }
        let source = OfflineRig.source { _, _ in 0 }
        engine.attach(source)
        engine.connect(source, to: engine.mainMixerNode, format: OfflineRig.format(48_000, 2))
        let device = try PortOutput(.silence)
        engine.machine.locked { engine.machine.session.device = engine.machine.deviceSession(device) }
        let manual = try OfflineRig()
        _ = manual.engine.mainMixerNode
        stage.participants.add(engine.machine)
        stage.participants.add(manual.engine.machine)
        try stage.session.setCategory(.playback)
        try stage.session.setActive(true)
        try engine.start()
        try manual.engine.start()
        #expect(stage.session.sampleRate == 48_000 && stage.session.outputNumberOfChannels == 2)
        stage.session.simulateInterruption(.call)
        #expect(!engine.isRunning && manual.engine.isRunning)
        stage.session.simulateInterruptionEnd(.call)
        #expect(!engine.isRunning, "the program starts it")
        try stage.session.setActive(true)
        try engine.start()
        #expect(engine.isRunning)
        engine.stop()
        manual.engine.stop()
    }

    @Test("The arbiter of headphones answers that nothing has changed")
    func arbiter() async throws {
        #expect(try await !AVAudioRoutingArbiter.shared.begin(category: .playback))
        AVAudioRoutingArbiter.shared.leave()
    }
}
