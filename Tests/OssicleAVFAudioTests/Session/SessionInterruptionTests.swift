import Foundation
import OssicleDevices
import OssiclePlayback
import Testing
@testable import OssicleAVFAudio

@Suite("Session: activation, interruptions, other sound")
struct SessionInterruptionTests {
    typealias Session = AVAudioSession

    private func type(_ note: Notification) -> Session.InterruptionType? {
        (note.userInfo?[AVAudioSessionInterruptionTypeKey] as? UInt).flatMap(Session.InterruptionType.init)
    }

    private func reason(_ note: Notification) -> Session.InterruptionReason? {
        (note.userInfo?[AVAudioSessionInterruptionReasonKey] as? UInt).flatMap(Session.InterruptionReason.init)
    }

    private func shouldResume(_ note: Notification) -> Bool? {
        (note.userInfo?[AVAudioSessionInterruptionOptionKey] as? UInt)
            .map { Session.InterruptionOptions(rawValue: $0).contains(.shouldResume) }
    }

    private func playing() throws -> SessionStage {
        let stage = SessionStage()
        try stage.session.setCategory(.playback)
        try stage.session.setActive(true)
        _ = stage.notes.take()
        return stage
    }

    @Test("A session becomes active and inactive once, and says so")
    func activation() throws {
        let stage = SessionStage()
        let player = StagedParticipant()
        stage.participants.add(player)
        try stage.session.setActive(true)
        try stage.session.setActive(true)
        #expect(stage.session.isActive)
        let names = [Session.didBecomeActiveNotification, Session.renderingModeChangeNotification]
        #expect(stage.notes.takeNames() == names)
        #expect(player.isPlaying)
        try stage.session.setActive(false, options: .notifyOthersOnDeactivation)
        try stage.session.setActive(false)
        #expect(!stage.session.isActive && !player.isPlaying, "deactivating pauses, and does not throw for it")
        let notes = stage.notes.take().filter { $0.name == Session.didBecomeInactiveNotification }
        let context = notes.first?.userInfo?[Session.deactivationContextKey] as? Session.DeactivationContext
        #expect(notes.count == 1 && context?.source == .app && context?.interruptionContext == nil)
    }

    @Test("An interruption pauses what plays before anybody is told; its end leaves the start to the program")
    func interruption() throws {
        let stage = try playing()
        let player = StagedParticipant()
        stage.participants.add(player)
        #expect(stage.session.simulateInterruption())
        #expect(!player.isPlaying && !stage.session.isActive)
        let began = stage.notes.take().filter { $0.name != Session.renderingModeChangeNotification }
        #expect(began.map(\.name) == [Session.didBecomeInactiveNotification, Session.interruptionNotification])
        let context = began[0].userInfo?[Session.deactivationContextKey] as? Session.DeactivationContext
        #expect(context?.source == .system && context?.interruptionContext?.reason == .default)
        #expect(type(began[1]) == .began && reason(began[1]) == .default && shouldResume(began[1]) == nil)
        #expect(began[1].object as? Session === stage.session)

        stage.session.simulateInterruptionEnd()
        let ended = stage.notes.take()
        #expect(ended.map(\.name) == [Session.interruptionNotification])
        #expect(type(ended[0]) == .ended && shouldResume(ended[0]) == true && reason(ended[0]) == nil)
        #expect(!stage.session.isActive && player.ends == [true])
        try stage.session.setActive(true)
        #expect(stage.session.isActive)
    }

    @Test("An end without a reason to resume says that")
    func noResume() throws {
        let stage = try playing()
        stage.session.simulateInterruption(.call)
        _ = stage.notes.take()
        stage.session.simulateInterruptionEnd(.call, shouldResume: false)
        #expect(stage.notes.take().map(shouldResume) == [false])
    }

