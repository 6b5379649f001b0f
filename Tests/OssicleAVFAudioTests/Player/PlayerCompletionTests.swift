import Foundation
import OssicleDevices
import OssicleTestSupport
import Testing
@testable import OssicleAVFAudio

@Suite struct PlayerCompletionTests {
    private let a = ramp(1000), b = ramp(500, from: 20_000)

    @Test func `handlers are called in order, with the type that was asked for and the reason`() throws {
        let stage = try PlayerStage()
        let diary = Diary()
        let player = stage.player
        player.scheduleBuffer(try stage.buffer(a)) { diary.note("plain") }
        for type in [AVAudioPlayerNodeCompletionCallbackType.dataConsumed, .dataRendered, .dataPlayedBack] {
            player.scheduleBuffer(try stage.buffer(b), completionCallbackType: type) {
                diary.note("type \($0.rawValue)")
            }
        }
        player.scheduleBuffer(try stage.buffer(b)) { type, reason in diary.note("reason \(type.rawValue) \(reason)") }
        player.play()
        _ = try stage.render(999)
        stage.engine.drainCallbacks()
        #expect(diary.lines == [])
        _ = try stage.render(1)
        stage.engine.drainCallbacks()
        #expect(diary.lines == ["plain"])
        _ = try stage.render(2000)
        stage.engine.drainCallbacks()
        #expect(diary.lines == ["plain", "type 0", "type 1", "type 2", "reason 2 finished"])
    }

    @Test func `stop calls every handler that is due, once, also when the engine does not run`() throws {
        let stage = try PlayerStage(starts: false)
        let diary = Diary()
        func schedule(_ name: String) throws {
            stage.player.scheduleBuffer(
                try stage.buffer(a), reasonHandler: { _, reason in diary.note("\(name) \(reason)") })
        }
        try schedule("a")
        try schedule("b")
        stage.player.stop()
        stage.player.drain()
        #expect(diary.lines == ["a stopped", "b stopped"])
        try stage.engine.start()
        try schedule("c")
        try schedule("d")
        stage.player.play()
        _ = try stage.render(1500)
        stage.engine.stop()
        stage.player.drain()
        #expect(diary.lines == ["a stopped", "b stopped", "c finished", "d stopped"])
    }

    @Test func `a looping buffer tells only when it is interrupted or stopped`() throws {
        let stage = try PlayerStage()
        let diary = Diary()
        stage.player.scheduleBuffer(
            try stage.buffer(b), at: nil, options: .loops, reasonHandler: { _, reason in diary.note("first \(reason)") }
        )
        stage.player.play()
        _ = try stage.render(5250)
        stage.engine.drainCallbacks()
        #expect(diary.lines == [])
        stage.player.scheduleBuffer(
            try stage.buffer(b), at: nil, options: [.loops, .interruptsAtLoop],
            reasonHandler: { _, reason in diary.note("second \(reason)") })
        _ = try stage.render(1000)
        stage.player.stop()
        stage.player.drain()
        #expect(diary.lines == ["first interrupted", "second stopped"])
    }

    @Test func `a handler may stop, schedule and play, and is not on the thread that renders`() throws {
        let stage = try PlayerStage()
        let (player, engine) = (stage.player, stage.engine)
        let next = try stage.buffer(b)
        let diary = Diary()
        let renderThread = pthread_self()
        struct Box: @unchecked Sendable { let player: AVAudioPlayerNode, engine: AVAudioEngine, next: AVAudioPCMBuffer }
        let box = Box(player: player, engine: engine, next: next)
        player.scheduleBuffer(try stage.buffer(a)) {
            diary.note(pthread_equal(pthread_self(), renderThread) == 0 ? "elsewhere" : "on the render thread")
            box.player.stop()
            box.player.scheduleBuffer(box.next) { diary.note("stopped too") }
            box.player.scheduleBuffer(box.next, at: nil, options: .interrupts)
            box.player.play()
            _ = box.player.isPlaying
            _ = box.engine.isRunning
            box.engine.mainMixerNode.outputVolume = 0.5
        }
        player.play()
        _ = try stage.render(1000)
        stage.engine.drainCallbacks()
        #expect(try stage.render(500) == b)
        stage.engine.drainCallbacks()
        #expect(diary.lines == ["elsewhere", "stopped too"])
    }

    @Test func `a handler that hangs delays nobody's sound and nobody else's handlers`() throws {
        let stage = try PlayerStage()
        let other = AVAudioPlayerNode()
        let mixer = AVAudioMixerNode()
        for node in [other, mixer] { stage.engine.attach(node) }
        stage.engine.connect(mixer, to: stage.engine.outputNode, format: stage.format)
        stage.engine.connect(stage.player, to: mixer, format: stage.format)
        stage.engine.connect(other, to: mixer, format: stage.format)
        let gate = DispatchSemaphore(value: 0)
        let diary = Diary()
        stage.engine.offlineHandlerTimeLimit = 0.05
        stage.player.scheduleBuffer(try stage.buffer(b)) { gate.wait() }
        other.scheduleBuffer(try stage.buffer(a)) { diary.note("other") }
        stage.player.play()
        other.play()
        #expect(try stage.render(1000) == zip(a, b + silence(500)).map { $0 + $1 })
        other.drain()
        #expect(diary.lines == ["other"])
        gate.signal()
        stage.player.drain()
    }

