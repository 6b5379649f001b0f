import OssicleAcoustics
import OssicleChannels
import OssicleCore
import OssicleDSP
import OssicleRender
import OssicleSoundEvents

/// The running forms of mixers.
extension OutputStage {
    /// - Parameter isVirtual: without a renderer. A channel mixer has always one: it is next to nothing.
    func makeChannel(_ mixer: MixerBlueprint, isVirtual: Bool = false) -> MixerChannel {
        switch mixer.kind {
        case .spatial where isVirtual, .ambient where isVirtual:
            return MixerChannel(blueprint: mixer, renderer: .virtual)
        case .spatial(let spatial):
            let box = ControlledBox(
                SpatialRenderer(sampleRate: sampleRate, spatializer: spatializer, outputCount: channelCount))
            let early = spatial.earlyReflections.map { _ in
                ControlledBox(EarlyReflectionsRenderer(sampleRate: sampleRate, spatializer: spatializer))
            }
            return MixerChannel(blueprint: mixer, renderer: .spatial(box), early: early)
        case .ambient(let bed, _):
            return MixerChannel(blueprint: mixer, renderer: ambient(bed))
        case .channel(let bed):
            let box = ControlledBox(
                ChannelRenderer(matrix: matrix(bed), inputCount: bed.labels.count, outputCount: channelCount))
            return MixerChannel(blueprint: mixer, renderer: .channels(box))
        }
    }

    /// The running form of the same mixer as another output's, as loud and of the same rank, with what is on its way
    /// from its source. While nothing renders.
    func makeChannel(after old: MixerChannel) -> MixerChannel {
        let new = makeChannel(old.blueprint, isVirtual: old.isVirtual)
        (new.level, new.inaudibleSince) = (old.level, old.inaudibleSince)
        if hrtf != nil { new.tier = old.tier }
        new.adoptFlight(of: old, self)
        return new
    }

    /// A sound field rotates as a whole, loudspeakers one by one.
    private func ambient(_ bed: MixerBlueprint.ChannelBed) -> MixerChannel.Renderer {
        if let field = SoundFieldFormat(labels: bed.labels) {
            let renderer = AmbisonicRenderer(
                format: field, decoding: decoding(order: field.order), outputCount: channelCount)
            return .ambisonic(ControlledBox(renderer))
        }
        let places = SpeakerLayout(labels: bed.labels, tag: bed.layoutTag).speakers
        return .ambient(
            ControlledBox(AmbientRenderer(speakers: places, spatializer: spatializer, outputCount: channelCount)))
    }

    /// Output by output. A sound field is decoded for the output's loudspeakers with the head at rest; an output of the
    /// same channels gets it unchanged. Where the output is a sound field, loudspeakers stand in it where their layout
    /// has them, and an LFE is dropped.
    private func matrix(_ bed: MixerBlueprint.ChannelBed) -> [Float] {
        let isField = SoundFieldFormat(labels: labels) != nil
        guard bed.labels != labels, let field = SoundFieldFormat(labels: bed.labels) else {
            return isField && bed.labels != labels ? encoded(bed) : ChannelMatrix(from: bed.labels, to: labels).gains
        }
        let decoder = FieldSpeakers.gains(order: field.order, panner: Self.panner(labels, speakers))
        return (0..<channelCount).flatMap { output in
            field.channels.map { channel in
                channel.map { decoder[output * field.count + $0.index] * Float($0.gain) } ?? 0
            }
        }
    }

    private func encoded(_ bed: MixerBlueprint.ChannelBed) -> [Float] {
        let panner = Self.panner(labels, speakers), memory = SampleMemory(count: channelCount)
        let columns = SpeakerLayout(labels: bed.labels, tag: bed.layoutTag).speakers.map { speaker -> [Float] in
            guard !speaker.isLFE else { return Array(repeating: 0, count: channelCount) }
            panner.gains(SIMD3<Float>(speaker.direction), into: memory.pointer)
            return (0..<channelCount).map { memory[$0] }
        }
        return (0..<channelCount).flatMap { output in columns.map { $0[output] } }
    }
}
