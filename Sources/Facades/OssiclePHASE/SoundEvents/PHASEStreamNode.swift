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
