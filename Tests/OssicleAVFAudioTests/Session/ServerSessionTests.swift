import Foundation
import OssicleDevices
import OssiclePlayback
import Testing
@testable import OssicleAVFAudio

@Suite(
    "Session at a sound server", .enabled(if: ProcessInfo.processInfo.environment["OSSICLE_SOUND_SERVER"] == "1"))
struct ServerSessionTests {
    @Test("Another program of the telephone's role interrupts an engine, and its end lets it resume")
    func telephone() throws {
        let participants = SessionParticipants()
        let session = AVAudioSession(
            SessionControl(
                surroundings: ServerSurroundings(), participants: participants, access: RecordAccess(environment: [:])
            ) { _ in })
        let notes = NotificationLog(of: session)
        let seen = Box<[Notification.Name]>([])
        let engine = AVAudioEngine()
        engine.errorHandler = { _ in }
        let source = OfflineRig.source { _, _ in 0 }
        engine.attach(source)
        engine.connect(source, to: engine.mainMixerNode, format: OfflineRig.format(48_000, 2))
        participants.add(engine.machine)
        try session.setCategory(.playback)
        try session.setActive(true)
        try engine.start()
        #expect(session.currentRoute.outputs.count == 1 && session.currentRoute.outputs != [.silence])

        let phone = Process()
        phone.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        phone.arguments = ["pacat", "--playback", "--property=media.role=phone", "--rate=48000", "/dev/zero"]
        try phone.run()
        #expect(eventually { !session.isActive && !engine.isRunning })
        #expect(session.secondaryAudioShouldBeSilencedHint && session.promptStyle == .none)
        #expect(sessionCode { try session.setActive(true) } == .insufficientPriority)
        // Only this signal gets through: those of a test runner's threads are blocked.
        kill(phone.processIdentifier, SIGKILL)
        phone.waitUntilExit()
        #expect(
            eventually {
                seen.value += notes.take().filter {
                    $0.userInfo?[AVAudioSessionInterruptionOptionKey] as? UInt == 1
                }.map(\.name)
                return seen.value == [AVAudioSession.interruptionNotification]
            }, "an end with .shouldResume")
        try session.setActive(true)
        try engine.start()
        #expect(engine.isRunning)
        engine.stop()
    }

    /// Whether something becomes so, in twenty seconds at most.
    private func eventually(_ isSo: () -> Bool) -> Bool {
        for _ in 0..<2000 {
            if isSo() { return true }
            Thread.sleep(forTimeInterval: 0.01)
        }
        return isSo()
    }
}
