import Foundation
import OssicleCoreAudioTypes
import OssicleTestSupport
import Testing
@testable import OssicleAVFAudio

@Suite struct PlayerErrorTests {
    private let a = ramp(100)

    /// What a refused call leaves behind: its code, and a handler that was called.
    private func refusal(
        _ stage: PlayerStage,
        _ call: (AVAudioPlayerNode, @escaping AVAudioPlayerNode.CompletionReasonHandler) throws -> Void
    ) throws -> OSStatus? {
        let diary = Diary()
        stage.engine.lastError = nil
        try call(stage.player) { _, reason in diary.note("\(reason)") }
        stage.player.drain()
        #expect(diary.lines == ["refused"])
        return stage.errorCode
    }

    @Test func `a buffer of another channel count than the connection's is refused`() throws {
        let stage = try PlayerStage(channels: 2)
        #expect(
            try refusal(stage) { $0.scheduleBuffer(try stage.buffer(a), reasonHandler: $1) }
                == kAudioUnitErr_FormatNotSupported)
        stage.player.play()
        #expect(try stage.render(100) == silence(100))
    }

    @Test func `a time with neither part is refused`() throws {
        let stage = try PlayerStage()
        var stamp = AudioTimeStamp()
        let nothing = AVAudioTime(audioTimeStamp: &stamp, sampleRate: 48000)
        #expect(
            try refusal(stage) { $0.scheduleBuffer(try stage.buffer(a), at: nothing, reasonHandler: $1) }
                == kAudio_ParamError)
        #expect(avfaudioCode { try stage.player.playAudio(at: nothing) } == kAudio_ParamError)
        #expect(!stage.player.isPlaying)
        stage.engine.lastError = nil
        stage.player.play(at: nothing)
        #expect(stage.errorCode == kAudio_ParamError)
    }

    @Test func `files that cannot be read are refused`() throws {
        let folder = try TemporaryFolder()
        let stage = try PlayerStage()
        let file = try waveFile(folder, "a.wav", [a], rate: 48000)
        #expect(
            try refusal(stage) { $0.scheduleSegment(file, startingFrame: -1, frameCount: 10, reasonHandler: $1) }
                == kAudio_ParamError)
        let writing = try AVAudioFile(
            forWriting: folder.file("b.wav"),
            settings: [AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 48000, AVNumberOfChannelsKey: 1])
        #expect(
            try refusal(stage) { $0.scheduleFile(writing, reasonHandler: $1) } == kAudioFileOperationNotSupportedError)
        file.close()
        #expect(try refusal(stage) { $0.scheduleFile(file, reasonHandler: $1) } == kAudio_FileNotFoundError)
    }

    @Test func `the throwing play tells what is missing, the other one records it and waits`() throws {
        let alone = AVAudioPlayerNode()
        #expect(avfaudioCode { try alone.playAudio() } == kAudioUnitErr_CannotDoInCurrentContext)
        #expect(!alone.isPlaying)
        alone.play()
        #expect(alone.isPlaying)
        let stage = try PlayerStage()
        stage.engine.disconnectNodeOutput(stage.player)
        #expect(avfaudioCode { try stage.player.playAudio() } == kAudioUnitErr_NoConnection)
        stage.player.scheduleBuffer(try stage.buffer(a))
        stage.player.play()
        #expect(stage.errorCode == kAudioUnitErr_NoConnection)
        stage.engine.connect(stage.player, to: stage.engine.outputNode, format: stage.format)
        try stage.player.playAudio()
        #expect(try stage.render(100) == a)
    }

    @Test func `nonsense does no harm`() throws {
        let stage = try PlayerStage()
        let empty = try #require(AVAudioPCMBuffer(pcmFormat: stage.format, frameCapacity: 0))
        let player = stage.player
        player.scheduleBuffer(empty, at: nil, options: .loops)
        player.scheduleBuffer(AVReadOnlyAudioPCMBuffer(copying: empty))
        for frame in [Int64.min, .max, -1] {
            player.scheduleBuffer(try stage.buffer(a), at: time(frame, 1e-300))
            player.scheduleBuffer(try stage.buffer(a), at: time(frame, .infinity), options: .interrupts)
            player.play(at: time(frame, 1e9))
            _ = player.playerTime(forNodeTime: time(frame))
            _ = player.nodeTime(forPlayerTime: time(frame, 1e-300))
        }
        player.prepare(withFrameCount: .max)
        _ = try stage.render(1000)
        player.stop()
        player.scheduleBuffer(try stage.buffer(a))
        player.play()
        #expect(try stage.render(100) == a)
    }
}
