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
        self.bus = bus
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
        converter.render(frames, into: planes, offset: offset) { count, position in
            var time = AudioTimeStamp(frame: position, hostTime: hostTime)
            if hostTime == 0 { time.mFlags = .sampleTimeValid }
            return input.pull(pull, &time, frames: count, bus: bus)
        }
    }
}

/// Memory for one bus, lent to a caller who brings none.
final class LentMemory: @unchecked Sendable {
    private let buffers: Int
    private let channelsPerBuffer: UInt32
    private let bytesPerFrame: Int
    private let stride: Int
    private let memory: UnsafeMutableRawPointer

    /// - Parameter format: linear PCM.
    init(_ format: AVAudioFormat, frames: Int) {
        buffers = format.bufferCount
        channelsPerBuffer = format.channelsPerBuffer
        bytesPerFrame = Int(format.streamDescription.pointee.mBytesPerFrame)
        stride = (frames * bytesPerFrame + 63) & ~63
        let count = max(buffers * stride, 64)
        memory = .allocate(byteCount: count, alignment: 64)
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: count)
    }

    deinit { memory.deallocate() }

    /// Gives each buffer without data some, and all of them their size. False if the list is not of this format or too
    /// small.
    func complete(_ list: UnsafeMutablePointer<AudioBufferList>, frames: Int) -> Bool {
        let list = UnsafeMutableAudioBufferListPointer(list)
        let bytes = frames * bytesPerFrame
        guard list.count == buffers, list.allSatisfy({ $0.mData == nil || Int($0.mDataByteSize) >= bytes }) else {
            return false
        }
        for index in 0..<buffers {
            list[index] = AudioBuffer(
                mNumberChannels: channelsPerBuffer, mDataByteSize: UInt32(bytes),
                mData: list[index].mData ?? memory + index * stride)
        }
        return true
    }

    /// Points every buffer of a list of this format to this memory.
    func fill(_ list: UnsafeMutableAudioBufferListPointer, frames: Int) {
        for index in 0..<min(buffers, list.count) {
            list[index] = AudioBuffer(
                mNumberChannels: channelsPerBuffer, mDataByteSize: UInt32(frames * bytesPerFrame),
                mData: memory + index * stride)
        }
    }
}

/// Planes a unit renders into, and their way into a buffer list of any linear PCM form.
final class PlaneWriter: @unchecked Sendable {
    let channels: Int
    /// Where each channel continues, for those who render piece by piece.
    let pointers: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let samples: SampleMemory
    private let stride: Int
    private let writer: SampleWriter
    private let isInterleaved: Bool

    init(_ format: AVAudioFormat, frames: Int) {
        (channels, stride, isInterleaved) = (Int(format.channelCount), frames, format.isInterleaved)
        samples = SampleMemory(count: max(channels, 1) * frames)
        pointers = .allocate(capacity: max(channels, 1))
        for channel in 0..<max(channels, 1) { (pointers + channel).initialize(to: samples.pointer + channel * frames) }
        writer = SampleWriter(format)
    }

    deinit { pointers.deallocate() }

    func point(to offset: Int) {
        for channel in 0..<channels { pointers[channel] = samples.pointer + channel * stride + offset }
    }

    /// Writes the first `frames` frames to a list of the format.
    func write(to list: UnsafeMutablePointer<AudioBufferList>, frames: Int) {
        let list = UnsafeMutableAudioBufferListPointer(list)
        for channel in 0..<channels {
            guard let data = list[isInterleaved ? 0 : channel].mData else { continue }
            writer.write(samples.pointer + channel * stride, channel: channel, to: data, frames: frames)
        }
    }
}
