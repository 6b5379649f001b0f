// Sounds in space.

import OssicleChannels
import OssicleCoreAudioTypes
import OssicleGraph
import OssicleNodes
import OssicleRender

/// Places its inputs around a listener: direction, distance, obstacles, and a reverb they share.
///
/// A source says where it is and how it wants to be heard by its `AVAudio3DMixing` properties; the node has the
/// listener. Right-handed, metres, +y up; the listener looks along −z. The format of the output connection chooses the
/// loudspeakers. Changes are glided to while there is sound, over 512 frames. There is no Doppler effect and no delay
/// by distance. Any thread.
open class AVAudioEnvironmentNode: AVAudioNode, AVAudioMixing {
    private var control: EnvironmentControl?
    private var scene = EnvironmentScene()
    private var type = AVAudioEnvironmentOutputType.auto
    private var level: Float = 1
    private var tracksHead = false
    private var lastTurn: Turn?

    /// An environment without inputs, which is legal and silent.
    public override init() {
        super.init()
        distanceAttenuationParameters.didChange = { [weak self] in self?.sceneChanged() }
        reverbParameters.didChange = { [weak self] in
            self?.guarded {
                self?.updateReverb()
                self?.noteState()
            }
        }
    }

    // MARK: Busses

    /// Up to the last that is connected, at least one. There is always room for more: see `nextAvailableInputBus`.
    open override var numberOfInputs: Int { home.machine?.inputCount(of: self) ?? 1 }

    /// The first input bus that nothing is connected to.
    open var nextAvailableInputBus: AVAudioNodeBus { home.machine?.freeInput(of: self) ?? 0 }

    package override var convertsInputs: Bool { true }
    package override var playsSourcesAtTheirSpeed: Bool { true }

    // MARK: Output

    /// What two output channels are heard from; decides what `.auto` means. Default `.auto`: headphones at a device,
    /// loudspeakers in manual rendering.
    open var outputType: AVAudioEnvironmentOutputType {
        get { guarded { type } }
        set {
            guarded { type = newValue }
            sceneChanged()
        }
    }

    /// Gain of everything, 0 to 1; default 1.
    open var outputVolume: Float {
        get { guarded { level } }
        set {
            guard let value = mixing.checked(newValue, 0...1) else { return }
            guarded {
                level = value
                control?.setVolume(value)
                noteState()
            }
        }
    }

    /// The algorithms that the output's channels can play as they are meant, as numbers. Ask after connecting the
    /// output.
    open var applicableRenderingAlgorithms: [NSNumber] {
        EnvironmentOutput(outputFormat(forBus: 0)).applicableAlgorithms.map { NSNumber(value: $0.rawValue) }
    }

    // MARK: Listener

    /// Where the listener is, in metres. Default the origin. What is not a number changes nothing.
    open var listenerPosition: AVAudio3DPoint {
        get { AVAudio3DPoint(guarded { scene.listenerPosition }) }
        set {
            guard mixing.isPosition(newValue) else { return }
            guarded { scene.listenerPosition = SIMD3(newValue) }
            sceneChanged()
        }
    }

    /// How the listener is turned, by two directions of any length; the same state as `listenerAngularOrientation`.
    /// Default forward −z, up +y. Vectors that are none, or parallel, change nothing.
    open var listenerVectorOrientation: AVAudio3DVectorOrientation {
        get { AVAudio3DVectorOrientation(guarded { scene.orientation.vectors }) }
        set { turn(.vectors(ListenerOrientation.Vectors(newValue))) }
    }

    /// How the listener is turned, in degrees: yaw to the right, pitch up, roll to the right, one after the other; the
    /// same state as `listenerVectorOrientation`. Default 0, 0, 0.
    open var listenerAngularOrientation: AVAudio3DAngularOrientation {
        get { AVAudio3DAngularOrientation(guarded { scene.orientation.angles }) }
        set { turn(.angles(ListenerOrientation.Angles(newValue))) }
    }

    /// As a client gives an orientation.
    enum Turn {
        case vectors(ListenerOrientation.Vectors)
        case angles(ListenerOrientation.Angles)
    }

    private func turn(_ turn: Turn) {
        let isOne = guarded {
            let isOne =
                switch turn {
                case .vectors(let vectors): scene.orientation.set(vectors)
                case .angles(let angles): scene.orientation.set(angles)
                }
            if isOne { lastTurn = turn }
            return isOne
        }
        if isOne {
            sceneChanged()
        } else {
            home.machine?.errors.record(EnvironmentFault.noOrientation(title))
        }
    }

    /// Whether headphones with motion sensors turn the listener. Default false; kept, without effect on devices that
    /// have none.
    open var isListenerHeadTrackingEnabled: Bool {
        get { guarded { tracksHead } }
        set { guarded { tracksHead = newValue } }
    }

    // MARK: Distance and reverb

    /// How level falls with distance.
    public let distanceAttenuationParameters = AVAudioEnvironmentDistanceAttenuationParameters()

    /// The reverb that sources reach by their `reverbBlend`.
    public let reverbParameters = AVAudioEnvironmentReverbParameters()

    // MARK: Rendering

    /// Seconds until a sound is heard: 16 frames where two ears hear one, else 0.
    open override var latency: TimeInterval { guarded { control?.latency ?? 0 } }

    override var resettable: [OwnedRenderer] { control?.renderers ?? [] }

    package override func lower(_ lowering: inout NodeLowering<AVAudioFormat>) -> NodePorts {
        guard let control = control(for: lowering) else {
            // The error is recorded for every plan.
            lowering.mayBeKept = false
            return NodePorts()
        }
        let ports = control.add(
            to: &lowering.graph, title, inputs: lowering.inputs.map { ($0.index, $0.format.channelLabels) },
            meter: lowering.meter)
        for input in lowering.inputs {
            if let mixing = input.mixing { apply(mixing, at: input.index) }
        }
        return ports
    }

