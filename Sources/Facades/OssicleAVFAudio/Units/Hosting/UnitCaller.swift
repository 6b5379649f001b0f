import OssicleAudioToolbox
import OssicleCoreAudioTypes
import OssiclePlayback
import OssicleRender

/// Lays out buffer list and time stamp for a unit's render block within a graph.
final class UnitCaller: @unchecked Sendable {
    private let block: AURenderBlock
    private let channels: Int
    private let rate: Double
    private let clock: RenderClock?
    private let renderer: HostedRenderer
    private let list: BufferList
    /// `nil` for a unit without input.
    private let pull: AURenderPullInputBlock?

    init(
        _ block: @escaping AURenderBlock, channels: Int, rate: Double, clock: RenderClock?, hasInput: Bool, bypass: Bool
    ) {
        (self.block, self.channels, self.rate, self.clock) = (block, channels, rate, clock)
        let renderer = HostedRenderer(channels: channels, hasInput: hasInput, bypass: bypass)
        self.renderer = renderer
        list = BufferList(channels)
        pull =
            hasInput
            ? { _, _, frames, bus, list in UnitCaller.give(Int(frames), bus, list, of: renderer, channels) } : nil
    }

    func setBypass(_ bypass: Bool) { renderer.setBypass(bypass) }

    /// The unit's memory may go: it is not called after this. Waits for a call under way, unless that is what calls.
    func retire() { renderer.retire() }

    func render(_ ports: Ports, _ context: RenderContext) { renderer.render(ports, context) { call($0, $1) } }

    private func call(_ ports: Ports, _ context: RenderContext) -> Bool {
        let frames = context.frames
        list.point(to: ports.outputs, channels: channels, frames: frames)
        var flags = AudioUnitRenderActionFlags()
        var time = AudioTimeStamp(frame: context.position, hostTime: clock?.hostTime(of: context.position, rate) ?? 0)
        if clock == nil { time.mFlags = .sampleTimeValid }
        let status = ClientCode.run {
            block(&flags, &time, AUAudioFrameCount(frames), 0, list.buffers.unsafeMutablePointer, pull)
        }
        guard status == noErr, !flags.contains(.unitRenderAction_OutputIsSilence) else { return false }
        for channel in 0..<channels { take(list.buffers[channel], to: ports.output(channel), frames) }
        return true
    }

    /// A unit may have put its own memory in the list.
    private func take(_ buffer: AudioBuffer, to output: UnsafeMutablePointer<Float>, _ frames: Int) {
        guard let data = buffer.mData?.assumingMemoryBound(to: Float.self) else { return Mixing.clear(output, frames) }
        if data != output { output.update(from: data, count: frames) }
    }

    /// The unit asks for its input: the same frames that it renders.
    private static func give(
        _ frames: Int, _ bus: Int, _ list: UnsafeMutablePointer<AudioBufferList>, of renderer: HostedRenderer,
        _ channels: Int
    ) -> AUAudioUnitStatus {
        guard bus == 0, let most = renderer.framesOfInput else { return kAudioUnitErr_InvalidElement }
        guard frames <= most else { return kAudioUnitErr_TooManyFramesToProcess }
        let bytes = frames * MemoryLayout<Float>.stride
        let buffers = UnsafeMutableAudioBufferListPointer(list)
        guard buffers.count <= channels, buffers.allSatisfy({ $0.mData == nil || Int($0.mDataByteSize) >= bytes })
        else { return kAudio_ParamError }
        for channel in 0..<buffers.count {
            buffers[channel] = AudioBuffer(
                mNumberChannels: 1, mDataByteSize: UInt32(bytes),
                mData: renderer.input(channel, frames: frames, to: buffers[channel].mData))
        }
        return noErr
    }
}
