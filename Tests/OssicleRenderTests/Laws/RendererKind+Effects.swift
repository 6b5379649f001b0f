import OssicleChannels
import OssicleCore
import OssicleDSP
import OssicleRender

extension RendererKind {
    func effect(_ rate: Double, _ sound: (Int) -> [Float]) throws -> LawBench {
        switch self {
        case .equalizer: return try equalizer(rate, sound)
        case .delay:
            return try bench(
                rate, sound, DelayEffect.Parameters(delayTime: 0.02, feedback: 30, lowPassCutoff: 3000, wetDryMix: 60),
                DelayEffect.Parameters(delayTime: 0.01, feedback: -20, wetDryMix: 30)
            ) { RendererReference.delay($0) }
        case .distortion:
            var settings = DistortionSettings()
            settings.delay = 20
            settings.cubicTerm = 0.5
            return try bench(
                rate, sound, DistortionEffect.Parameters(settings: settings),
                DistortionEffect.Parameters(preGain: 6, wetDryMix: 80)
            ) { RendererReference.distortion($0) }
        case .dynamics:
            var other = DynamicsProcessor.Parameters()
            other.threshold = -40
            return try bench(rate, sound, DynamicsProcessor.Parameters(), other) { RendererReference.dynamics($0) }
        case .peakLimiter:
            var (first, other) = (PeakLimiter.Parameters(), PeakLimiter.Parameters())
            first.preGain = 12
            other.attackTime = 0.005
            return try bench(rate, sound, first, other) { RendererReference.peakLimiter($0) }
        case .multibandCompressor:
            var other = MultibandCompressor.Parameters()
            other.crossovers = SIMD3(200, 900, 2000)
            other.postgain = 6
            return try bench(rate, sound, MultibandCompressor.Parameters(), other) {
                RendererReference.multibandCompressor($0)
            }
        case .reverbEffect:
            return try bench(
                rate, sound, ReverbEffect.Parameters(preset: .smallRoom, wetDryMix: 60),
                ReverbEffect.Parameters(preset: .mediumRoom, wetDryMix: 40)
            ) { RendererReference.reverbEffect($0) }
        case .matrixReverb:
            var (first, other) = (MatrixReverb.Parameters(), MatrixReverb.Parameters())
            (first.largeSize, other.largeSize) = (0.5, 0.7)
            (first.preDelay, other.preDelay) = (0.002, 0.003)
            (first.largeDelay, other.largeDelay) = (0.002, 0.003)
            return try bench(rate, sound, first, other) { RendererReference.matrixReverb($0) }
        default:
            var (first, other) = (SampleDelay.Parameters(), SampleDelay.Parameters())
            (first.delayFrames, other.delayFrames) = (700, 77)
            return try bench(rate, sound, first, other) { RendererReference.sampleDelay($0) }
        }
    }

    private func bench<Kernel: EffectKernel & ~Copyable>(
        _ rate: Double, _ sound: (Int) -> [Float], _ first: Kernel.Parameters, _ other: Kernel.Parameters,
        reference: (UnsafeMutablePointer<EffectRenderer<Kernel>>) -> RendererReference
    ) throws -> LawBench {
        typealias Renderer = EffectRenderer<Kernel>
        let box = ControlledBox(
            Renderer(sampleRate: rate, channelCount: 2, parameters: Renderer.Parameters(first, bypass: false)))
        return try LawBench(
            reference(box.pointer), owner: box, inputs: [2], outputs: [2], sound: sound, resets: true,
            change: { box.control.write(Renderer.Parameters(other, bypass: false)) })
    }

    private func equalizer(_ rate: Double, _ sound: (Int) -> [Float]) throws -> LawBench {
        let bands = [
            EqualizerBand(kind: .lowShelf, frequency: 100, gain: 6, bypass: false), EqualizerBand(),
            EqualizerBand(kind: .parametric, frequency: 2000, gain: -9, bypass: false),
        ]
        let kernel = Equalizer(
            sampleRate: rate, channelCount: 2, parameters: Equalizer.Parameters(globalGain: -3), bands: bands)
        let cell = kernel.bandCell(1)
        let box = ControlledBox(
            EffectRenderer(kernel, EffectRenderer.Parameters(Equalizer.Parameters(globalGain: -3), bypass: false)))
        return try LawBench(
            .equalizer(box.pointer), owner: box, inputs: [2], outputs: [2], sound: sound, resets: true,
            change: {
                cell?.write(EqualizerBand(kind: .bandStop, frequency: 900, bypass: false))
                box.control.write(EffectRenderer.Parameters(Equalizer.Parameters(revision: 1), bypass: false))
            })
    }

    func environment(_ rate: Double, _ sound: (Int) -> [Float]) throws -> LawBench {
        let panner = RendererBox(VBAPPanner(.stereo))
        switch self {
        case .environmentInput: return try environmentInput(rate, panner, sound)
        case .environmentReverb:
            let room = RendererBox(
                EnvironmentRoom(
                    .smallRoom, sampleRate: rate, seed: 1,
                    field: .panned(FieldSpeakers.gains(order: 3, panner: panner.pointer.pointee)), outputCount: 2))
            let box = ControlledBox(EnvironmentReverbRenderer(sampleRate: rate, outputCount: 2, roomCount: 1))
            let place = EnvironmentReverbRenderer.Place(0, room.pointer)
            box.control.write(EnvironmentReverbRenderer.Parameters(room: place))
            return try LawBench(
                .environmentReverb(box.pointer), owner: box, inputs: [1], outputs: [2], sound: sound,
                keeping: [panner, room], resets: true,
                change: {
                    var filter = EqualizerBand()
                    filter.kind = .lowPass
                    filter.bypass = false
                    box.control.write(EnvironmentReverbRenderer.Parameters(room: place, level: 0.5, filter: filter))
                })
        default:
            let box = ControlledBox(EnvironmentOutputRenderer())
            return try LawBench(
                .environmentOutput(box.pointer), owner: box, inputs: [2], outputs: [2], sound: sound, resets: true,
                change: { box.control.write(EnvironmentOutputRenderer.Parameters(volume: 0.25)) })
        }
    }

    private func environmentInput(
        _ rate: Double, _ panner: RendererBox<VBAPPanner>, _ sound: (Int) -> [Float]
    ) throws -> LawBench {
        let (head, sphere) = (try HRTFFilters.shared(sampleRate: rate), SphereFilters.shared(sampleRate: rate))
        let filters = AmbisonicHRTFFilters(head: head, order: 3)
        let field = ControlledBox(FieldMixRenderer(.binaural(filters), outputCount: 2))
        let box = ControlledBox(
            EnvironmentInputRenderer(
                EnvironmentInputRenderer.Settings(
                    sampleRate: rate, channels: SpeakerLayout.stereo.speakers, copies: [1, 0, 0, 1], outputs: .stereo,
                    panner: panner.pointer, sphere: sphere.table, head: head.table)))
        func set(_ localiser: EnvironmentInputRenderer.Localiser, x: Float, occlusion: Float) {
            var parameters = EnvironmentInputRenderer.Parameters()
            parameters.localiser = localiser
            parameters.direction = SIMD3(x, 0, -1)
            parameters.occlusion = occlusion
            parameters.wet = 0.5
            box.control.write(parameters)
        }
        set(.head, x: 1, occlusion: 0)
        return try LawBench(
            .environmentInput(box.pointer, field.pointer.pointee.sums), owner: box, inputs: [2], outputs: [2, 1, 0],
            field: field, sound: sound,
            keeping: [panner, head, sphere], resets: true, change: { set(.field, x: -1, occlusion: -20) })
    }
}
