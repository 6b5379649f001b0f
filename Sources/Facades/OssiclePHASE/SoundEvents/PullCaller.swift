import Foundation
import OssicleAVFAudio
import OssicleCore
import OssicleDSP
import OssicleFiles
import OssiclePlayback
import OssicleRender
import OssicleSoundEvents
import OssicleSpatial

/// Lays out buffer list and time stamp for a pull stream's handler, which is called on the audio thread. Everything
/// else before the stream begins, under the engine's lock.
final class PullCaller: PullSource, @unchecked Sendable {
    var handler = PullCaller.silence
    package let stream: PulledStream
    private let capture: PullCapture?

    /// What plays until the client sets a handler.
    nonisolated(unsafe) static let silence: PHASEPullStreamRenderHandler = { isSilence, _, _, _ in
        isSilence.pointee = true
        return noErr
    }

    private let channelCount: Int
    private let sampleRate: Double
    private let list: UnsafeMutableAudioBufferListPointer
    private var clock = RenderClock()
    private var engineRate = 1.0
    /// Where the stream stands on the engine's clock.
    private var status: UnsafeMutablePointer<PlayerRenderer.Status>?

    /// - Parameter capture: records what the handler gives.
    init(_ format: AVAudioFormat, _ finish: StreamFinish, capture: PullCapture?) {
        (channelCount, sampleRate) = (Int(format.channelCount), format.sampleRate)
        self.capture = capture
        list = AudioBufferList.allocate(maximumBuffers: max(channelCount, 1))
        stream = PulledStream(channels: channelCount, finish, captured: capture?.source)
    }

    deinit { free(list.unsafeMutablePointer) }

    /// - Parameter status: of the renderer that calls `render`, and outlives this.
    package func begin(_ status: UnsafeMutablePointer<PlayerRenderer.Status>, _ clock: RenderClock, engineRate: Double)
    {
        (self.status, self.clock, self.engineRate) = (status, clock, engineRate)
    }

    package func makeFeed() -> RendererBox<BlockRenderer> {
        RendererBox(BlockRenderer { [self] ports, context in render(ports, context) })
    }

    package func attend(isOver: Bool) { capture?.transfer(isOver: isOver) }

    private func render(_ ports: Ports, _ context: RenderContext) {
        stream.render(
            ports, context, calling: { call($0, $1) },
            plane: { channel in
                let given = min(Int(list.unsafeMutablePointer.pointee.mNumberBuffers), channelCount)
                guard channel < given, let data = list[channel].mData else { return nil }
                return (UnsafeRawPointer(data), Int(list[channel].mDataByteSize) / MemoryLayout<Float>.stride)
            })
    }

    private func call(_ context: RenderContext, _ planes: UnsafeMutablePointer<Float>) -> PulledStream.Answer {
        let bytes = context.frames * MemoryLayout<Float>.stride
        list.unsafeMutablePointer.pointee.mNumberBuffers = UInt32(channelCount)
        for channel in 0..<channelCount {
            list[channel] = AudioBuffer(
                mNumberChannels: 1, mDataByteSize: UInt32(bytes), mData: planes + channel * Grid.quantum)
        }
        var isSilent = ObjCBool(false)
        var stamp = AudioTimeStamp()
        stamp.mSampleTime = Double(context.position)
        stamp.mHostTime = hostTime(of: context.position)
        stamp.mFlags = [.sampleTimeValid, .hostTimeValid]
        let result = ClientCode.run {
            handler(&isSilent, &stamp, AVAudioFrameCount(context.frames), list.unsafeMutablePointer)
        }
        return PulledStream.Answer(status: result, hasSound: !isSilent.boolValue)
    }

    /// When the device takes a frame of the stream, if its speed is the normal one from now on.
    private func hostTime(of frame: Int64) -> UInt64 {
        guard let status else { return 0 }
        let now = clock.hostTime(of: status.pointee.playedAt.load(), engineRate)
        let ahead = max(0, frame - status.pointee.position.load())
        return now &+ AVAudioTime.hostTime(forSeconds: Double(ahead) / sampleRate)
    }
}

extension StreamFinish {
    /// For a stream in a format.
    convenience init(_ format: AVAudioFormat, normalises: Bool) {
        let settings = LoudnessLeveller.Settings(
            target: LoudnessNormalisation.target, greatestChange: LoudnessNormalisation.greatestChange,
            peakCeiling: LoudnessNormalisation.peakCeiling)
        let weights = ChannelRole.weights(channelCount: Int(format.channelCount), labels: format.channelLabels)
        self.init(
            normalises
                ? RendererBox(LoudnessLeveller(settings, sampleRate: format.sampleRate, weights: weights)) : nil)
    }
}
