import PHASE
import Synchronization

/// What a tap hands over, put together again.
final class Listening: Sendable {
    struct Heard {
        var channels: [[Float]] = []
        var sizes: [Int] = []
        var times: [AVAudioTime] = []
        var formats: [AVAudioFormat] = []
    }

    private let heard = Mutex(Heard())

    /// Valid once the engine's callbacks are drained.
    var all: Heard { heard.withLock { $0 } }

    var block: AVAudioNodeTapBlock {
        { [self] buffer, time in
            heard.withLock { heard in
                let count = Int(buffer.format.channelCount)
                if heard.channels.isEmpty { heard.channels = Array(repeating: [], count: count) }
                heard.sizes.append(Int(buffer.frameLength))
                heard.times.append(time)
                heard.formats.append(buffer.format)
                guard let data = buffer.floatChannelData else { return }
                for channel in 0..<count {
                    heard.channels[channel].append(
                        contentsOf: UnsafeBufferPointer(start: data[channel], count: Int(buffer.frameLength)))
                }
            }
        }
    }
}

extension Stage {
    /// The next `frames` frames of the engine's output and of listeners' own.
    func render(
        _ frames: Int, listeners: [PHASEListenerOutput], call: Int = 512
    ) throws -> (engine: [[Float]], listeners: [[[Float]]]) {
        var engineOut = [[Float]](repeating: [], count: Int(format.channelCount))
        var outs = Array(repeating: engineOut, count: listeners.count)
        var done = 0
        while done < frames {
            let run = min(call, frames - done)
            func buffer() throws -> AVAudioPCMBuffer {
                try TestFailure.unwrap(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(run)))
            }
            let main = try buffer()
            let own = try listeners.map { _ in try buffer() }
            try engine.renderOffline(
                AVAudioFrameCount(run), to: main, listeners: Dictionary(uniqueKeysWithValues: zip(listeners, own)))
            for channel in engineOut.indices {
                engineOut[channel] += main.samples(channel)
                for index in own.indices { outs[index][channel] += own[index].samples(channel) }
            }
            done += run
        }
        return (engineOut, outs)
    }

    /// A second pair of ears, in the scene.
    func ears(at position: SIMD3<Float>) throws -> PHASEListener {
        let listener = PHASEListener(engine: engine)
        listener.transform = .translation(position)
        try engine.rootObject.addChild(listener)
        return listener
    }

    func event(
        _ identifier: String, _ mixer: PHASESpatialMixerDefinition, _ source: PHASESource, _ listener: PHASEListener
    ) throws -> PHASESoundEvent {
        let parameters = PHASEMixerParameters()
        parameters.addSpatialMixerParameters(identifier: mixer.identifier, source: source, listener: listener)
        return try PHASESoundEvent(engine: engine, assetIdentifier: identifier, mixerParameters: parameters)
    }
}

extension AVAudioPCMBuffer {
    func samples(_ channel: Int) -> [Float] {
        guard let data = floatChannelData, channel < Int(format.channelCount) else { return [] }
        return Array(UnsafeBufferPointer(start: data[channel], count: Int(frameLength)))
    }
}
