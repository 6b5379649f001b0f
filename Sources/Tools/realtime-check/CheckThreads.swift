import Foundation
import OssicleAVFAudio

/// A graph that many threads edit while a realtime manual rendering block renders it, for ThreadSanitizer to watch.
enum CheckThreads {
    /// - Returns: how many turns the threads had, and how many frames were rendered meanwhile.
    static func run(threads: Int, seconds: Double) throws -> (turns: Int, frames: Int) {
        let graph = try SharedGraph()
        let (frames, turns) = try Hands.work(threads) {
            GraphHand(graph, $0)
        } while: {
            try graph.engine.renderInRealTime(for: seconds)
        }
        graph.engine.stop()
        return (turns, frames)
    }
}

/// What all threads have in common: an engine that runs, a mixer each for two of them, an environment, and a sound.
final class SharedGraph: @unchecked Sendable {
    let engine = AVAudioEngine()
    let format: AVAudioFormat
    let slow: AVAudioFormat
    let mixers = [AVAudioMixerNode(), AVAudioMixerNode()]
    let environment = AVAudioEnvironmentNode()
    let sound: AVAudioPCMBuffer

    /// - Parameter isAtDevice: whether the default output asks for sound, and not the caller.
    init(isAtDevice: Bool = false) throws {
        guard let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2),
            let slow = AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2),
            let sound = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 2000)
        else { throw CheckError("no format") }
        (self.format, self.slow, self.sound) = (format, slow, sound)
        for (frame, sample) in Noise.samples(2000, key: 1).enumerated() {
            sound.floatChannelData?[0][frame] = sample
            sound.floatChannelData?[1][frame] = sample
        }
        sound.frameLength = 2000
        // What one thread takes out while another connects it is refused, and said here.
        engine.errorHandler = { _ in }
        if !isAtDevice {
            try engine.enableManualRenderingMode(.realtime, format: format, maximumFrameCount: 1024)
        }
        for node in mixers + [environment] as [AVAudioNode] {
            engine.attach(node)
            engine.connect(node, to: engine.mainMixerNode, format: format)
        }
        try engine.start()
    }
}

extension AVAudioEngine {
    /// Renders two channels until the time is over, on the calling thread, which takes no lock.
    /// - Returns: frames.
    func renderInRealTime(for seconds: Double) throws -> Int {
        let block = manualRenderingBlock
        let list = AudioBufferList.allocate(maximumBuffers: 2)
        defer { free(list.unsafeMutablePointer) }
        let end = Date().addingTimeInterval(seconds)
        var (frames, call) = (0, 1)
        while Date() < end {
            for index in 0..<2 { list[index] = AudioBuffer(mNumberChannels: 1, mDataByteSize: 0, mData: nil) }
            if block(AVAudioFrameCount(call), list.unsafeMutablePointer, nil) == .success { frames += call }
            call = call % 1024 + 37
            if call > 1024 { call = 1 }
        }
        return frames
    }
}

/// One thread's client: a player, a source and an effect of its own in the graph that all share; one thing per turn.
final class GraphHand: Hand {
    private let graph: SharedGraph
    private let number: Int
    private var player = AVAudioPlayerNode()
    private let source: AVAudioSourceNode
    private let effects =
        [AVAudioUnitDelay(), AVAudioUnitReverb(), AVAudioUnitEQ(numberOfBands: 2), AVAudioUnitVarispeed()]
        as [AVAudioUnit]
    private var turn: Int
    private var engine: AVAudioEngine { graph.engine }

    init(_ graph: SharedGraph, _ number: Int) {
        (self.graph, self.number, turn) = (graph, number, 3 * number)
        source = AVAudioSourceNode { _, time, frames, list in
            for buffer in UnsafeMutableAudioBufferListPointer(list) {
                guard let samples = buffer.mData?.assumingMemoryBound(to: Float.self) else { continue }
                for frame in 0..<Int(frames) {
                    samples[frame] = Float((Int(time.pointee.mSampleTime) + frame) & 127) / 4000
                }
            }
            return noErr
        }
    }

    private var effect: AVAudioUnit { effects[turn / 13 % effects.count] }
    private var mixer: AVAudioMixerNode { graph.mixers[number % 2] }

    func act() {
        turn += 1
        switch turn % 13 {
        case 0: enter()
        case 1...2 where player.engine == nil: enter()
        case 1: player.scheduleBuffer(graph.sound, at: nil, options: turn % 2 == 0 ? .loops : []) {}
        case 2: player.play()
        case 3: effect.reset()
        case 4: turnKnobs()
        case 5: mixer.installTap(onBus: 0, bufferSize: 256, format: nil) { _, _ in }
        case 6:
            engine.connect(
                source, to: turn % 2 == 0 ? graph.environment : mixer, format: turn % 3 == 0 ? graph.slow : graph.format
            )
        case 7: look()
        case 8: player.pause()
        case 9: engine.disconnectNodeOutput(source)
        case 10: mixer.removeTap(onBus: 0)
        case 11:
            if number == 0, turn / 13 % 8 == 0 {
                restart()
            } else if player.engine != nil {
                AVAudioPlayerNode.play([player])
            }
        default: leave()
        }
    }

    private func enter() {
        for node in [player, source, effect] as [AVAudioNode] { engine.attach(node) }
        engine.connect(player, to: effect, format: graph.format)
        engine.connect(effect, to: mixer, format: graph.format)
        engine.connect(source, to: engine.mainMixerNode, format: graph.format)
    }

    private func turnKnobs() {
        let x = Float(turn % 31) / 31
        (effects[0] as? AVAudioUnitDelay)?.delayTime = Double(x) / 4
        (effects[1] as? AVAudioUnitReverb)?.wetDryMix = 100 * x
        (effects[2] as? AVAudioUnitEQ)?.globalGain = 6 * x
        (effects[3] as? AVAudioUnitVarispeed)?.rate = 0.5 + x
        (player.volume, player.pan, source.volume) = (x, 2 * x - 1, x)
        source.position = AVAudio3DPoint(x: 4 * x - 2, y: 0, z: -1)
        source.rate = turn % 4 == 0 ? 1 + x : 1
        mixer.outputVolume = x
    }

    private func look() {
        _ = (
            player.lastRenderTime, source.outputPresentationLatency, engine.attachedNodes.count, engine.isRunning,
            engine.dumpGraph(), player.isPlaying
        )
    }

    /// The engine as a whole: its memory, its time, its life.
    private func restart() {
        engine.reset()
        engine.pause()
        try? engine.start()
    }

    /// Takes everything out; the player, and what it plays, may go at once.
    func leave() {
        player.stop()
        for effect in effects {
            effect.reset()
            engine.detach(effect)
        }
        engine.detach(player)
        engine.detach(source)
        player = AVAudioPlayerNode()
    }
}
