import Foundation
import OssicleCoreAudioTypes
import Testing
@testable import OssicleAVFAudio

@Suite("Engine: what is reset, and when")
struct ResetTests {
    /// A delay behind a source that gives one impulse, rendered for `frames`.
    private func echoing(_ frames: Int, delay seconds: TimeInterval) throws -> (OfflineRig, AVAudioUnitDelay) {
        let delay = AVAudioUnitDelay()
        (delay.delayTime, delay.feedback, delay.wetDryMix) = (seconds, 0, 100)
        let rig = try OfflineRig.playing(OfflineRig.source(OfflineRig.impulse), through: [delay])
        _ = try rig.render(frames)
        return (rig, delay)
    }

    private func playOne(_ rig: OfflineRig) throws -> [Float] {
        let player = AVAudioPlayerNode()
        rig.engine.attach(player)
        rig.engine.connect(player, to: rig.engine.mainMixerNode, format: rig.format)
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: rig.format, frameCapacity: 100))
        buffer.frameLength = 100
        for channel in 0..<2 { buffer.floatChannelData?[channel].update(repeating: 0.25, count: 100) }
        player.scheduleBuffer(buffer)
        player.play()
        return try rig.render(200)[0]
    }

    @Test("A node that is reset, taken out and gone before the next render call is still there for the render side")
    func resetOfANodeThatGoes() throws {
        let (rig, _) = try echoing(100, delay: 0.01)
        for _ in 0..<20 {
            weak var gone: AVAudioUnitDelay?
            do {
                let delay = AVAudioUnitDelay()
                gone = delay
                rig.engine.attach(delay)
                let source = OfflineRig.source { _, _ in 0.5 }
                rig.engine.attach(source)
                rig.engine.connect(source, to: delay, format: rig.format)
                rig.engine.connect(delay, to: rig.engine.mainMixerNode, format: rig.format)
                _ = try rig.render(100)
                rig.engine.disconnectNodeOutput(source)
                rig.engine.disconnectNodeOutput(delay)
                _ = try rig.render(100)
                delay.reset()
                rig.engine.detach(delay)
                rig.engine.detach(source)
            }
            #expect(gone == nil)
            _ = try rig.render(100)
        }
        #expect(rig.engine.lastError == nil)
    }

    @Test("After a reset a new player is heard at once, however long was rendered before")
    func playerAfterReset() throws {
        let (rig, _) = try echoing(16_000, delay: 0.01)
        rig.engine.reset()
        #expect(rig.engine.manualRenderingSampleTime == 0)
        let sound = try playOne(rig)
        #expect(sound == Array(repeating: 0.25, count: 100) + Array(repeating: 0, count: 100))
    }

    @Test("Stop, prepare, another manual rendering mode and start: what is connected then is heard at once")
    func anotherRound() throws {
        let (rig, _) = try echoing(16_000, delay: 0.01)
        rig.engine.stop()
        rig.engine.prepare()
        try rig.engine.enableManualRenderingMode(.offline, format: rig.format, maximumFrameCount: 4096)
        try rig.engine.start()
        #expect(rig.engine.manualRenderingSampleTime == 0)
        #expect(try playOne(rig).prefix(100).allSatisfy { $0 == 0.25 })
    }

    @Test("A reset of the engine while it is stopped clears what its nodes remember")
    func stopped() throws {
        let (rig, _) = try echoing(300, delay: 0.01)
        rig.engine.stop()
        rig.engine.reset()
        try rig.engine.start()
        #expect(try rig.render(2000)[0].allSatisfy { $0 == 0 })
    }

    @Test("Players behind another clock begin at once after a reset too")
    func otherClock() throws {
        let rig = try OfflineRig()
        let slow = OfflineRig.format(24_000, 2)
        let source = OfflineRig.source { _, _ in 0.5 }
        rig.engine.attach(source)
        rig.engine.connect(source, to: rig.engine.mainMixerNode, format: slow)
        try rig.engine.start()
        _ = try rig.render(10_000)
        rig.engine.reset()
        _ = try rig.render(512)
        #expect(
            source.lastRenderTime.map { $0.sampleTime >= 256 && $0.sampleTime < 512 } == true, "it counts from 0 again")
        #expect(try playOne(rig)[0] == 0.75)
    }
}
