import OssicleAVFAudio
import OssicleGraph
import OssiclePlayback

/// A place where clients may listen in: the engine's output, a listener's, a mixer's. Under the engine's lock.
final class TapPoint {
    private(set) var taps: [Tap] = []

    /// - Parameter name: of the place, for messages.
    func install(
        _ core: EngineCore, at name: String, _ bufferSize: AVAudioFrameCount, _ format: AVAudioFormat?,
        _ block: @escaping AVAudioNodeTapBlock
    ) throws {
        if let format { try check(format, core.outlets.format, name) }
        taps.append(Tap(core.outlets, bufferSize: Int(bufferSize), deliver: Self.delivery(in: format, block)))
        core.planChanged()
    }

    /// - Parameter form: of the client's buffers; nil for the output's.
    private static func delivery(in form: AVAudioFormat?, _ block: @escaping AVAudioNodeTapBlock) -> Tap.Block {
        { buffer, time in
            guard let buffer = buffer as? AVAudioPCMBuffer else { return }
            block(
                form.flatMap { buffer.converted(to: $0) } ?? buffer,
                AVAudioTime(hostTime: time.hostTime, sampleTime: time.frame, atRate: time.sampleRate))
        }
    }

    private func check(_ format: AVAudioFormat, _ flowing: AVAudioFormat?, _ name: String) throws {
        guard format.commonFormat != .otherFormat, format.channelCount >= 1 else {
            throw PHASEError(
                .initializeFailed, "A tap on \(name) cannot give \(format); use a linear PCM format, or nil.")
        }
        guard let flowing, format.sampleRate != flowing.sampleRate || format.channelCount != flowing.channelCount else {
            return
        }
        throw PHASEError(
            .initializeFailed,
            "A tap on \(name) in \(format) has not the rate and channels of the engine's output, \(flowing); pass nil, or that format."
        )
    }

    /// What they had collected is handed over.
    func removeAll(_ core: EngineCore) {
        guard !taps.isEmpty else { return }
        core.outlets.end(taps)
        taps = []
        core.planChanged()
    }

    /// Puts the taps behind a port.
    func add(to graph: inout Graph, behind port: Graph.Port, channels: Int) {
        for tap in taps {
            let renderer = tap.renderer(channels: channels)
            let step = graph.add("tap", .tap(renderer.pointer), owner: renderer, inputs: [channels], outputs: [])
            graph.addObserver(step)
            graph.connect(port, to: Graph.Port(step))
        }
    }

    /// Frames that came too fast for their blocks.
    var droppedFrames: Int { taps.reduce(0) { $0 + $1.droppedFrames } }
}
