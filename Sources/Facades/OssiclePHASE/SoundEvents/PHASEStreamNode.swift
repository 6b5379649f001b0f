import Foundation
import OssicleAVFAudio

/// A stream of one sound event: frames that the client makes while the event plays. Any thread.
///
/// A stream has a clock of its own, which counts frames at the format's rate: 0 is the first frame that is played when
/// the event starts. It stands still while the event is paused, and runs faster or slower with the rate.
open class PHASEStreamNode: NSObject, @unchecked Sendable {
    /// What moves the gain; nil unless the definition had a gain meta-parameter of its own (one that is mapped follows
    /// its input).
    public let gainMetaParameter: PHASENumberMetaParameter?
    /// What moves the rate; nil unless the definition had a rate meta-parameter of its own.
    public let rateMetaParameter: PHASENumberMetaParameter?
    /// The mixer it plays into.
    public let mixer: PHASEMixer
    let stream: ClientStream

    struct Controls {
        let mixer: PHASEMixer
        let gain: PHASENumberMetaParameter?
        let rate: PHASENumberMetaParameter?
    }

    init(_ stream: ClientStream, _ controls: Controls) {
        self.stream = stream
        (mixer, gainMetaParameter, rateMetaParameter) = (controls.mixer, controls.gain, controls.rate)
    }

    /// The definition's: deinterleaved 32-bit floats.
    open var format: AVAudioFormat { stream.format }
}

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
