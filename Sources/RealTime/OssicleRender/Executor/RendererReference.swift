import COssicle
import OssicleDSP

/// Every kind of renderer there is, as a bare pointer: a switch instead of a class hierarchy, so that a step costs
/// neither a reference count nor a witness table.
package enum RendererReference: BitwiseCopyable {
    case player(UnsafeMutablePointer<PlayerRenderer>)
    case stream(UnsafeMutablePointer<StreamRenderer>)
    case queuePlayer(UnsafeMutablePointer<QueuePlayerRenderer>)
    case spatial(UnsafeMutablePointer<SpatialRenderer>, BinauralTargets?, FieldTargets?)
    case binauralMix(UnsafeMutablePointer<BinauralMixRenderer>)
    case ambient(UnsafeMutablePointer<AmbientRenderer>)
    case ambisonic(UnsafeMutablePointer<AmbisonicRenderer>)
    case channels(UnsafeMutablePointer<ChannelRenderer>)
    case earlyReflections(UnsafeMutablePointer<EarlyReflectionsRenderer>, FieldTargets)
    case paths(UnsafeMutablePointer<PathsRenderer>, FieldTargets)
    case reverb(UnsafeMutablePointer<ReverbRenderer>, FieldSums)
    case lateField(UnsafeMutablePointer<LateFieldRenderer>, FieldSums)
    case convolution(UnsafeMutablePointer<ConvolutionRenderer>, FieldSums)
    case fieldMix(UnsafeMutablePointer<FieldMixRenderer>)
    case master(UnsafeMutablePointer<MasterRenderer>)
    case mix(UnsafeMutablePointer<MixRenderer>)
    case crossFade(UnsafeMutablePointer<CrossFadeRenderer>)
    case matrix(UnsafeMutablePointer<MatrixRenderer>)
    case block(UnsafeMutablePointer<BlockRenderer>)
    case tap(UnsafeMutablePointer<TapRenderer>)
    case environmentInput(UnsafeMutablePointer<EnvironmentInputRenderer>, FieldSums?)
    case environmentReverb(UnsafeMutablePointer<EnvironmentReverbRenderer>)
    case environmentOutput(UnsafeMutablePointer<EnvironmentOutputRenderer>)
    case exit(ExitReference)
    case equalizer(UnsafeMutablePointer<EffectRenderer<Equalizer>>)
    case delay(UnsafeMutablePointer<EffectRenderer<DelayEffect>>)
    case distortion(UnsafeMutablePointer<EffectRenderer<DistortionEffect>>)
    case dynamics(UnsafeMutablePointer<EffectRenderer<DynamicsProcessor>>)
    case peakLimiter(UnsafeMutablePointer<EffectRenderer<PeakLimiter>>)
    case multibandCompressor(UnsafeMutablePointer<EffectRenderer<MultibandCompressor>>)
    case reverbEffect(UnsafeMutablePointer<EffectRenderer<ReverbEffect>>)
    case matrixReverb(UnsafeMutablePointer<EffectRenderer<MatrixReverb>>)
    case sampleDelay(UnsafeMutablePointer<EffectRenderer<SampleDelay>>)
    case domain(UnsafeMutablePointer<DomainRenderer>, UnsafePointer<DomainRenderer.Plan>)

    @inline(__always)
    func render(_ ports: Ports, _ context: RenderContext) {
        switch self {
        case .player(let renderer): renderer.pointee.render(ports, context)
        case .stream(let renderer): renderer.pointee.render(ports, context)
        case .queuePlayer(let renderer): renderer.pointee.render(ports, context)
        case .spatial(let renderer, let targets, let field):
            renderer.pointee.render(ports, context, targets, field)
        case .binauralMix(let renderer): renderer.pointee.render(ports, context)
        case .ambient(let renderer): renderer.pointee.render(ports, context)
        case .ambisonic(let renderer): renderer.pointee.render(ports, context)
        case .channels(let renderer): renderer.pointee.render(ports, context)
        case .earlyReflections(let renderer, let targets): renderer.pointee.render(ports, context, targets)
        case .paths(let renderer, let targets): renderer.pointee.render(ports, context, targets)
        case .reverb(let renderer, let sums): renderer.pointee.render(ports, context, sums)
        case .lateField(let renderer, let sums): renderer.pointee.render(ports, context, sums)
        case .convolution(let renderer, let sums): renderer.pointee.render(ports, context, sums)
        case .fieldMix(let renderer): renderer.pointee.render(ports, context)
        case .master(let renderer): renderer.pointee.render(ports, context)
        case .mix(let renderer): renderer.pointee.render(ports, context)
        case .crossFade(let renderer): renderer.pointee.render(ports, context)
        case .matrix(let renderer): renderer.pointee.render(ports, context)
        case .block(let renderer): renderer.pointee.render(ports, context)
        case .tap(let renderer): renderer.pointee.render(ports, context)
        case .environmentInput(let renderer, let sums): renderer.pointee.render(ports, context, sums)
        case .environmentReverb(let renderer): renderer.pointee.render(ports, context)
        case .environmentOutput(let renderer): renderer.pointee.render(ports, context)
        case .exit(let exit): exit.give(ports, context)
        case .equalizer(let renderer): renderer.pointee.render(ports, context)
        case .delay(let renderer): renderer.pointee.render(ports, context)
        case .distortion(let renderer): renderer.pointee.render(ports, context)
        case .dynamics(let renderer): renderer.pointee.render(ports, context)
        case .peakLimiter(let renderer): renderer.pointee.render(ports, context)
        case .multibandCompressor(let renderer): renderer.pointee.render(ports, context)
        case .reverbEffect(let renderer): renderer.pointee.render(ports, context)
        case .matrixReverb(let renderer): renderer.pointee.render(ports, context)
        case .sampleDelay(let renderer): renderer.pointee.render(ports, context)
        case .domain(let renderer, let plan): renderer.pointee.render(plan, ports, context)
        }
    }

    /// Asks for the renderer itself to be brought near the processor, where there may be very many of its kind.
    @inline(__always)
    func prefetch() {
        switch self {
        case .player(let renderer): UnsafeRawPointer(renderer).prefetch(MemoryLayout<PlayerRenderer>.size)
        case .spatial(let renderer, _, _): UnsafeRawPointer(renderer).prefetch(SpatialRenderer.hotSize)
        default: break
        }
    }

    /// Asks for what the renderer, which is near already, will read and write.
    @inline(__always)
    func prefetchMemory() {
        switch self {
        case .player(let renderer): renderer.pointee.prefetch()
        case .spatial(let renderer, _, _): renderer.pointee.prefetch()
        default: break
        }
    }

    /// Clears all memory of input; kinds without memory, or that their owner commands otherwise, stay as
    /// they are.
    func reset() {
        switch self {
        case .exit(let exit): exit.reset()
        case .equalizer(let renderer): renderer.pointee.reset()
        case .delay(let renderer): renderer.pointee.reset()
        case .distortion(let renderer): renderer.pointee.reset()
        case .dynamics(let renderer): renderer.pointee.reset()
        case .peakLimiter(let renderer): renderer.pointee.reset()
        case .multibandCompressor(let renderer): renderer.pointee.reset()
        case .reverbEffect(let renderer): renderer.pointee.reset()
        case .matrixReverb(let renderer): renderer.pointee.reset()
        case .sampleDelay(let renderer): renderer.pointee.reset()
        case .domain(let renderer, _): renderer.pointee.reset()
        case .player, .stream, .queuePlayer, .spatial, .binauralMix, .ambient, .ambisonic, .channels, .earlyReflections,
            .paths:
            break
        case .fieldMix(let renderer): renderer.pointee.reset()
        case .reverb, .lateField, .convolution, .master, .mix, .crossFade, .matrix, .block, .tap: break
        case .environmentInput(let renderer, _): renderer.pointee.reset()
        case .environmentReverb(let renderer): renderer.pointee.reset()
        case .environmentOutput(let renderer): renderer.pointee.reset()
        }
    }
}

extension UnsafeRawPointer {
    /// Asks for so many bytes to be brought near the processor.
    @inline(__always)
    func prefetch(_ count: Int) {
        ossicle_prefetch(assumingMemoryBound(to: Float.self), (count + 3) / 4)
    }
}
