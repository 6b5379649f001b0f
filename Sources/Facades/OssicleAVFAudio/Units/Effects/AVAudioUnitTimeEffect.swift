// Effects that take in more or fewer frames than they give out.

import OssicleAudioToolbox
import OssicleCore
import OssicleGraph
import OssicleNodes
import OssicleRender

/// A unit that changes speed: type `aufc`. It cannot be on the way of live input, which cannot be had ahead of time. No
/// latency.
open class AVAudioUnitTimeEffect: AVAudioUnit {
    package let passage = Passage()
    private var exits: (any ExitDriver)?
    private var isOff = false
    private var isCoupling = false

    /// A time effect. With a description of another type or of no component the node passes sound through, and the
    /// engine records an error.
    public init(audioComponentDescription: AudioComponentDescription) {
        super.init(unit: audioComponentDescription, types: [kAudioUnitType_FormatConverter])
        exits = unit?.exitDriver(of: parameterTree)
    }

    /// A time effect of no component, which passes sound through; the engine records an error.
    public convenience init() { self.init(audioComponentDescription: AudioComponentDescription()) }

    /// Whether sound passes at its own speed and pitch. Default `false`.
    open var bypass: Bool {
        get { lock.withLock { isOff } }
        set {
            lock.withLock { isOff = newValue }
            update()
            note(.bypass(newValue))
        }
    }

    override var isBypassed: Bool { bypass }
    package override var timeChange: (any TimeChange)? { exits == nil ? nil : self }

    override var tailTime: TimeInterval {
        let rate = outputFormat(forBus: 0).sampleRate
        return isBypassed || rate <= 0 ? 0 : lock.withLock { exits?.tailTime(sampleRate: rate) ?? 0 }
    }

    override func parameterDidChange(_ address: AUParameterAddress) {
        super.parameterDidChange(address)
        guard unit?.subtype == kAudioUnitSubType_Varispeed, lock.withLock({ !isCoupling }),
            let (partner, value) = VarispeedCoupling.partner(of: address, in: parameterTree.stored.values)
        else { return }
        lock.withLock { isCoupling = true }
        parameterTree.parameter(withAddress: partner)?.value = value
        lock.withLock { isCoupling = false }
    }

    override func update() {
        lock.withLock { exits?.update(bypass: isOff) }
    }

    /// The sound arrives from a domain of its own, at the speed the exit there gives it.
    package override func lower(_ lowering: inout NodeLowering<AVAudioFormat>) -> NodePorts {
        guard timeChange != nil else { return super.lower(&lowering) }
        return lock.withLock {
            unit?.adapt(parameterTree, to: lowering.sampleRate)
            let arrival = lowering.arrivals[0]
            if let arrival, lowering.meter == nil { return NodePorts(outputs: [0: arrival]) }
            let format = lowering.input(0)?.format ?? lowering.outputFormat
            let (renderer, owner) = passage(format)
            let channels = Int(format.channelCount)
            let node = lowering.graph.add(
                title, renderer, owner: owner, inputs: [channels], outputs: [channels], meter: lowering.meter)
            if let arrival { lowering.graph.connect(arrival, to: Graph.Port(node)) }
            return NodePorts(outputs: [0: Graph.Port(node)])
        }
    }
}

extension AVAudioUnitTimeEffect: TimeChange {
    package func makeExit(sampleRate: Double, channels: Int) -> (ExitReference, AnyObject) {
        lock.withLock { exits?.makeExit(sampleRate: sampleRate, channels: channels, bypass: isOff) }
            ?? RateExit.make(from: sampleRate, to: sampleRate, channels: channels, speed: 1)
    }

    package var fastest: Double { exits?.fastest ?? 1 }
}

/// Changes speed and pitch, each on its own. At speed 1 and pitch 0 sound passes bit for bit.
open class AVAudioUnitTimePitch: AVAudioUnitTimeEffect {
    /// At speed 1 and pitch 0.
    public init() {
        super.init(
            audioComponentDescription: AudioComponentDescription(
                builtIn: kAudioUnitType_FormatConverter, kAudioUnitSubType_NewTimePitch))
    }

    /// Input frames per output frame, 1/32 … 32; default 1.
    open var rate: Float {
        get { value(kNewTimePitchParam_Rate) }
        set { setValue(newValue, kNewTimePitchParam_Rate) }
    }

    /// Cents, −2400 … 2400; default 0.
    open var pitch: Float {
        get { value(kNewTimePitchParam_Pitch) }
        set { setValue(newValue, kNewTimePitchParam_Pitch) }
    }

    /// Windows that overlap, 3 … 32; default 8. More is smoother and slower.
    open var overlap: Float {
        get { value(kNewTimePitchParam_Smoothness) }
        set { setValue(newValue, kNewTimePitchParam_Smoothness) }
    }
}

/// Plays faster and higher, or slower and lower.
open class AVAudioUnitVarispeed: AVAudioUnitTimeEffect {
    /// At speed 1.
    public init() {
        super.init(
            audioComponentDescription: AudioComponentDescription(
                builtIn: kAudioUnitType_FormatConverter, kAudioUnitSubType_Varispeed))
    }

    /// Input frames per output frame, 0.25 … 4; default 1. The pitch follows: 2^(cents/1200).
    open var rate: Float {
        get { value(kVarispeedParam_PlaybackRate) }
        set { setValue(newValue, kVarispeedParam_PlaybackRate) }
    }
}

/// The two parameters of the varispeed unit that are one quantity.
enum VarispeedCoupling {
    /// The address of the other parameter, and the value it has to have.
    static func partner(
        of address: AUParameterAddress, in values: ParameterTable
    ) -> (AUParameterAddress, Float)? {
        guard let value = values[address].map({ Double($0.current) }) else { return nil }
        let (id, other) =
            address == AUParameterAddress(kVarispeedParam_PlaybackRate)
            ? (kVarispeedParam_PlaybackCents, 1200 / DeterministicMath.ln2 * DeterministicMath.log(max(value, 0.25)))
            : (kVarispeedParam_PlaybackRate, DeterministicMath.exp2(value / 1200))
        return (AUParameterAddress(id), Float(other))
    }
}