    @Test("Who interrupts whom")
    func whoInterrupts() throws {
        typealias Source = AVAudioSessionSimulatedInterruption
        let table: [(Session.Category, Session.Mode, Session.CategoryOptions, Set<Source>)] = [
            (.ambient, .default, [], [.call]),
            (.soloAmbient, .default, [], [.call, .otherProgram]),
            (.playback, .default, [], [.call, .otherProgram]),
            (.playback, .default, .mixWithOthers, [.call]),
            (.playback, .default, .duckOthers, [.call]),
            (.playback, .spokenAudio, [], [.call, .otherProgram, .prompt]),
            (.playAndRecord, .voiceChat, [], [.call, .otherProgram, .mutedMicrophone]),
            (.playAndRecord, .default, .overrideMutedMicrophoneInterruption, [.call, .otherProgram]),
            (.record, .default, [], [.call, .otherProgram, .mutedMicrophone]),
        ]
        for (category, mode, options, sources) in table {
            for source in Source.allCases {
                let session = SessionStage().session
                try session.setCategory(category, mode: mode, options: options)
                #expect(!session.simulateInterruption(source), "an inactive session is not interrupted")
                session.simulateInterruptionEnd(source)
                try session.setActive(true)
                #expect(session.simulateInterruption(source) == sources.contains(source), "\(category) \(source)")
            }
        }
    }

    @Test("An interruption lasts until the last of those that interrupt is gone")
    func overlappingInterruptions() throws {
        let stage = try playing()
        stage.session.simulateInterruption(.otherProgram)
        stage.session.simulateInterruption(.call)
        _ = stage.notes.take()
        stage.session.simulateInterruptionEnd(.otherProgram)
        #expect(stage.notes.take().isEmpty)
        stage.session.simulateInterruptionEnd(.call)
        #expect(stage.notes.takeNames() == [Session.interruptionNotification])
        stage.session.simulateInterruptionEnd(.call)
        #expect(stage.notes.take().isEmpty, "an end without a beginning is nothing")
    }

    @Test("A program takes the sound back from another, but not from a call")
    func takingBack() throws {
        let stage = try playing()
        stage.session.simulateInterruption(.call)
        #expect(sessionCode { try stage.session.setActive(true) } == .insufficientPriority)
        #expect(stage.session.promptStyle == .none)
        stage.session.simulateInterruptionEnd(.call)
        try stage.session.setActive(true)
        stage.session.simulateInterruption(.otherProgram)
        try stage.session.setActive(true)
        _ = stage.notes.take()
        stage.session.simulateInterruptionEnd(.otherProgram)
        #expect(stage.notes.take().isEmpty && stage.session.isActive, "the interruption was over")
    }

