// What a source tells the mixers it feeds.

import OssicleCoreAudioTypes
import OssicleNodes

/// Properties that act at the mixer a source feeds, directly or through effects. They are kept at the source while
/// there is no mixer, applied to every mixer it is connected to, and survive disconnections.
public protocol AVAudioMixing: AVAudioStereoMixing, AVAudio3DMixing {
    /// The properties of one connection, to differ from the source's; `nil` if the source does not feed that bus.
    func destination(forMixer mixer: AVAudioNode, bus: AVAudioNodeBus) -> AVAudioMixingDestination?
    /// Gain, 0 to 1; default 1. Acts in `AVAudioMixerNode` and `AVAudioEnvironmentNode`.
    var volume: Float { get set }
}

/// Properties that act in `AVAudioMixerNode`.
public protocol AVAudioStereoMixing: NSObjectProtocol {
    /// -1 (left) to 1 (right); default 0.
    var pan: Float { get set }
}

/// Properties that act in `AVAudioEnvironmentNode`.
public protocol AVAudio3DMixing: NSObjectProtocol {
    /// How the source is placed; default equal-power panning.
    var renderingAlgorithm: AVAudio3DMixingRenderingAlgorithm { get set }
    /// What becomes of several channels; default `.spatializeIfMono`.
    var sourceMode: AVAudio3DMixingSourceMode { get set }
    /// What becomes of a point source inside the head; default `.mono`.
    var pointSourceInHeadMode: AVAudio3DMixingPointSourceInHeadMode { get set }
    /// Speed of playback, 0.5 to 2, pitch with it; default 1.
    var rate: Float { get set }
    /// Share sent to the reverb, 0 to 1; default 0.
    var reverbBlend: Float { get set }
    /// Loss of the direct path in dB at 5 kHz, -100 to 0; default 0.
    var obstruction: Float { get set }
    /// Loss of the direct path and the reverb in dB at 5 kHz, -100 to 0; default 0.
    var occlusion: Float { get set }
    /// Place in metres; default the origin.
    var position: AVAudio3DPoint { get set }
}

extension AVAudioMixing where Self: AVAudioNode {
    @discardableResult
    public func destination(forMixer mixer: AVAudioNode, bus: AVAudioNodeBus) -> AVAudioMixingDestination? {
        mixing.destination(mixer, bus)
    }

    public var volume: Float {
        get { mixing.base.volume }
        set { mixing.set(\.volume, clamping: newValue, to: 0...1) }
    }

    public var pan: Float {
        get { mixing.base.pan }
        set { mixing.set(\.pan, clamping: newValue, to: -1...1) }
    }

    public var renderingAlgorithm: AVAudio3DMixingRenderingAlgorithm {
        get { AVAudio3DMixingRenderingAlgorithm(mixing.base.algorithm) }
        set { mixing.set(\.algorithm, SourceMixing.Algorithm(newValue)) }
    }

    public var sourceMode: AVAudio3DMixingSourceMode {
        get { AVAudio3DMixingSourceMode(mixing.base.mode) }
        set { mixing.set(\.mode, SourceMixing.Mode(newValue)) }
    }

    public var pointSourceInHeadMode: AVAudio3DMixingPointSourceInHeadMode {
        get { mixing.base.bypassesInsideHead ? .bypass : .mono }
        set { mixing.set(\.bypassesInsideHead, newValue == .bypass) }
    }

    public var rate: Float {
        get { mixing.base.rate }
        set { mixing.set(\.rate, clamping: newValue, to: 0.5...2) }
    }

    public var reverbBlend: Float {
        get { mixing.base.reverbBlend }
        set { mixing.set(\.reverbBlend, clamping: newValue, to: 0...1) }
    }

    public var obstruction: Float {
        get { mixing.base.obstruction }
        set { mixing.set(\.obstruction, clamping: newValue, to: -100...0) }
    }

    public var occlusion: Float {
        get { mixing.base.occlusion }
        set { mixing.set(\.occlusion, clamping: newValue, to: -100...0) }
    }

    public var position: AVAudio3DPoint {
        get { AVAudio3DPoint(mixing.base.position) }
        set { mixing.setPosition(newValue) }
    }
}
