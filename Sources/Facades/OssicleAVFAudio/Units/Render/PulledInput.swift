import OssicleCore
import OssicleCoreAudioTypes
import OssicleAudioToolbox
import OssicleRender

/// Sound asked of whoever feeds a unit, as planes of 32-bit floats. Render side, except for `init`.
final class PulledInput: @unchecked Sendable {
    let channels: Int
    let capacity: Int
    /// One per channel, `capacity` frames each.
    let planes: UnsafePointer<UnsafeMutablePointer<Float>>
    private let table: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let samples: SampleMemory
    private let memory: LentMemory
    private let list: UnsafeMutableAudioBufferListPointer
    private let reader: SampleReader

    init(_ format: AVAudioFormat, capacity: Int) {
        (channels, self.capacity) = (Int(format.channelCount), capacity)
        samples = SampleMemory(count: max(channels, 1) * capacity)
        table = .allocate(capacity: max(channels, 1))
        for channel in 0..<max(channels, 1) { (table + channel).initialize(to: samples.pointer + channel * capacity) }
        planes = UnsafePointer(table)
        memory = LentMemory(format, frames: capacity)
        list = AudioBufferList.allocate(maximumBuffers: max(format.bufferCount, 1))
        reader = SampleReader(format)
    }

    deinit {
        table.deallocate()
        free(list.unsafeMutablePointer)
    }

    /// Fills the planes with `frames` frames, at most `capacity`. What the other side does not give is silence, and so is what is not finite.
    func pull(_ block: AURenderPullInputBlock, _ time: UnsafePointer<AudioTimeStamp>, frames: Int, bus: Int) -> AUAudioUnitStatus {
        memory.fill(list, frames: frames)
        var flags = AudioUnitRenderActionFlags()
        let status = ClientCode.run { block(&flags, time, AUAudioFrameCount(frames), bus, list.unsafeMutablePointer) }
        let isHeard = status == noErr && !flags.contains(.unitRenderAction_OutputIsSilence)
        let held = isHeard ? reader.read(list.unsafePointer, frames, to: samples.pointer, stride: capacity) : 0
        for channel in 0..<channels {
            let plane = planes[channel]
            for frame in 0..<held where !plane[frame].isFinite { plane[frame] = 0 }
            Mixing.clear(plane + held, frames - held)
        }
        return status
    }
}
