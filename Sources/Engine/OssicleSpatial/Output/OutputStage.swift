import OssicleAcoustics
import OssicleChannels
import OssicleCore
import OssicleDSP
import OssicleRender
import Synchronization

/// The end of every path: what the output's channels make possible (binaural, panned, or the channels of a sound field
/// that is decoded elsewhere), and the mixes that go out.
package final class OutputStage {
    /// Which output it is: no two have the same number.
    let number = OutputStage.count.add(1, ordering: .relaxed).newValue
    package let sampleRate: Double
    package let channelCount: Int
    package let labels: [UInt32]
    package let speakers: SpeakerLayout
    package let spatializer: Spatializer
    private let directions: DirectionTables
    let decoders = AmbisonicDecoders()
    /// The head that rooms are made for, nil where loudspeakers play: the built-in one, so that a head that is put on
    /// later hears the room that it would have heard from the beginning.
    private let roomHead: HRTFFilters?
    private let roomDecoders = AmbisonicDecoders()
    /// Frames by which the ambisonic bus delays that head's rooms.
    private let roomLatency: Int
    /// The present preset's box; nil without a room.
    package private(set) var earlyRoom: EarlyRoom?
    private var earlyPreset: ReverbPreset?
    /// The engine's own mix.
    package private(set) lazy var main = makeBus()
    private let seed: UInt64
    private let grid: OctaveGrid
    /// Those of the latest medium.
    private var air: (medium: Medium, filters: AirFilters)?
    private static let count = Atomic(0)

    /// - Parameters:
    ///   - labels: of the output's channels, in Core Audio's numbers. - speakers: where those stand.
    package init(
        sampleRate: Double, channelCount: Int, labels: [UInt32], speakers: SpeakerLayout, isBinaural: Bool, seed: UInt64
    ) throws {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.labels = labels
        self.speakers = speakers
        self.seed = seed
        if isBinaural {
            let head = try HRTFFilters.shared(sampleRate: sampleRate)
            (directions, roomHead) = (.head(HRTFCache(head)), head)
        } else {
            (directions, roomHead) = (.panner(RendererBox(Self.panner(labels, speakers))), nil)
        }
        spatializer = directions.spatializer
        roomLatency = Int(spatializer.fieldDelay)
        grid = OctaveGrid(sampleRate: sampleRate)
    }

    /// To the loudspeakers of the channels, or into the sound field that they are channels of: then all sound with a
    /// direction is encoded, and the ambisonic bus goes out as it is.
    static func panner(_ labels: [UInt32], _ speakers: SpeakerLayout) -> VBAPPanner {
        if let field = SoundFieldFormat(labels: labels) { VBAPPanner(field) } else { VBAPPanner(speakers) }
    }

    /// Of a binaural output.
    package var hrtf: HRTFCache? { if case .head(let cache) = directions { cache } else { nil } }

    /// Keeps the memory behind `spatializer`.
    package var tables: [AnyObject] { directions.owners }

    /// What a sound field of an order is decoded with, for the output's HRTF or loudspeakers.
    func decoding(order: Int) -> FieldDecoding { decoders.decoder(order: order, for: directions) }

    /// A mix in silence. Every one is made alike: the same sound gives the same bytes.
    package func makeBus() -> OutputBus {
        let latency = roomLatency
        let roomEars = { [roomDecoders, roomHead] in
            roomHead.map { roomDecoders.filters(Self.fieldOrder, $0).table }
        }
        let busOrder = max(Self.fieldOrder, SoundFieldFormat(labels: labels)?.order ?? 0)
        let decoding = { [decoders, directions] in decoders.decoder(order: busOrder, for: directions) }
        let presets = PresetRooms { [sampleRate, seed] room in
            ControlledBox(
                ReverbRenderer(room, sampleRate: sampleRate, latency: latency, seed: seed, ears: roomEars()))
        }
        let fields = FieldRooms(sampleRate: sampleRate) { [sampleRate, seed] meanFreeTime in
            ControlledBox(
                LateFieldRenderer(
                    sampleRate: sampleRate, meanFreeTime: meanFreeTime, latency: latency, seed: seed,
                    ears: roomEars()))
        }
        let responses = ResponseRooms { [sampleRate] room, gain in
            ControlledBox(
                ConvolutionRenderer(room.response(sampleRate: sampleRate), gain: gain, sampleRate: sampleRate))
        }
        return OutputBus(
            presets: presets, fields: fields, responses: responses,
            makeField: { [channelCount] in
                FieldMixRenderer(decoding(), order: busOrder, outputCount: channelCount)
            }, ears: makeEars(), sampleRate: sampleRate, channelCount: channelCount)
    }

    /// The same mix as another output's, in whose rooms there is sound.
    func makeBus(after old: OutputBus, at position: Int64) -> OutputBus {
        let bus = makeBus()
        bus.takeOverRooms(of: old, at: position)
        return bus
    }

    /// The engine's own mix is that of another output. While nothing renders.
    func takeOverMain(of old: OutputStage, at position: Int64) { main = makeBus(after: old.main, at: position) }

    /// Of the ambisonic bus of ears and loudspeakers; of a sound field's output it is the field's, where that is
    /// higher.
    private static var fieldOrder: Int { SphericalHarmonics.greatestOrder }

    /// What the ambisonic bus is decoded with for another HRTF.
    func fieldFilters(_ hrtf: HRTFFilters) -> AmbisonicHRTFFilters { decoders.filters(Self.fieldOrder, hrtf) }

    /// Sums for binaural voices, and what plays them; nil where loudspeakers play.
    func makeEars() -> RendererBox<BinauralMixRenderer>? {
        guard case .binaural(let cell) = spatializer else { return nil }
        return RendererBox(BinauralMixRenderer(BinauralMix(tapCount: cell.table.tapCount)))
    }

    /// A mixer channel's diffraction and reflection paths in silence.
    /// - Parameter playing: whether the channel sounds already.
    package func makePaths(playing: Bool) -> PathsRenderer {
        PathsRenderer(sampleRate: sampleRate, spatializer: spatializer, outputCount: channelCount, fadesIn: playing)
    }

    /// Octave gains as a filter.
    package func equalizer(_ bands: OctaveBands) -> BandEqualizerDesign { BandEqualizerDesign.solve(bands, grid: grid) }

    /// What a medium takes along every path, made when it changes.
    func airFilters(_ medium: Medium) -> AirFilters {
        if let air, air.medium == medium { return air.filters }
        let filters = AirFilters(sampleRate: sampleRate, attenuation: medium.absorption.attenuation(frequency:))
        air = (medium, filters)
        return filters
    }

    /// How a player plays an asset of that rate.
    package func playback(
        _ assetRate: Double, rate: Double, gain: Double, rampFrames: Int
    ) -> PlayerRenderer.Parameters {
        let ratio = assetRate * rate / sampleRate
        return PlayerRenderer.Parameters(
            gain: Float(gain), step: SincInterpolator.step(ratio: ratio), table: SincTable.shared(ratio: ratio),
            rampFrames: rampFrames)
    }

    /// The room that early reflections come from.
    package func setEarlyRoom(_ preset: ReverbPreset?) {
        guard preset != earlyPreset else { return }
        earlyPreset = preset
        earlyRoom = EarlyRoom(preset, version: (earlyRoom?.version ?? 0) &+ 1, equalizer)
    }
}
