import OssicleCore
import OssicleCoreAudioTypes
import OssicleDSP
import OssicleRender

/// Makes and feeds the renderers of one environment with one output: a strip per input bus, the reverb, the output.
///
///     strip ─┬─ direct ────────────────────▶ (+) ──▶ output
///     strip ─┴─ send ──▶ (+) ──▶ reverb ─────▲
///
/// Renderers outlive plans; what changes is written to their cells. One thread at a time.
final class EnvironmentControl {
    struct Strip {
        let box: ControlledBox<EnvironmentStripRenderer>
        let labels: [UInt32]
        var written: EnvironmentStripRenderer.Parameters?
    }

    let output: EnvironmentOutput
    private let heads: EnvironmentHeads
    private let hall: EnvironmentHall
    private let master: ControlledBox<EnvironmentOutputRenderer>
    private var strips: [Int: Strip] = [:]
    private var sources: [Int: MixingProperties] = [:]
    private var scene: EnvironmentScene

    /// Throws for a sample rate beyond 8 … 384 kHz.
    init(_ output: EnvironmentOutput, scene: EnvironmentScene, volume: Float = 1) throws {
        (self.output, self.scene) = (output, scene)
        heads = try EnvironmentHeads(output)
        hall = EnvironmentHall(output, heads)
        master = ControlledBox(EnvironmentOutputRenderer(EnvironmentOutputRenderer.Parameters(volume: volume)))
    }

    // MARK: Strips

    /// The strip of a bus, the same as before while its channels are.
    /// - Returns: the renderer, and what keeps its memory.
    func strip(bus: Int, labels: [UInt32]) -> (RendererReference, AnyObject) {
        let strip = strips[bus].flatMap { $0.labels == labels ? $0 : nil } ?? makeStrip(labels)
        strips[bus] = strip
        write(bus)
        return (.environmentStrip(strip.box.pointer), Owners([strip.box, heads]))
    }

    /// Lets go of the strips of busses that are not in use.
    func keepStrips(of busses: Set<Int>) {
        strips = strips.filter { busses.contains($0.key) }
        sources = sources.filter { busses.contains($0.key) }
    }

    private func makeStrip(_ labels: [UInt32]) -> Strip {
        let settings = EnvironmentStripRenderer.Settings(
            sampleRate: output.sampleRate, channels: ChannelLayouts.speakers(labels).speakers, copies: ChannelMatrix(from: labels, to: output.labels).gains,
            outputs: output.speakers, panner: heads.panner.pointer,
            sphere: heads.sphere.table, head: heads.head.table)
        return Strip(box: ControlledBox(EnvironmentStripRenderer(settings)), labels: labels)
    }

    /// What a bus's source says now.
    func update(bus: Int, _ source: MixingProperties) {
        sources[bus] = source
        write(bus)
    }

    func updateScene(_ scene: EnvironmentScene) {
        self.scene = scene
        for bus in strips.keys.sorted() { write(bus) }
    }

    private func write(_ bus: Int) {
        guard let strip = strips[bus] else { return }
        let parameters = EnvironmentStripRenderer.Parameters(for: sources[bus] ?? MixingProperties(), channelCount: strip.labels.count, in: scene)
        guard parameters != strip.written else { return }
        strips[bus]?.written = parameters
        strip.box.control.write(parameters)
    }

    /// Seconds until an ear hears what a strip was given.
    var latency: Double {
        let usesEars = strips.values.contains { strip in
            guard let written = strip.written, output.channelCount > 1 else { return false }
            return written.localiser == .sphere || written.localiser == .head
        }
        return usesEars ? Double(EnvironmentStripRenderer.earLatency) / output.sampleRate : 0
    }

    // MARK: Reverb and output

    var reverb: (RendererReference, AnyObject) { (.environmentReverb(hall.box.pointer), hall) }
    var outputStep: (RendererReference, AnyObject) { (.environmentOutput(master.pointer), master) }

    /// All there are, for a reset.
    var renderers: [OwnedRenderer] {
        [reverb, outputStep] + strips.keys.sorted().compactMap { bus in
            strips[bus].map { (.environmentStrip($0.box.pointer), Owners([$0.box, heads])) }
        }
    }

    func updateReverb(_ reverb: AVAudioEnvironmentReverbParameters) { hall.update(reverb, isForHeadphones: scene.isForHeadphones) }

    func setVolume(_ volume: Float) { master.control.write(EnvironmentOutputRenderer.Parameters(volume: volume)) }
}

/// Keeps what a renderer points into.
private final class Owners {
    private let objects: [AnyObject]
    init(_ objects: [AnyObject]) { self.objects = objects }
}
