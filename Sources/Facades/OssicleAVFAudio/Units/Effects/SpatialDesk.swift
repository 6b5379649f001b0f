import OssicleAudioToolbox
import OssicleChannels
import OssicleCore
import OssicleDSP
import OssicleGraph
import OssicleNodes
import OssicleRender

/// The spatial mixer: every input around a listener at the origin, whose head its parameters turn.
///
///     inputs ─▶ direct, ambisonic bus, send ─▶ reverb ─▶ sum ─▶ output
final class SpatialDesk: MixerDesk {
    /// What properties set of an input, and no parameter does.
    struct InputSettings {
        var algorithm = AUSpatializationAlgorithm.spatializationAlgorithm_EqualPowerPanning
        var mode = AUSpatialMixerSourceMode.spatialMixerSourceMode_SpatializeIfMono
        var flags: AUSpatialMixerRenderingFlags = [
            .spatialMixerRenderingFlags_InterAuralDelay, .spatialMixerRenderingFlags_DistanceAttenuation,
        ]
        var inHead = AUSpatialMixerPointSourceInHeadMode.spatialMixerPointSourceInHeadMode_Mono
        var curve = AUSpatialMixerAttenuationCurve.spatialMixerAttenuationCurve_Inverse
        var distances = SpatialInput.Distances()
    }

    /// What properties set of the whole.
    struct Settings {
        var inputs = Array(repeating: InputSettings(), count: UnitInputs.capacity)
        var outputType = AUSpatialMixerOutputType.spatialMixerOutputType_Headphones
        var room = AUReverbRoomType.reverbRoomType_SmallRoom
        var hasReverb = true
        var tracksHead = false
        var hrtfMode = AUSpatialMixerPersonalizedHRTFMode.spatialMixerPersonalizedHRTFMode_Off
    }

    let meters: MixerMeters
    /// `update` takes it to the renderers.
    var settings = Settings()
    private let parameters: MixerParameters
    private var control: EnvironmentControl?
    private var busses: [Int] = []
    private var labels: [[UInt32]] = []

    init(_ parameters: MixerParameters) { (self.parameters, meters) = (parameters, MixerMeters(parameters.tree)) }

    func prepare(_ inputs: [Lowering.Bus], _ output: AVAudioFormat) throws {
        (busses, labels) = (inputs.map(\.index), inputs.map(\.format.channelLabels))
        let wanted = EnvironmentOutput(output)
        if control?.output != wanted {
            do { control = try EnvironmentControl(wanted, scene: scene(wanted), volume: volume) } catch {
                throw EnvironmentFault.noHRTF(MixerUnits.spatialMixer.name, error)
            }
        }
        update()
    }

    func add(to graph: inout Graph, _ title: String, busses: [Int], meter: RendererBox<StepMeter>?) -> NodePorts {
        let labelled = zip(self.busses, labels).filter { busses.contains($0.0) }.map { (bus: $0.0, labels: $0.1) }
        let ports = control?.add(to: &graph, title, inputs: labelled, meter: meter) ?? NodePorts()
        update()
        return ports
    }

    func update() {
        guard let control else { return }
        control.updateScene(scene(control.output))
        for bus in busses { control.update(bus: bus, input(bus).mixing) }
        control.updateReverb(reverb)
        control.setVolume(volume)
    }

    func forget() { control = nil }

    var resettable: [OwnedRenderer] { control?.renderers ?? [] }
    var latency: TimeInterval { control?.latency ?? 0 }

    /// The time in which the room's slowest band falls by 60 dB.
    var tailTime: TimeInterval {
        guard settings.hasReverb else { return 0 }
        let room = reverb.preset.room
        return room.mixingTime + Double((0..<OctaveBands.count).reduce(0) { max($0, room.t60[$1]) })
    }

    // MARK: From parameters

    private func value(_ id: AudioUnitParameterID) -> Float { parameters.value(id, kAudioUnitScope_Global, 0) ?? 0 }

    private var volume: Float {
        Float(Decibels.amplitude(Double(parameters.value(kSpatialMixerParam_Gain, kAudioUnitScope_Output, 0) ?? 0)))
    }

    private func scene(_ output: EnvironmentOutput) -> EnvironmentScene {
        var scene = EnvironmentScene()
        // Distances are each input's own.
        (scene.distanceLaw, scene.channelCount) = (.constant, output.channelCount)
        scene.isForHeadphones = settings.outputType == .spatialMixerOutputType_Headphones
        _ = scene.orientation.set(
            ListenerOrientation.Angles(
                yaw: value(kSpatialMixerParam_HeadYaw), pitch: value(kSpatialMixerParam_HeadPitch),
                roll: value(kSpatialMixerParam_HeadRoll)))
        return scene
    }

    private func input(_ bus: Int) -> SpatialInput {
        func value(_ id: AudioUnitParameterID) -> Float { parameters.value(id, kAudioUnitScope_Input, bus) ?? 0 }
        let own = settings.inputs.indices.contains(bus) ? settings.inputs[bus] : InputSettings()
        var input = SpatialInput()
        input.azimuth = value(kSpatialMixerParam_Azimuth)
        input.elevation = value(kSpatialMixerParam_Elevation)
        input.distance = value(kSpatialMixerParam_Distance)
        input.gain = value(kSpatialMixerParam_Gain)
        input.isEnabled = value(kSpatialMixerParam_Enable) >= 0.5
        let (least, greatest) = (value(kSpatialMixerParam_MinGain), value(kSpatialMixerParam_MaxGain))
        input.gainRange = min(least, greatest)...greatest
        input.reverbBlend = settings.hasReverb ? value(kSpatialMixerParam_ReverbBlend) : 0
        input.occlusion = value(kSpatialMixerParam_OcclusionAttenuation)
        input.obstruction = value(kSpatialMixerParam_ObstructionAttenuation)
        // Panning by vectors is what a sound field for loudspeakers is here.
        input.algorithm = SourceMixing.Algorithm(rawValue: Int(own.algorithm.rawValue)) ?? .soundField
        input.mode = SourceMixing.Mode(rawValue: Int(own.mode.rawValue)) ?? .spatializeIfMono
        input.bypassesInsideHead = own.inHead == .spatialMixerPointSourceInHeadMode_Bypass
        input.attenuates = own.flags.contains(.spatialMixerRenderingFlags_DistanceAttenuation)
        input.curve = SpatialInput.Curve(rawValue: own.curve.rawValue) ?? .inverse
        input.distances = own.distances
        return input
    }

    private var reverb: EnvironmentReverb {
        EnvironmentReverb(
            isEnabled: settings.hasReverb, preset: ReverbPreset(factoryNumber: Int(settings.room.rawValue)),
            level: value(kSpatialMixerParam_GlobalReverbGain),
            filter: EqualizerBand(
                kind: FilterKind(rawValue: Int(value(kReverbParam_FilterType))) ?? .parametric,
                frequency: value(kReverbParam_FilterFrequency), bandwidth: value(kReverbParam_FilterBandwidth),
                gain: value(kReverbParam_FilterGain), bypass: value(kReverbParam_FilterEnable) < 0.5))
    }
}
