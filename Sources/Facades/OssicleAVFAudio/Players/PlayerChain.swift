// The nodes of one AVAudioPlayer.

import OssicleChannels
import OssicleCoreAudioTypes
import OssiclePlayback

/// A player node in a shared engine, with a time stretcher behind it where the speed may change. The node runs at the
/// file's own rate, so that passes of a loop join on their frames; the mixer of that rate converts.
final class PlayerChain {
    let node = AVAudioPlayerNode()
    private let stretcher: AVAudioUnitTimePitch?
    private let engine: AVAudioEngine
    private let mixer: AVAudioMixerNode
    /// The engine's frame at which `speed` applies.
    private var speedFrame: Int64?

    /// Whether the node's clock has run at the engine's pace since it began, so that its frames lie where the engine's
    /// time lies.
    private(set) var isSteady = true
    /// Played frames per frame.
    private(set) var speed: Float = 1
    private var isAssigned = false

    var stretches: Bool { stretcher != nil }

    /// Throws what keeps the engine from playing `format`.
    init(in engine: AVAudioEngine, mixer: AVAudioMixerNode, format: AVAudioFormat, stretches: Bool) throws {
        (self.engine, self.mixer) = (engine, mixer)
        stretcher = stretches ? AVAudioUnitTimePitch() : nil
        engine.attach(node)
        do {
            var end: AVAudioNode = node
            if let stretcher {
                engine.attach(stretcher)
                try engine.connectNode(node, to: stretcher, format: format)
                end = stretcher
            }
            try engine.connectNode(end, to: mixer, format: format)
        } catch {
            detach()
            throw error
        }
    }

    /// Takes the nodes out of the engine.
    func detach() {
        node.stop()
        if isAssigned { assign(nil) }
        engine.detach(node)
        if let stretcher { engine.detach(stretcher) }
    }

    /// Sends each channel to one of the output's, counted from 0; `nil` for where the layouts say.
    func assign(_ outputs: [Int]?) {
        let end: AVAudioNode = stretcher ?? node
        guard let bus = engine.outputConnectionPoints(for: end, outputBus: 0).first?.bus else { return }
        let (from, to) = (node.outputFormat(forBus: 0).channelLabels, mixer.outputFormat(forBus: 0).channelLabels)
        isAssigned = outputs != nil
        let usual = ChannelMatrix(from: from, to: to, intoMono: .mean).gains
        for (index, gain) in usual.enumerated() {
            let (input, output) = (index % from.count, index / from.count)
            let assigned = outputs.map { $0.indices.contains(input) && $0[input] == output ? Float(1) : 0 }
            mixer.setCrossPoint(assigned ?? gain, inputBus: bus, inputChannel: input, outputChannel: output)
            if outputs == nil {
                mixer.setCrossPoint(nil, inputBus: bus, inputChannel: input, outputChannel: output)
            }
        }
    }

    /// Plays at `speed`: from now on or, where the start is to lie on a frame, from behind that start.
    func setSpeed(_ speed: Float, from frame: Int64? = nil) {
        guard let stretcher else { return }
        self.speed = speed
        speedFrame = frame
        if frame == nil {
            stretcher.rate = speed
            if speed != 1 { isSteady = false }
        }
    }

    /// The frame at which the speed changes, if it lies behind `frame`.
    func nextEvent(after frame: Int64) -> Int64? { speedFrame.flatMap { $0 > frame ? $0 : nil } }

    func tick(at frame: Int64) {
        if let due = speedFrame, frame >= due { setSpeed(speed) }
    }

    /// The player time of the next frame; negative before a start that is still to come, `nil` while the node stands
    /// still.
    var playerTime: Int64? {
        node.lastRenderTime.flatMap { node.playerTime(forNodeTime: $0) }?.sampleTime
    }

    /// Plays from `frame` of the engine on, at the engine's `rate` in Hz; `nil` for as soon as possible.
    func play(at frame: Int64?, rate: Double) {
        node.play(at: frame.map { AVAudioTime(sampleTime: $0, atRate: rate) })
    }

    /// - Parameter start: player time at which it replaces what plays; `nil` for behind it.
    func schedule(_ stream: FileStream, at start: Int64?, completion: SegmentCompletion) {
        node.queue.schedule(
            ScheduledSegment(
                stream.source, keeping: stream, at: start, interruption: start == nil ? .none : .cut,
                completion: completion))
    }
}
