// What every node of a graph has.

import OssicleAudioToolbox
import OssicleCoreAudioTypes
import OssicleGraph
import OssicleNodes
import OssiclePlayback
import OssicleRender
import Synchronization

/// A node of an audio graph: makes sound, changes it or passes it on, over numbered busses. Attach it to an
/// `AVAudioEngine` and connect it.
///
/// Busses have formats: a connection's while there is one, else what was set last, else 44.1 kHz stereo. Calls may come
/// from any thread; a node out of range or a node without an engine answers with defaults, nothing traps.
open class AVAudioNode: NSObject {
    /// Where the node is attached.
    let home = NodeHome()
    /// Values of its own, kept by whatever lock the engine or the node has.
    let lock = NSRecursiveLock()
    /// What a mixer downstream does with this node's sound, for the nodes that are sources.
    let mixing = MixingControl()
    /// Who listens in.
    let taps = TapList()
    /// What it costs and gives, measured while the engine is being inspected.
    package let meter = RendererBox(StepMeter())

    private var nodeUnit: NodeUnit?

    /// A node that is not attached.
    public override init() {
        super.init()
        mixing.owner = self
    }

    /// The engine it is attached to; `nil` before and after.
    open var engine: AVAudioEngine? { home.engine }

    /// The node as a version 3 unit: its busses, its latency, its parameters if it has any. The engine renders it.
    open var auAudioUnit: AUAudioUnit {
        lock.withLock {
            if let nodeUnit { return nodeUnit }
            let made = NodeUnit.make(for: self)
            nodeUnit = made
            return made
        }
    }

    /// Number of input busses.
    open var numberOfInputs: Int { 1 }

    /// Number of output busses.
    open var numberOfOutputs: Int { 1 }

    /// Clears what the node remembers of what it has heard: tails, delays, queues.
    open func reset() {
        home.machine?.reset(self)
    }

    /// Format of an input bus; 0 Hz and 0 channels for a bus there is not.
    @discardableResult
    open func inputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat {
        guard hasInput(bus) else { return .none }
        return home.machine?.format(of: BusKey(self, .input, bus: bus)) ?? .initial
    }

    /// Format of an output bus; 0 Hz and 0 channels for a bus there is not.
    @discardableResult
    open func outputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat {
        guard bus >= 0, bus < numberOfOutputs else { return .none }
        return home.machine?.format(of: BusKey(self, .output, bus: bus)) ?? .initial
    }

    /// Name of an input bus; `nil` for a bus there is not.
    @discardableResult
    open func name(forInputBus bus: AVAudioNodeBus) -> String? {
        hasInput(bus) ? "Input \(bus)" : nil
    }

    /// Whether there is such a bus: also the one that a mixer would connect next.
    private func hasInput(_ bus: AVAudioNodeBus) -> Bool {
        if bus >= 0, bus < numberOfInputs { return true }
        return convertsInputs && bus == home.machine?.freeInput(of: self)
    }

    /// Name of an output bus; `nil` for a bus there is not.
    @discardableResult
    open func name(forOutputBus bus: AVAudioNodeBus) -> String? {
        bus >= 0 && bus < numberOfOutputs ? "Output \(bus)" : nil
    }

    /// The node's own time of the next frame it will render, and its host time: when the device takes it. `nil` while
    /// the engine is stopped or the node feeds nothing.
    open var lastRenderTime: AVAudioTime? { home.machine?.renderTime(of: self) }

    /// Seconds by which what comes out lags behind what goes in.
    open var latency: TimeInterval { 0 }

    /// Seconds from a frame's host time at this node's output to the listener, over the longest way there is.
    open var outputPresentationLatency: TimeInterval { home.machine?.presentationLatency(from: self) ?? 0 }

    /// Adds the node's renderers to a graph that is being made, and tells where its busses are there. Under the
    /// engine's lock.
    package func lower(_ lowering: inout NodeLowering<AVAudioFormat>) -> NodePorts { NodePorts() }

    package var lowersInputsAlone: Bool { false }

    package func lowerInput(_ input: NodeLowering<AVAudioFormat>.Bus, to graph: inout Graph) -> InputPorts? { nil }

    package func forgetInput(_ bus: Int) {}

    /// The clock of the host times that a tap's buffers have.
    func tapClock(of machine: EngineMachine) -> RenderClock { machine.session.clock }

    /// What kind of passage between clocks the node is, if it is one.
    package var timeChange: (any TimeChange)? { nil }

    /// Renderers that remember something, for `reset`.
    var resettable: [OwnedRenderer] { [] }

    /// Whether a connection into this node may bring another rate than the node runs at.
    package var convertsInputs: Bool { false }

    /// Whether the `rate` of a source is heard at this node.
    package var playsSourcesAtTheirSpeed: Bool { false }

    /// Whether input and output of bus 0 have one format.
    package var keepsFormat: Bool { false }

    /// Format a bus has before anything is connected or set.
    package func initialFormat(of bus: BusKey) -> AVAudioFormat { .initial }

    /// The engine's machinery has let go of the node; renderers may go.
    func didDetach() {}

    /// The engine has been stopped; what was queued is dropped.
    func engineDidStop() {}

    /// Whether it has something to play, or may have.
    var isAwake: Bool { false }

    /// What to call the node in messages and pictures.
    package var title: String { String(describing: type(of: self)) }
}

/// Where a node is attached, readable from any thread.
final class NodeHome: @unchecked Sendable {
    private struct Place {
        weak var machine: EngineMachine?
        weak var chain: InsertChain?
    }
    private let place = Mutex(Place())

    var machine: EngineMachine? {
        get { place.withLock { $0.machine } }
        set { place.withLock { $0.machine = newValue } }
    }

    var engine: AVAudioEngine? { machine?.facade }

    /// The chain of effects outside of an engine that it is a link of.
    var chain: InsertChain? { place.withLock { $0.chain } }

    /// Makes it a link of `chain`; false if it is attached to an engine, or in another chain.
    func join(_ chain: InsertChain) -> Bool {
        place.withLock { place in
            guard place.machine == nil, place.chain == nil || place.chain === chain else { return false }
            place.chain = chain
            return true
        }
    }

    /// False if it is in another chain by now.
    func leave(_ chain: InsertChain?) -> Bool {
        place.withLock { place in
            guard place.chain === chain else { return false }
            place.chain = nil
            return true
        }
    }

    /// Records an error with the engine or the chain.
    func record(_ error: any Error) {
        if let machine { machine.errors.record(error) } else { chain?.record(error) }
    }
}
