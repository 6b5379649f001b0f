import OssicleCore
import OssicleCoreAudioTypes
import OssicleRender

/// Fetches input from the client's block, a render call's worth at a time, and hands it out block by block.
final class InputFeed: @unchecked Sendable {
    let format: AVAudioFormat
    private let block: AVAudioIONodeInputBlock
    private let reader: SampleReader
    private let store: SampleMemory
    private let capacity: Int
    private let channels: Int
    private let ranDry = RendererBox(PublishedPosition())
    let nonFinite = NonFiniteReport()
    // Render side.
    private var held = 0
    private var read = 0

    /// - Parameter longest: frames that may have to be fetched at once.
    init(format: AVAudioFormat, longest: Int, block: @escaping AVAudioIONodeInputBlock) {
        (self.format, self.block) = (format, block)
        channels = Int(format.channelCount)
        capacity = max(longest, 4096)
        store = SampleMemory(count: capacity * channels)
        reader = SampleReader(format)
    }

    func takeRanDry() -> Bool { ranDry.pointer.pointee.exchange(0) != 0 }

    func render(_ ports: Ports, _ context: RenderContext) {
        var done = 0
        while done < context.frames {
            if read == held, !fetch(min(max(context.framesLeftInCall - done, context.frames - done), capacity)) {
                for channel in 0..<ports.outputCount { Mixing.clear(ports.output(channel) + done, context.frames - done) }
                if done == 0 { ports.markSilent(0) }
                return
            }
            let run = min(context.frames - done, held - read)
            for channel in 0..<ports.outputCount {
                if channel < channels {
                    (ports.output(channel) + done).update(from: store.pointer + channel * capacity + read, count: run)
                } else {
                    Mixing.clear(ports.output(channel) + done, run)
                }
            }
            read += run
            done += run
        }
    }

    private func fetch(_ frames: Int) -> Bool {
        (held, read) = (0, 0)
        guard let list = ClientCode.run({ block(AVAudioFrameCount(frames)) }) else {
            ranDry.pointer.pointee.store(1)
            return false
        }
        held = reader.read(list, frames, to: store.pointer, stride: capacity)
        for channel in 0..<channels { nonFinite.clear(store.pointer + channel * capacity, held) }
        if held < frames { ranDry.pointer.pointee.store(1) }
        return held > 0
    }
}
