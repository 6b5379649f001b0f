import OssicleAcoustics
import OssicleAVFAudio
import OssicleCore
import OssicleCoreAudioTypes
import OssicleDSP
import OssicleGraph
import OssicleRender
import OssicleSoundEvents

/// The end of every path: what the output format makes possible (binaural or panned), the reverb, and the master.
///
///     strips ──▶ direct ───────────────▶ master ──▶ output
///        └────── send ──▶ reverb ──▶ late ──┘
final class OutputStage {
    let sampleRate: Double
    let channelCount: Int
    private let labels: [UInt32]
    private let spatializer: Spatializer
    /// Keeps the memory behind `spatializer`.
    private let tables: AnyObject
    private let reverb: RoomReverb
    private let master: RendererBox<MasterRenderer>
    private let grid: OctaveGrid

    init(format: AVAudioFormat, mode: PHASESpatializationMode, seed: UInt64) throws {
        let (rate, channels) = (format.sampleRate, Int(format.channelCount))
        sampleRate = rate
        channelCount = channels
        labels = ChannelLayouts.labels(of: format)
        let (spatializer, tables) = try Self.spatializer(rate, labels, isBinaural: channels == 2 && mode != .alwaysUseChannelBased)
        (self.spatializer, self.tables) = (spatializer, tables)
        reverb = RoomReverb { room in
            RendererBox(ReverbRenderer(room, sampleRate: rate, seed: seed, spatializer: spatializer, outputCount: channels))
        }
        master = RendererBox(MasterRenderer(sampleRate: rate, channelCount: channels))
        grid = OctaveGrid(sampleRate: rate)
    }

    private static func spatializer(_ sampleRate: Double, _ labels: [UInt32], isBinaural: Bool) throws -> (Spatializer, AnyObject) {
        if isBinaural {
            let head = try HeadFilters.shared(sampleRate: sampleRate)
            return (.binaural(head.table), head)
        }
        let panner = RendererBox(VBAPPanner(ChannelLayouts.speakers(labels)))
        return (.panned(panner.pointer), panner)
    }

    /// Octave gains as the filter of a strip.
    func equalizer(_ bands: OctaveBands) -> BandEqualizerDesign { BandEqualizerDesign.solve(bands, grid: grid) }

    // MARK: Rates

    /// How a player has to play an asset of that rate.
    func playback(_ assetRate: Double, rate: Double, gain: Double, rampFrames: Int) -> PlayerRenderer.Parameters {
        let ratio = assetRate * rate / sampleRate
        return PlayerRenderer.Parameters(gain: Float(gain), step: SincInterpolator.step(ratio: ratio), table: SincTable.shared(ratio: ratio),
                                         rampFrames: rampFrames)
    }

    // MARK: Strips

    func makeStrip(_ mixer: MixerBlueprint) -> MixerStrip {
        switch mixer.kind {
        case .spatial(let spatial):
            let box = RendererBox(SpatialRenderer(sampleRate: sampleRate, spatializer: spatializer, outputCount: channelCount))
            return MixerStrip(blueprint: mixer, renderer: .spatial(box), inputChannels: 1,
                              sourceDirectivity: Directivity(captured: spatial.sourceDirectivity),
                              listenerDirectivity: Directivity(captured: spatial.listenerDirectivity))
        case .ambient(let bed, _):
            let directions = ChannelLayouts.speakers(bed.labels).speakers
            let box = RendererBox(AmbientRenderer(speakers: directions, spatializer: spatializer, outputCount: channelCount))
            return MixerStrip(blueprint: mixer, renderer: .ambient(box), inputChannels: bed.labels.count)
        case .channel(let bed):
            let matrix = ChannelMatrix(from: bed.labels, to: labels)
            let box = RendererBox(ChannelRenderer(matrix: matrix.gains, inputCount: bed.labels.count, outputCount: channelCount))
            return MixerStrip(blueprint: mixer, renderer: .channels(box), inputChannels: bed.labels.count)
        }
    }

    // MARK: Reverb

    /// - Returns: whether the plan has to change.
    func setReverb(_ preset: PHASEReverbPreset, at position: Int64) -> Bool { reverb.set(preset, at: position) }

    // MARK: Plan

    func compile(_ events: [EventInstance]) throws -> RenderPlan {
        var graph = Graph()
        let master = graph.add("master", .master(self.master.pointer), owner: self.master, inputs: [channelCount, channelCount], outputs: [channelCount])
        graph.output = Graph.Port(master)
        graph.keepAlive(tables)
        var room: Graph.NodeID?
        for (box, isPresent) in reverb.sounding {
            let node = graph.add("reverb", .reverb(box.pointer), owner: box, inputs: [1], outputs: [channelCount])
            graph.connect(Graph.Port(node), to: Graph.Port(master, 1))
            if isPresent { room = node }
        }
        for event in events {
            for (mixer, strip) in event.strips.sorted(by: { $0.key < $1.key }) {
                let sends = strip.blueprint.isSpatial
                let node = graph.add("mixer “\(strip.blueprint.identifier)”", strip.reference, owner: strip.owner,
                                     inputs: [strip.inputChannels], outputs: sends ? [channelCount, 1] : [channelCount])
                graph.connect(Graph.Port(node), to: Graph.Port(master, 0))
                if sends, let room { graph.connect(Graph.Port(node, 1), to: Graph.Port(room)) }
                for voice in event.voices where voice.leaf.generator.mixer == mixer {
                    let player = graph.add("sampler “\(event.tree.nodes[voice.node].identifier)”", .player(voice.player.pointer), owner: voice.player,
                                           inputs: [], outputs: [strip.inputChannels])
                    graph.connect(Graph.Port(player), to: Graph.Port(node))
                }
            }
        }
        return try GraphCompiler.compile(graph)
    }

    // MARK: Meters

    private var metersBefore = MasterRenderer.Meters()

    /// What the master has counted since the last call.
    func takeMeters() -> MasterRenderer.Meters {
        let cell = master.pointer.pointee.meters
        let now = cell.takeIfNew() ?? cell.current
        var since = now
        since.frames -= metersBefore.frames
        since.directEnergy -= metersBefore.directEnergy
        since.reverbEnergy -= metersBefore.reverbEnergy
        since.limitedFrames -= metersBefore.limitedFrames
        since.nonFiniteFrames -= metersBefore.nonFiniteFrames
        metersBefore = now
        return since
    }
}
