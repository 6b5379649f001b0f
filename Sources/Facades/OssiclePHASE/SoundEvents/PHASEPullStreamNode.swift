import OssicleAVFAudio

/// Fills `outputData` with `frameCount` frames, one buffer per channel, or puts other memory in place of the buffers'
/// `mData`; raises `isSilence` if there is nothing to be heard. Anything but `noErr` is silence as well, and is
/// counted. On the audio thread: no locks, no allocation.
///
/// The time stamp has the sample time on the stream's own clock, in frames, and the host time at which the first frame
/// will be heard: in manual rendering that is engine time. It holds for the normal rate.
public typealias PHASEPullStreamRenderHandler =
    (
        _ isSilence: UnsafeMutablePointer<ObjCBool>, _ timestamp: UnsafePointer<AudioTimeStamp>,
        _ frameCount: AVAudioFrameCount,
        _ outputData: UnsafeMutablePointer<AudioBufferList>
    ) -> OSStatus

/// A stream whose frames a handler of the client makes at the moment they are needed. It lasts until the event is
/// stopped.
open class PHASEPullStreamNode: PHASEStreamNode, @unchecked Sendable {
    /// Makes the frames: up to 128 at a time. Silence until it is set. Set it before the event is started; later it is
    /// recorded as the engine's `lastError`, and the old one stays.
    open var renderHandler: PHASEPullStreamRenderHandler {
        get { stream.handler }
        set { stream.setHandler(newValue) }
    }
}
