import Foundation
import OssicleAVFAudio
import OssicleCore
import OssiclePlayback
import OssicleRender

/// Calls a pull stream's handler on the audio thread, and takes what it gives. Everything else before the stream
/// begins, under the engine's lock.
final class PullCaller: @unchecked Sendable {
    /// Calls that returned an error, and the last such error.
    let failedCalls = PublishedPosition()
    let lastStatus = PublishedPosition()
    var handler = PullCaller.silence

    /// What plays until the client sets a handler.
    nonisolated(unsafe) static let silence: PHASEPullStreamRenderHandler = { isSilence, _, _, _ in
        isSilence.pointee = true
        return noErr
    }

    private let channelCount: Int
    private let sampleRate: Double
    private let list: UnsafeMutableAudioBufferListPointer
    private let memory: SampleMemory
    private let finish: StreamFinish
    private var clock = RenderClock()
    private var engineRate = 1.0
    /// Where the stream stands on the engine's clock.
    private var status: UnsafeMutablePointer<PlayerRenderer.Status>?

    init(_ format: AVAudioFormat, _ finish: StreamFinish) {
        (channelCount, sampleRate, self.finish) = (Int(format.channelCount), format.sampleRate, finish)
        list = AudioBufferList.allocate(maximumBuffers: max(channelCount, 1))
        memory = SampleMemory(count: channelCount * Grid.quantum)
    }

    deinit { free(list.unsafeMutablePointer) }

    /// - Parameter status: of the renderer that calls `render`, and outlives this.
    func begin(_ status: UnsafeMutablePointer<PlayerRenderer.Status>, _ clock: RenderClock, engineRate: Double) {
        (self.status, self.clock, self.engineRate) = (status, clock, engineRate)
    }

    func render(_ ports: Ports, _ context: RenderContext) {
        let bytes = context.frames * MemoryLayout<Float>.stride
        list.unsafeMutablePointer.pointee.mNumberBuffers = UInt32(channelCount)
        for channel in 0..<channelCount {
            list[channel] = AudioBuffer(
                mNumberChannels: 1, mDataByteSize: UInt32(bytes), mData: memory.pointer + channel * Grid.quantum)
        }
        var isSilent = ObjCBool(false)
        var stamp = AudioTimeStamp()
        stamp.mSampleTime = Double(context.position)
        stamp.mHostTime = hostTime(of: context.position)
        stamp.mFlags = [.sampleTimeValid, .hostTimeValid]
        let result = ClientCode.run {
            handler(&isSilent, &stamp, AVAudioFrameCount(context.frames), list.unsafeMutablePointer)
        }
        if result != noErr {
            lastStatus.store(Int64(result))
            failedCalls.store(failedCalls.load() + 1)
        }
        if result == noErr && !isSilent.boolValue {
            take(ports, context.frames)
        } else {
            ports.silenceOutputs(context.frames)
        }
        finish.process(ports, context.frames)
    }

    /// What the handler left, where it left it: it may have put other memory in place of ours.
    private func take(_ ports: Ports, _ frames: Int) {
        let given = min(Int(list.unsafeMutablePointer.pointee.mNumberBuffers), channelCount)
        for channel in 0..<ports.outputCount {
            let output = ports.output(channel)
            var held = 0
            if channel < given, let data = list[channel].mData {
                held = min(frames, Int(list[channel].mDataByteSize) / MemoryLayout<Float>.stride)
                UnsafeMutableRawPointer(output).copyMemory(from: data, byteCount: held * MemoryLayout<Float>.stride)
            }
            Mixing.clear(output + held, frames - held)
        }
    }

    /// When a frame of the stream will be heard, if its speed is the normal one from now on.
    private func hostTime(of frame: Int64) -> UInt64 {
        guard let status else { return 0 }
        let now = clock.hostTime(of: status.pointee.heardAt.load(), engineRate)
        let ahead = max(0, frame - status.pointee.position.load())
        return now &+ AVAudioTime.hostTime(forSeconds: Double(ahead) / sampleRate)
    }
}
