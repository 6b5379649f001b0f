import OssicleAcoustics
import OssicleAVFAudio
import OssicleCore
import OssicleCoreAudioTypes
import OssicleDSP
import OssicleGraph
import OssicleRender
import OssicleSoundEvents

/// The end of every path: what the output format makes possible (binaural or panned), and the mixes that go out.
final class OutputStage {
    let format: AVAudioFormat
    let sampleRate: Double
    let channelCount: Int
    let labels: [UInt32]
    let speakers: SpeakerLayout
    let spatializer: Spatializer
    /// Of a binaural output.
    let heads: WornHeads?
    private let panner: AnyObject?
    let fieldDecoders = FieldDecoders()
    /// Sorts early reflections.
    let cube: CubePanner
    /// The present preset's box; nil without a room.
    private(set) var earlyRoom: EarlyRoom?
    private var earlyPreset = PHASEReverbPreset.none
    /// The engine's own mix.
    private(set) lazy var main = makeBus()
    private let seed: UInt64
    private let grid: OctaveGrid

    init(format: AVAudioFormat, mode: PHASESpatializationMode, seed: UInt64) throws {
        let (rate, channels) = (format.sampleRate, Int(format.channelCount))
        (self.format, self.seed) = (format, seed)
        sampleRate = rate
        channelCount = channels
        labels = ChannelLayouts.labels(of: format)
        speakers = ChannelLayouts.speakers(labels, tag: format.channelLayout?.layoutTag)
        if channels == 2 && mode != .alwaysUseChannelBased {
            let worn = WornHeads(try HeadFilters.shared(sampleRate: rate))
            (spatializer, heads, panner) = (.binaural(worn.cell), worn, nil)
        } else {
            let box = RendererBox(VBAPPanner(speakers))
            (spatializer, heads, panner) = (.panned(box.pointer), nil, box)
        }
        cube = CubePanner(spatializer)
        grid = OctaveGrid(sampleRate: rate)
    }

    /// Keeps the memory behind `spatializer`.
    var tables: [AnyObject] { [panner, heads].compactMap(\.self) + (heads?.alive ?? []) }

    /// A mix in silence. Every one is made alike: the same sound gives the same bytes.
    func makeBus() -> OutputBus {
        let presets = PresetRooms { [sampleRate, seed, spatializer, channelCount] room in
            ControlledBox(ReverbRenderer(room, sampleRate: sampleRate, seed: seed, spatializer: spatializer, outputCount: channelCount))
        }
        let fields = FieldRooms(sampleRate: sampleRate) { [sampleRate, seed, spatializer, channelCount] meanFreeTime in
            ControlledBox(LateFieldRenderer(sampleRate: sampleRate, meanFreeTime: meanFreeTime, seed: seed, spatializer: spatializer, outputCount: channelCount))
        }
        let early = EarlyField(EarlyFieldRenderer(spatializer: spatializer, outputCount: channelCount))
        return OutputBus(presets: presets, fields: fields, early: early, sampleRate: sampleRate, channelCount: channelCount)
    }

    /// A strip's ways in silence.
    /// - Parameter playing: whether the strip sounds already.
    func makeWays(playing: Bool) -> PathsRenderer {
        PathsRenderer(sampleRate: sampleRate, spatializer: spatializer, outputCount: channelCount, fadesIn: playing)
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

    /// The room that early reflections come from.
    func setRoom(_ preset: PHASEReverbPreset) {
        guard preset != earlyPreset else { return }
        earlyPreset = preset
        earlyRoom = EarlyRoom(preset, version: (earlyRoom?.version ?? 0) &+ 1, equalizer)
    }
}
