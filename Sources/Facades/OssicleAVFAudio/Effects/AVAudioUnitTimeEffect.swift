// Effects that take in more or fewer frames than they give out.

import OssicleAudioToolbox
import OssicleGraph
import OssicleRender

/// A unit that changes speed: type `aufc`. It cannot be on the way of live input, which cannot be had ahead of time. No latency.
open class AVAudioUnitTimeEffect: AVAudioUnit {
    let passage = Passage()
    private var exits: (any ExitDriver)?
    private var isOff = false
    private var isCoupling = false

    /// A time effect. With a description of another type or of no component the node passes sound through, and the engine records an
    /// error.
    public init(audioComponentDescription: AudioComponentDescription) {
        super.init(unit: audioComponentDescription, types: [kAudioUnitType_FormatConverter])
        exits = unit.flatMap { ExitDrivers.make(for: $0, parameterTree) }
    }

    /// A time effect of no component, which passes sound through; the engine records an error.
    public convenience init() { self.init(audioComponentDescription: AudioComponentDescription()) }

    /// Whether sound passes at its own speed and pitch. Default `false`.
    open var bypass: Bool {
        get { lock.withLock { isOff } }
        set {
            lock.withLock { isOff = newValue }
            update()
        }
    }

    override var isBypassed: Bool { bypass }
    override var timeChange: (any TimeChange)? { exits == nil ? nil : self }

    override var tailTime: TimeInterval {
        let rate = outputFormat(forBus: 0).sampleRate
        return isBypassed || rate <= 0 ? 0 : lock.withLock { exits?.tailTime(sampleRate: rate) ?? 0 }
    }

    override func parameterDidChange(_ parameter: AUParameter) {
        super.parameterDidChange(parameter)
        guard unit?.component.componentSubType == kAudioUnitSubType_Varispeed, lock.withLock({ !isCoupling }),
              let (partner, value) = VarispeedCoupling.partner(of: parameter, in: parameterTree) else { return }
        lock.withLock { isCoupling = true }
        partner.value = value
        lock.withLock { isCoupling = false }
    }

    override func update() {
        lock.withLock { exits?.update(bypass: isOff) }
    }

    /// The sound arrives from a domain of its own, at the speed the exit there gives it.
    override func lower(_ lowering: inout Lowering) -> NodePorts {
        guard timeChange != nil else { return super.lower(&lowering) }
        return lock.withLock {
            unit?.adapt(parameterTree, to: lowering.sampleRate)
            let arrival = lowering.arrivals[0]
            if let arrival, lowering.meter == nil { return NodePorts(outputs: [0: arrival]) }
            let format = lowering.input(0)?.format ?? lowering.outputFormat
            let (renderer, owner) = passage(format)
            let channels = Int(format.channelCount)
            let node = lowering.graph.add(title, renderer, owner: owner, inputs: [channels], outputs: [channels], meter: lowering.meter)
            if let arrival { lowering.graph.connect(arrival, to: Graph.Port(node)) }
            return NodePorts(outputs: [0: Graph.Port(node)])
        }
    }
}

extension AVAudioUnitTimeEffect: TimeChange {
    func makeExit(sampleRate: Double, channels: Int) -> (ExitReference, AnyObject) {
        lock.withLock { exits?.makeExit(sampleRate: sampleRate, channels: channels, bypass: isOff) }
            ?? RateExit.make(from: sampleRate, to: sampleRate, channels: channels, speed: 1)
    }

    var fastest: Double { exits?.fastest ?? 1 }
}