    /// The renderers there are, if they fit, so that they go on where they are.
    private func control(for lowering: Lowering) -> EnvironmentControl? {
        let output = EnvironmentOutput(lowering.outputFormat, sampleRate: lowering.sampleRate)
        completeScene(output.channelCount)
        if let control, control.output == output {
            control.updateScene(scene)
        } else {
            do {
                control = try EnvironmentControl(output, scene: scene, volume: level)
            } catch {
                control = nil
                home.machine?.errors.record(EnvironmentFault.noHRTF(title, error))
            }
        }
        updateReverb()
        return control
    }

    override func didDetach() { guarded { control = nil } }

    // MARK: Changes

    /// Under the engine's lock where there is one, else under the node's.
    private func guarded<Result>(_ body: () throws -> Result) rethrows -> Result {
        if let machine = home.machine { try machine.locked(body) } else { try lock.withLock(body) }
    }

    /// For a recording, if there is one.
    private func noteState() { home.machine.map(noteState) }

    func noteState(_ machine: EngineMachine) {
        machine.note(self) { number, _ in .environment(number, guarded { recorded }) }
    }

    private var recorded: EngineCommand.Environment {
        let (distance, reverb) = (distanceAttenuationParameters, reverbParameters)
        let filter = reverb.filterParameters
        var state = EngineCommand.Environment(
            outputType: type.rawValue, volume: level, position: scene.listenerPosition,
            distanceModel: distance.distanceAttenuationModel.rawValue,
            reference: distance.referenceDistance, maximum: distance.maximumDistance, rolloff: distance.rolloffFactor,
            reverbIsEnabled: reverb.enable, reverbPreset: reverb.factoryPreset.rawValue, reverbLevel: reverb.level,
            filter: filter.filterType.rawValue, filterFrequency: filter.frequency, filterBandwidth: filter.bandwidth,
            filterGain: filter.gain, filterIsBypassed: filter.bypass)
        switch lastTurn {
        case .vectors(let vectors): state.vectors = [vectors.forward, vectors.up]
        case .angles(let angles): state.angles = SIMD3(angles.yaw, angles.pitch, angles.roll)
        case nil: break
        }
        return state
    }

    /// Sets all of it, as it was recorded.
    func restore(_ state: EngineCommand.Environment) {
        guarded { type = AVAudioEnvironmentOutputType(rawValue: state.outputType) ?? .auto }
        outputVolume = state.volume
        if let angles = state.angles {
            turn(.angles(ListenerOrientation.Angles(yaw: angles.x, pitch: angles.y, roll: angles.z)))
        } else if let vectors = state.vectors, vectors.count == 2 {
            turn(.vectors(ListenerOrientation.Vectors(forward: vectors[0], up: vectors[1])))
        }
        let (distance, reverb) = (distanceAttenuationParameters, reverbParameters)
        distance.distanceAttenuationModel =
            AVAudioEnvironmentDistanceAttenuationModel(rawValue: state.distanceModel) ?? .inverse
        (distance.referenceDistance, distance.maximumDistance) = (state.reference, state.maximum)
        distance.rolloffFactor = state.rolloff
        reverb.enable = state.reverbIsEnabled
        reverb.loadFactoryReverbPreset(AVAudioUnitReverbPreset(rawValue: state.reverbPreset) ?? .mediumHall)
        reverb.level = state.reverbLevel
        let filter = reverb.filterParameters
        filter.filterType = AVAudioUnitEQFilterType(rawValue: state.filter) ?? .parametric
        (filter.frequency, filter.bandwidth) = (state.filterFrequency, state.filterBandwidth)
        (filter.gain, filter.bypass) = (state.filterGain, state.filterIsBypassed)
        listenerPosition = AVAudio3DPoint(state.position)
    }

    private func sceneChanged() {
        guarded {
            noteState()
            guard let control else { return }
            completeScene(control.output.channelCount)
            control.updateScene(scene)
            updateReverb()
        }
    }

    private func updateReverb() { control?.updateReverb(reverbParameters.reverb) }

    private func completeScene(_ channelCount: Int) {
        scene.channelCount = channelCount
        scene.distanceLaw = distanceAttenuationParameters.law
        scene.isForHeadphones = type == .headphones || (type == .auto && home.machine?.manual == nil)
    }
}

extension AVAudioEnvironmentNode: MixingTarget {
    func apply(_ mixing: SourceMixing, at bus: AVAudioNodeBus) {
        control?.update(bus: bus, mixing)
    }
}

extension EnvironmentOutput {
    /// - Parameter sampleRate: the rate it is rendered at, if not the format's.
    init(_ format: AVAudioFormat, sampleRate: Double? = nil) {
        let labels = format.channelLabels
        self.init(
            labels: labels, speakers: SpeakerLayout(labels: labels, tag: format.channelLayout?.layoutTag),
            sampleRate: sampleRate ?? format.sampleRate)
    }
}

/// What can be wrong with an environment.
enum EnvironmentFault {
    static func noOrientation(_ object: String) -> OssicleError {
        .avfaudio(
            kAudioUnitErr_InvalidParameterValue, object, value: "an orientation that is none",
            rule: "Angles are finite; forward and up are finite, not zero and not parallel.",
            cure: "Check the computation it comes from; the old orientation stays.")
    }

    static func noHRTF(_ object: String, _ error: any Error) -> OssicleError {
        .avfaudio(
            kAudioUnitErr_FormatNotSupported, object, value: "\(error)", rule: "Environments render at 8 to 384 kHz.",
            cure: "Connect the output with a rate in that range; until then the node is silent.")
    }
}
