import OssicleAudioToolbox
import OssicleChannels
import OssicleCore
import OssicleCoreAudioTypes
import OssiclePlayback
import OssicleRender

/// Sound asked of the host that feeds a unit, as planes of 32-bit floats: lays out the buffer list for the host's
/// block. Render side, except for `init`.
final class PulledInput: @unchecked Sendable {
    let sound: PulledPlanes
    private let memory: LentMemory
    private let list: BufferList
    private let reader: SampleReader

    init(_ format: AVAudioFormat, capacity: Int) {
        sound = PulledPlanes(channels: Int(format.channelCount), capacity: capacity)
        memory = LentMemory(format, frames: capacity)
        list = BufferList(format.bufferCount)
        reader = SampleReader(format)
    }

    /// Fills the planes with `frames` frames, at most their capacity. What the other side does not give is silence, and
    /// so is what is not finite.
    func pull(
        _ block: AURenderPullInputBlock, _ time: UnsafePointer<AudioTimeStamp>, frames: Int, bus: Int
    ) -> AUAudioUnitStatus {
        memory.fill(list.buffers, frames: frames)
        var flags = AudioUnitRenderActionFlags()
        let status = ClientCode.run {
            block(&flags, time, AUAudioFrameCount(frames), bus, list.buffers.unsafeMutablePointer)
        }
        let isHeard = status == noErr && !flags.contains(.unitRenderAction_OutputIsSilence)
        let held =
            isHeard ? reader.read(list.buffers.unsafePointer, frames, to: sound.memory, stride: sound.capacity) : 0
        sound.complete(held, of: frames)
        return status
    }
}

/// Sound pulled in one format and handed on in another: samples, rate, channels, in this order. Render side, except for
/// `init`.
final class ConvertedInput: @unchecked Sendable {
    private let input: PulledInput
    private let converter: PullConverter
    private let rate: Double
    private let bus: Int

    /// - Parameters:
    ///   - exit: what changes the number of frames; `nil` for as many out as in.
    ///   - capacity: frames asked for at once, at most.
    ///   - bus: the input bus that is asked.
    ///   - map: the input channel of each output channel, others for silence; `nil` for what the layouts say.
    init(
        from source: AVAudioFormat, to output: AVAudioFormat, exit: (ExitReference, AnyObject)?, capacity: Int,
        bus: Int = 0, map: [Int]? = nil
    ) {
        let (inputs, outputs) = (Int(source.channelCount), Int(output.channelCount))
        let matrix =
            map.map { PlaneMatrix($0, inputs: inputs, outputs: outputs) }
            ?? PlaneMatrix(
                ChannelMatrix(from: source.channelLabels, to: output.channelLabels, intoMono: .mean).gains,
                inputs: inputs)
        input = PulledInput(source, capacity: capacity)
        converter = PullConverter(input.sound, exit, matrix, outputs: outputs)
        (rate, self.bus) = (source.sampleRate, bus)
    }

    var outputChannels: Int { converter.outputChannels }

    /// Only while nothing is rendered.
    func reset() { converter.reset() }

    /// Renders `frames` frames into one plane per output channel, from `offset` on. What could not be had is silent;
    /// says why.
    func render(
        _ frames: Int, into planes: UnsafePointer<UnsafeMutablePointer<Float>>, offset: Int = 0, hostTime: UInt64,
        _ pull: AURenderPullInputBlock
    ) -> AUAudioUnitStatus {
        var start: Int64?
        return converter.render(frames, into: planes, offset: offset) { count, position in
            let first = start ?? position
            start = first
            let passed = UInt64(Double(position - first) / rate * 1e9)
            var time = AudioTimeStamp(frame: position, hostTime: hostTime &+ passed)
            if hostTime == 0 { time.mFlags = .sampleTimeValid }
            return input.pull(pull, &time, frames: count, bus: bus)
        }
    }
}
