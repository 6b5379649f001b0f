import OssicleCore
import OssicleDSP
import OssicleRender

/// The reverb that an environment's sources share.
package struct EnvironmentReverb {
    package var isEnabled: Bool
    package var preset: ReverbPreset
    /// dB.
    package var level: Float
    package var filter: EqualizerBand

    package init(isEnabled: Bool, preset: ReverbPreset, level: Float, filter: EqualizerBand) {
        self.isEnabled = isEnabled
        self.preset = preset
        self.level = level
        self.filter = filter
    }
}

/// The tables behind an environment's renderers: a measured head, a spherical head, and the loudspeakers.
final class EnvironmentTables {
    let head: HRTFFilters
    let sphere: SphereFilters
    let panner: RendererBox<VBAPPanner>
    /// Made when they are first needed, and kept.
    private var decodings: [Bool: FieldDecoding] = [:]

    init(_ output: EnvironmentOutput) throws {
        head = try HRTFFilters.shared(sampleRate: output.sampleRate)
        sphere = SphereFilters.shared(sampleRate: output.sampleRate)
        panner = RendererBox(VBAPPanner(output.speakers))
    }

    /// What a sound field is decoded with.
    func decoding(isBinaural: Bool) -> FieldDecoding {
        if let made = decodings[isBinaural] { return made }
        let order = SphericalHarmonics.greatestOrder
        let made: FieldDecoding =
            isBinaural
            ? .binaural(AmbisonicHRTFFilters(head: head, order: order))
            : .panned(FieldSpeakers.gains(order: order, panner: panner.pointer.pointee))
        decodings[isBinaural] = made
        return made
    }
}

/// An environment's reverb and its rooms: each made when it is first needed, and kept.
final class EnvironmentRooms {
    let box: ControlledBox<EnvironmentReverbRenderer>
    private static let presetCount = ReverbPreset.factory.count
    private let output: EnvironmentOutput
    private let tables: EnvironmentTables
    private var rooms: [Int: RendererBox<EnvironmentRoom>] = [:]
    private var lastSent = EnvironmentReverbRenderer.Parameters()

    init(_ output: EnvironmentOutput, _ tables: EnvironmentTables) {
        self.output = output
        self.tables = tables
        // Every preset for loudspeakers, and again for ears.
        box = ControlledBox(
            EnvironmentReverbRenderer(
                sampleRate: output.sampleRate, outputCount: output.channelCount, roomCount: 2 * Self.presetCount))
    }

    func update(_ reverb: EnvironmentReverb, isForHeadphones: Bool) {
        let isBinaural = isForHeadphones && output.channelCount == 2
        let parameters = EnvironmentReverbRenderer.Parameters(
            room: reverb.isEnabled ? room(reverb.preset, isBinaural: isBinaural) : nil,
            level: Float(Decibels.amplitude(Double(reverb.level))), filter: reverb.filter)
        guard parameters != lastSent else { return }
        lastSent = parameters
        box.control.write(parameters)
    }

    private func room(_ preset: ReverbPreset, isBinaural: Bool) -> EnvironmentReverbRenderer.Place {
        let index = preset.factoryNumber + (isBinaural ? Self.presetCount : 0)
        let room = rooms[index] ?? makeRoom(preset, isBinaural: isBinaural)
        rooms[index] = room
        return EnvironmentReverbRenderer.Place(index, room.pointer)
    }

    private func makeRoom(_ preset: ReverbPreset, isBinaural: Bool) -> RendererBox<EnvironmentRoom> {
        RendererBox(
            EnvironmentRoom(
                preset, sampleRate: output.sampleRate, seed: 0, field: tables.decoding(isBinaural: isBinaural),
                outputCount: output.channelCount))
    }
}