    @Test func `a player that goes away calls its handlers`() throws {
        let diary = Diary()
        do {
            let player = AVAudioPlayerNode()
            player.scheduleBuffer(try pcm([a]), reasonHandler: { _, reason in diary.note("\(reason)") })
        }
        for _ in 0..<1000 where diary.lines.isEmpty { Thread.sleep(forTimeInterval: 0.01) }
        #expect(diary.lines == ["stopped"])
    }

    @Test func `async calls return when their sound is over`() async throws {
        let player = AVAudioPlayerNode()
        let engine = AVAudioEngine()
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 48000, channels: 1))
        try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 4096)
        engine.attach(player)
        engine.connect(player, to: engine.outputNode, format: format)
        try engine.start()
        player.play()
        let over = Diary()
        struct Box: @unchecked Sendable { let engine: AVAudioEngine, buffer: AVAudioPCMBuffer }
        let box = Box(engine: engine, buffer: try pcm([silence(128)]))
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                while over.lines.isEmpty {
                    _ = try? box.engine.renderOffline(128, to: box.buffer)
                    // Whoever waits needs a thread as well, and there may be two of them for all tests.
                    await Task.yield()
                }
            }
            await player.scheduleBuffer((try? pcm([a])) ?? box.buffer)
            let type = await player.scheduleBuffer((try? pcm([b])) ?? box.buffer, completionCallbackType: .dataRendered)
            #expect(type == .dataRendered)
            over.note("over")
        }
        // Refused: it must return, too.
        await player.scheduleBuffer(try pcm([a, a]))
        #expect(engine.lastError != nil)
    }

    @Test func `whatever several threads do while another renders, every handler is called once`() throws {
        let stage = try PlayerStage()
        let folder = try TemporaryFolder()
        let file = try waveFile(folder, "noise.wav", [ramp(3000)], rate: 44100)
        struct Box: @unchecked Sendable { let stage: PlayerStage, sound: AVAudioPCMBuffer, file: AVAudioFile }
        let box = Box(stage: stage, sound: try stage.buffer(b), file: file)
        let (scheduled, called, over) = (Diary(), Diary(), Diary())
        let renderer = Thread {
            while over.lines.isEmpty { _ = try? box.stage.render(256, cuts: [128, 3]) }
            over.note("the last call has returned")
        }
        renderer.start()
        DispatchQueue.concurrentPerform(iterations: 3) { worker in
            let random = Signal.noise(count: 600, seed: UInt64(worker))
            for (index, number) in random.enumerated() {
                let name = "\(worker) \(index)"
                let player = box.stage.player
                switch Int((number + 1) * 5) {
                case 0: player.stop()
                case 1: player.pause()
                case 2, 3: player.play()
                case 4:
                    scheduled.note(name)
                    player.scheduleFile(box.file, at: nil) { called.note(name) }
                case 5:
                    scheduled.note(name)
                    player.scheduleBuffer(box.sound, at: nil, options: [.loops, .interrupts]) { called.note(name) }
                default:
                    scheduled.note(name)
                    player.scheduleBuffer(box.sound, at: nil, options: .interruptsAtLoop) { called.note(name) }
                }
            }
        }
        over.note("enough")
        for _ in 0..<1000 where over.lines.count < 2 { Thread.sleep(forTimeInterval: 0.01) }
        stage.player.stop()
        stage.player.drain()
        #expect(called.lines.count > 500)
        #expect(called.lines.sorted() == scheduled.lines.sorted())
    }

    @Test func `at a device a file is played to its end, and every kind of handler is called`() throws {
        let folder = try TemporaryFolder()
        let engine = AVAudioEngine()
        let player = AVAudioPlayerNode()
        engine.attach(player)
        engine.connect(player, to: engine.mainMixerNode, format: nil)
        try engine.start()
        let diary = Diary()
        for type in [AVAudioPlayerNodeCompletionCallbackType.dataConsumed, .dataRendered, .dataPlayedBack] {
            let file = try waveFile(folder, "\(type.rawValue).wav", [silence(4410), silence(4410)], rate: 44100)
            player.scheduleFile(file, at: nil, completionCallbackType: type) { diary.note("\($0.rawValue)") }
        }
        player.prepare(withFrameCount: 4800)
        player.play(at: AVAudioTime(hostTime: HostClock.now + 20_000_000))
        for _ in 0..<1500 where diary.lines.count < 3 { Thread.sleep(forTimeInterval: 0.01) }
        #expect(diary.lines == ["0", "1", "2"])
        let now = try #require(player.lastRenderTime)
        let played = try #require(player.playerTime(forNodeTime: now))
        #expect(played.sampleTime >= 3 * 4410)
        engine.stop()
        #expect(!player.isPlaying && player.lastRenderTime == nil)
    }
}