    @Test("Handlers may call the session, and activate it again at the end of an interruption")
    func handlersCall() throws {
        let stage = try playing()
        let session = stage.session
        let observer = NotificationCenter.default.addObserver(
            forName: Session.interruptionNotification, object: session, queue: nil
        ) { note in
            let key = AVAudioSessionInterruptionTypeKey
            if note.userInfo?[key] as? UInt == Session.InterruptionType.ended.rawValue { try? session.setActive(true) }
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        for _ in 0..<3 {
            #expect(session.simulateInterruption())
            session.simulateInterruptionEnd()
            #expect(session.isActive)
        }
    }

    @Test("Others are lowered while a session that ducks is active, and restored by whatever ends that")
    func ducking() throws {
        let stage = SessionStage()
        try stage.session.setCategory(.playback, mode: .voicePrompt, options: .duckOthers)
        #expect(stage.surroundings.ducking.isEmpty && stage.surroundings.role == .announcement)
        try stage.session.setActive(true)
        #expect(stage.surroundings.ducking == [true])
        try stage.session.setActive(false, options: .notifyOthersOnDeactivation)
        #expect(stage.surroundings.ducking == [true, false])
        try stage.session.setActive(true)
        stage.session.simulateInterruption(.call)
        #expect(stage.surroundings.ducking == [true, false, true, false])
        stage.session.simulateInterruptionEnd(.call)
        try stage.session.setActive(true)
        try stage.session.setCategory(.playback)
        #expect(stage.surroundings.ducking.suffix(2) == [true, false], "ducking follows the options at once")
        try stage.session.setCategory(.ambient, options: .duckOthers)
        #expect(stage.surroundings.ducking.last == true)
    }

    @Test("Primary sound of others is a hint to be silent; effects are not")
    func silenceHint() throws {
        let stage = SessionStage()
        try stage.session.setCategory(.ambient)
        stage.session.simulateOtherAudio(.primary)
        #expect(stage.session.secondaryAudioShouldBeSilencedHint && stage.session.isOtherAudioPlaying)
        #expect(stage.notes.take().isEmpty, "an inactive session is not told")
        stage.session.simulateOtherAudio(.none)
        try stage.session.setActive(true)
        _ = stage.notes.take()
        stage.session.simulateOtherAudio(.secondary)
        #expect(stage.session.isOtherAudioPlaying && !stage.session.secondaryAudioShouldBeSilencedHint)
        #expect(stage.notes.take().isEmpty && stage.session.promptStyle == .normal)
        stage.session.simulateOtherAudio(.primary)
        #expect(stage.session.promptStyle == .short)
        stage.session.simulateOtherAudio(.none)
        let key = AVAudioSessionSilenceSecondaryAudioHintTypeKey
        #expect(stage.notes.take().map { $0.userInfo?[key] as? UInt } == [1, 0])
    }

    @Test("A lost server leaves the session inactive until it is back")
    func mediaServices() throws {
        let stage = try playing()
        stage.session.simulateMediaServicesLoss()
        stage.session.simulateMediaServicesLoss()
        #expect(sessionCode { try stage.session.setActive(true) } == .mediaServicesFailed)
        stage.session.simulateMediaServicesReset()
        let names = stage.notes.takeNames().filter { $0 != Session.renderingModeChangeNotification }
        #expect(names == [Session.mediaServicesWereLostNotification, Session.mediaServicesWereResetNotification])
        #expect(!stage.session.isActive && stage.session.category == .playback)
        try stage.session.setActive(true)
        #expect(stage.session.isActive)
    }

    @Test("What the server reports moves the same state")
    func server() throws {
        let stage = try playing()
        stage.surroundings.report(.others([.phone]))
        stage.settle()
        #expect(!stage.session.isActive && stage.session.secondaryAudioShouldBeSilencedHint)
        #expect(stage.notes.takeNames().contains(Session.interruptionNotification))
        stage.surroundings.report(.others([.event]))
        stage.settle()
        #expect(stage.notes.take().compactMap(shouldResume) == [true])
        #expect(stage.session.isOtherAudioPlaying && !stage.session.secondaryAudioShouldBeSilencedHint)
        stage.surroundings.report(.serverLost)
        stage.surroundings.report(.serverBack)
        stage.settle()
        #expect(
            stage.notes.takeNames() == [
                Session.mediaServicesWereLostNotification, Session.mediaServicesWereResetNotification,
            ])
    }

    @Test("Activation without waiting answers with the same result, by handler and by await")
    func asynchronousActivation() async throws {
        let stage = SessionStage()
        #expect(try await stage.session.activate())
        #expect(stage.session.isActive)
        stage.session.simulateInterruption(.call)
        let session = stage.session
        await #expect(throws: OssicleError.self) { try await session.activate() }
        let answer = await withCheckedContinuation { continuation in
            session.activate(options: []) { isActive, error in
                continuation.resume(returning: (isActive, (error as? OssicleError)?.code))
            }
        }
        #expect(answer == (false, Session.ErrorCode.insufficientPriority.rawValue))
    }

    @Test("Messages carry what notifications carry")
    @MainActor func messages() throws {
        let stage = try playing()
        stage.session.simulateInterruption(.call)
        let note = stage.notes.take().first { $0.name == Session.didBecomeInactiveNotification }
        let message = note.flatMap(Session.DidBecomeInactiveMessage.makeMessage)
        guard case .systemInterruption(let context)? = message?.deactivationResult else {
            Issue.record("no interruption")
            return
        }
        #expect(context.reason == .default)
    }
}
