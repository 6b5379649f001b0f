import OssicleCore
import OssicleDSP
import OssicleRender

/// The tables behind an environment's renderers: two heads and the loudspeakers.
final class EnvironmentHeads {
    let head: HeadFilters
    let sphere: SphereFilters
    let panner: RendererBox<VBAPPanner>

    init(_ output: EnvironmentOutput) throws {
        head = try HeadFilters.shared(sampleRate: output.sampleRate)
        sphere = SphereFilters.shared(sampleRate: output.sampleRate)
        panner = RendererBox(VBAPPanner(output.speakers))
    }
}

/// An environment's reverb and its rooms: each made when it is first asked for, and kept.
final class EnvironmentHall {
    let box: ControlledBox<EnvironmentReverbRenderer>
    private static let presetCount = AVAudioUnitReverbPreset.allCases.count
    private let output: EnvironmentOutput
    private let heads: EnvironmentHeads
    private var rooms: [Int: RendererBox<EnvironmentRoom>] = [:]
    private var written = EnvironmentReverbRenderer.Parameters()

    init(_ output: EnvironmentOutput, _ heads: EnvironmentHeads) {
        (self.output, self.heads) = (output, heads)
        // Every preset for loudspeakers, and again for ears.
        box = ControlledBox(EnvironmentReverbRenderer(sampleRate: output.sampleRate, outputCount: output.channelCount, roomCount: 2 * Self.presetCount))
    }

    func update(_ reverb: AVAudioEnvironmentReverbParameters, isForHeadphones: Bool) {
        let parameters = EnvironmentReverbRenderer.Parameters(
            room: reverb.enable ? place(of: reverb.preset, isForEars: isForHeadphones && output.channelCount == 2) : nil,
            level: Float(Decibels.amplitude(Double(reverb.level))), filter: reverb.filter)
        guard parameters != written else { return }
        written = parameters
        box.control.write(parameters)
    }

    private func place(of preset: AVAudioUnitReverbPreset, isForEars: Bool) -> EnvironmentReverbRenderer.Place {
        let place = preset.rawValue + (isForEars ? Self.presetCount : 0)
        let room = rooms[place] ?? makeRoom(preset, isForEars: isForEars)
        rooms[place] = room
        return EnvironmentReverbRenderer.Place(place, room.pointer)
    }

    private func makeRoom(_ preset: AVAudioUnitReverbPreset, isForEars: Bool) -> RendererBox<EnvironmentRoom> {
        let field: EnvironmentRoom.Field = isForEars ? .ears(heads.head.table) : .speakers(heads.panner.pointer)
        return RendererBox(EnvironmentRoom(preset.room, sampleRate: output.sampleRate, seed: 0, field: field, outputCount: output.channelCount))
    }
}
