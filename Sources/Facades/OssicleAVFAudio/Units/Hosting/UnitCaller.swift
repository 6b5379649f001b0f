import OssicleAudioToolbox
import OssicleCoreAudioTypes
import OssicleMIDI
import OssiclePlayback
import OssicleRender

/// Lays out buffer list and time stamp for a unit's render block within a graph.
final class UnitCaller: @unchecked Sendable {
    private let block: AURenderBlock
    private let channels: Int
    private let rate: Double
    private let clock: RenderClock?
    private let music: UnitMusic
    private let renderer: HostedRenderer
    private let list: BufferList
    /// `nil` for a unit without input.
    private let pull: AURenderPullInputBlock?

    init(
        _ block: @escaping AURenderBlock, channels: Int, rate: Double, clock: RenderClock?, music: UnitMusic,
        hasInput: Bool, bypass: Bool
    ) {
        (self.block, self.channels, self.rate, self.clock, self.music) = (block, channels, rate, clock, music)
        let renderer = HostedRenderer(channels: channels, hasInput: hasInput, bypass: bypass)
        self.renderer = renderer
        list = BufferList(channels)
        pull =
            hasInput
            ? { _, _, frames, bus, list in
                ClientCode.callBack {
                    UnitCaller.status(
                        of: renderer.give(Int(frames), bus: bus, to: UnsafeMutableAudioBufferListPointer(list)))
                }
            } : nil
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
        music.deliver(from: context.position, frames: frames, rate: rate, time)
        let status = ClientCode.run {
            block(&flags, &time, AUAudioFrameCount(frames), 0, list.buffers.unsafeMutablePointer, pull)
        }
        guard status == noErr, !flags.contains(.unitRenderAction_OutputIsSilence) else { return false }
        renderer.take(list.buffers, to: ports, frames)
        return true
    }

    private static func status(of refusal: HostedRenderer.Refusal?) -> AUAudioUnitStatus {
        switch refusal {
        case nil: noErr
        case .noInput: kAudioUnitErr_InvalidElement
        case .tooManyFrames: kAudioUnitErr_TooManyFramesToProcess
        case .unfitBuffers: kAudio_ParamError
        }
    }
}
