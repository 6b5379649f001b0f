// One connection's own mixing properties.

import OssicleNodes

/// The mixing properties of one connection between a source and a mixer. Setting them changes this connection only;
/// setting the source's afterwards overrides them, and a disconnection discards them.
open class AVAudioMixingDestination: NSObject, AVAudioMixing {
    /// The mixer's bus.
    public let connectionPoint: AVAudioConnectionPoint
    private let control: MixingControl
    private let key: BusKey

    init(_ control: MixingControl, _ key: BusKey, _ point: AVAudioConnectionPoint) {
        (self.control, self.key, connectionPoint) = (control, key, point)
        super.init()
    }

    private var values: SourceMixing { control.properties(at: key) }

    private func set(_ property: WritableKeyPath<SourceMixing, Float>, _ value: Float, _ range: ClosedRange<Float>) {
        guard let value = control.checked(value, range) else { return }
        control.set(property, value, at: key)
    }

    /// The source's other connections, as the source answers.
    @discardableResult
    open func destination(forMixer mixer: AVAudioNode, bus: AVAudioNodeBus) -> AVAudioMixingDestination? {
        control.destination(mixer, bus)
    }

    /// Gain, 0 to 1.
    open var volume: Float {
        get { values.volume }
        set { set(\.volume, newValue, 0...1) }
    }

    /// -1 (left) to 1 (right).
    open var pan: Float {
        get { values.pan }
        set { set(\.pan, newValue, -1...1) }
    }

    /// How the source is placed.
    open var renderingAlgorithm: AVAudio3DMixingRenderingAlgorithm {
        get { AVAudio3DMixingRenderingAlgorithm(values.algorithm) }
        set { control.set(\.algorithm, SourceMixing.Algorithm(newValue), at: key) }
    }

    /// What becomes of several channels.
    open var sourceMode: AVAudio3DMixingSourceMode {
        get { AVAudio3DMixingSourceMode(values.mode) }
        set { control.set(\.mode, SourceMixing.Mode(newValue), at: key) }
    }

    /// What becomes of a point source inside the head.
    open var pointSourceInHeadMode: AVAudio3DMixingPointSourceInHeadMode {
        get { values.bypassesInsideHead ? .bypass : .mono }
        set { control.set(\.bypassesInsideHead, newValue == .bypass, at: key) }
    }

    /// Speed of playback, 0.5 to 2.
    open var rate: Float {
        get { values.rate }
        set { set(\.rate, newValue, 0.5...2) }
    }

    /// Share sent to the reverb, 0 to 1.
    open var reverbBlend: Float {
        get { values.reverbBlend }
        set { set(\.reverbBlend, newValue, 0...1) }
    }

    /// Loss of the direct path in dB at 5 kHz, -100 to 0.
    open var obstruction: Float {
        get { values.obstruction }
        set { set(\.obstruction, newValue, -100...0) }
    }

    /// Loss of the direct path and the reverb in dB at 5 kHz, -100 to 0.
    open var occlusion: Float {
        get { values.occlusion }
        set { set(\.occlusion, newValue, -100...0) }
    }

    /// Place in metres.
    open var position: AVAudio3DPoint {
        get { AVAudio3DPoint(values.position) }
        set { if control.isPosition(newValue) { control.set(\.position, SIMD3(newValue), at: key) } }
    }
}
