import Foundation
import OssicleCore
import OssiclePHASE

/// All of PHASE at work while it renders.
enum CheckEverything {
    /// For RealtimeSanitizer: one hand, which works in calls of many sizes.
    /// - Returns: seconds rendered.
    static func run(_ format: AVAudioFormat) throws -> Double {
        let scene = try EverythingScene(.offline, format: format)
        defer { try? FileManager.default.removeItem(at: scene.sound) }
        if scene.head == nil { print("(no SOFA file of libmysofa's here: the head is not changed)") }
        let engine = scene.engine
        let own = engine.output(for: scene.listener)
        guard let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 4096),
            let ears = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 4096)
        else {
            throw CheckError("no buffer")
        }
        try engine.start()
        let hand = try SceneHand(scene, 0)
        var frames = 0
        // The runtime makes metadata when it is first needed: one round of everything before the watch begins.
        engine.watchesRealTime = false
        for _ in 0..<2 {
            var call = 1
            for _ in 0..<24 * 8 {
                try hand.act()
                for _ in 0..<2 {
                    try engine.renderOffline(AVAudioFrameCount(call), to: buffer, listeners: [own: ears])
                    frames += call
                    call = call % 1024 + 37
                }
            }
            engine.watchesRealTime = true
        }
        let sounding = engine.soundEvents.count
        guard sounding > 0 else { throw CheckError("nothing played") }
        hand.leave()
        engine.stop()
        return (Double(frames) / format.sampleRate * 100).rounded() / 100
    }

    /// For ThreadSanitizer: `hands` threads edit while another renders, which takes no lock, and the engine's clock
    /// updates.
    /// - Returns: frames rendered, and turns that the threads took.
    static func run(threads hands: Int, seconds: Double) throws -> (frames: Int, turns: Int) {
        guard let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2),
            let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 512)
        else {
            throw CheckError("no buffer")
        }
        let scene = try EverythingScene(.realtime, format: format)
        defer { try? FileManager.default.removeItem(at: scene.sound) }
        try scene.engine.start()
        let block = scene.engine.manualRenderingBlock
        let (frames, turns) = try Hands.work(hands) {
            try SceneHand(scene, $0)
        } while: {
            let end = Date().addingTimeInterval(seconds)
            var frames = 0
            while Date() < end {
                buffer.frameLength = 512
                var status: OSStatus = noErr
                guard block(512, buffer.mutableAudioBufferList, &status) == .success else {
                    throw CheckError("rendering answered \(status)")
                }
                frames += 512
                Thread.sleep(forTimeInterval: 0.002)
            }
            return frames
        }
        scene.engine.stop()
        return (frames, turns)
    }
}
