import OssicleAudioToolbox
import OssicleCore
import OssicleCoreAudioTypes
import OssiclePlayback
import OssicleRender
import Synchronization

/// Calls a unit's render block from within a graph.
final class UnitCaller: @unchecked Sendable {
    private let block: AURenderBlock
    private let channels: Int
    private let rate: Double
    private let clock: RenderClock?
    private let hasInput: Bool
    private let isBypassed: Atomic<Bool>
    /// Closed once the unit must not be called any more, though a plan may still hold this.
    private let gate = RenderGate()
    private let list: UnsafeMutableAudioBufferListPointer
    private let memory: SampleMemory
    private var pull: AURenderPullInputBlock = { _, _, _, _, _ in kAudioUnitErr_NoConnection }
    /// The block under way, for who pulls.
    private var inputs: UnsafePointer<UnsafeMutablePointer<Float>>?
    private var frames = 0

    init(
        _ block: @escaping AURenderBlock, channels: Int, rate: Double, clock: RenderClock?, hasInput: Bool, bypass: Bool
    ) {
        (self.block, self.channels, self.rate, self.clock, self.hasInput) = (block, channels, rate, clock, hasInput)
        isBypassed = Atomic(bypass)
        list = AudioBufferList.allocate(maximumBuffers: max(channels, 1))
        memory = SampleMemory(count: max(channels, 1) * Grid.quantum)
        gate.openUp()
        pull = { [unowned self] _, _, frames, bus, list in give(Int(frames), bus, list) }
    }

    deinit { free(list.unsafeMutablePointer) }

    func setBypass(_ bypass: Bool) { isBypassed.store(bypass, ordering: .relaxed) }

    /// The unit's memory may go: it is not called after this. Waits for a call under way, unless that is what calls.
    func retire() {
        if !gate.isOnRenderThread { gate.close() }
    }

    func render(_ ports: Ports, _ context: RenderContext) {
        guard gate.enter() else { return ports.silenceOutputs(context.frames) }
        defer { gate.leave() }
        let frames = context.frames
        if isBypassed.load(ordering: .relaxed) { return pass(ports, frames) }
        (inputs, self.frames) = (ports.inputs, frames)
        for channel in 0..<channels {
            list[channel] = AudioBuffer(
                mNumberChannels: 1, mDataByteSize: UInt32(frames * MemoryLayout<Float>.stride),
                mData: UnsafeMutableRawPointer(ports.outputs[channel]))
        }
        var flags = AudioUnitRenderActionFlags()
        var time = AudioTimeStamp()
        time.mSampleTime = Double(context.position)
        time.mHostTime = clock?.hostTime(of: context.position, rate) ?? 0
        time.mFlags = clock == nil ? .sampleTimeValid : [.sampleTimeValid, .hostTimeValid]
        let status = ClientCode.run {
            block(&flags, &time, AUAudioFrameCount(frames), 0, list.unsafeMutablePointer, hasInput ? pull : nil)
        }
        guard status == noErr, !flags.contains(.unitRenderAction_OutputIsSilence) else {
            return ports.silenceOutputs(frames)
        }
        for channel in 0..<channels { take(list[channel], to: ports.output(channel), frames) }
    }

    private func pass(_ ports: Ports, _ frames: Int) {
        guard hasInput else { return ports.silenceOutputs(frames) }
        for channel in 0..<channels { ports.output(channel).update(from: ports.input(channel), count: frames) }
    }

    /// A unit may have put its own memory in the list; what is not finite is stopped here.
    private func take(_ buffer: AudioBuffer, to output: UnsafeMutablePointer<Float>, _ frames: Int) {
        guard let data = buffer.mData?.assumingMemoryBound(to: Float.self) else { return Mixing.clear(output, frames) }
        if data != output { output.update(from: data, count: frames) }
        for frame in 0..<frames where !output[frame].isFinite { output[frame] = 0 }
    }

    /// The unit asks for its input: the same frames that it renders.
    private func give(_ frames: Int, _ bus: Int, _ list: UnsafeMutablePointer<AudioBufferList>) -> AUAudioUnitStatus {
        guard bus == 0, let inputs else { return kAudioUnitErr_InvalidElement }
        guard frames <= self.frames else { return kAudioUnitErr_TooManyFramesToProcess }
        let bytes = frames * MemoryLayout<Float>.stride
        let buffers = UnsafeMutableAudioBufferListPointer(list)
        guard buffers.count <= channels, buffers.allSatisfy({ $0.mData == nil || Int($0.mDataByteSize) >= bytes })
        else { return kAudio_ParamError }
        for channel in 0..<buffers.count {
            let own = memory.pointer + channel * Grid.quantum
            let data = buffers[channel].mData ?? UnsafeMutableRawPointer(own)
            data.assumingMemoryBound(to: Float.self).update(from: inputs[channel], count: frames)
            buffers[channel] = AudioBuffer(mNumberChannels: 1, mDataByteSize: UInt32(bytes), mData: data)
        }
        return noErr
    }
}
