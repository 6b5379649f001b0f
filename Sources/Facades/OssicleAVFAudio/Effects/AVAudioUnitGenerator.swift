// Units that make sound.

import OssicleAudioToolbox
import OssicleGraph

/// A unit without input. Types `augn` and `aurg`.
open class AVAudioUnitGenerator: AVAudioUnit, AVAudioMixing {
    private var isOff = false

    /// A generator. With a description of another type or of no component the node is silent, and the engine records an error.
    public init(audioComponentDescription: AudioComponentDescription) {
        super.init(unit: audioComponentDescription, types: Self.types)
    }

    /// A generator of no component, which passes sound through; the engine records an error.
    public convenience init() { self.init(audioComponentDescription: AudioComponentDescription()) }

    static let types = [kAudioUnitType_Generator, kAudioUnitType_RemoteGenerator]

    /// Whether it is silent. Default `false`.
    open var bypass: Bool {
        get { lock.withLock { isOff } }
        set {
            lock.withLock { isOff = newValue }
            update()
        }
    }

    override var isBypassed: Bool { bypass }
    override var keepsFormat: Bool { false }
    open override var numberOfInputs: Int { 0 }

    override func lower(_ lowering: inout Lowering) -> NodePorts {
        NodePorts(outputs: super.lower(&lowering).outputs)
    }
}
