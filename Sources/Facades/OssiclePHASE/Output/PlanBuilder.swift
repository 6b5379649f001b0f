import Foundation
import OssicleAVFAudio
import OssicleDSP
import OssicleFiles
import OssicleHRTF
import OssiclePlayback
import OssicleRender
import OssicleSoundEvents
import OssicleSpatial

/// Makes the plans of an engine: the HRTF it renders with, its mixes, and the graph of what plays. Under the engine's
/// lock.
final class PlanBuilder: PlanInstaller {
    let outlets: Outlets
    var hrtf = EngineHRTF()
    /// Adopted when the engine starts.
    var spatializationMode = PHASESpatializationMode.automatic
    /// A voice, a mixer channel, a mix or a tap has come or gone since the last plan.
    var isStale = true

    /// For what goes wrong without a way to throw.
    weak var core: EngineCore?

    init(_ session: RenderSession) { outlets = Outlets(session) }

    func applyHRTF(to output: OutputStage, _ events: [EventInstance], at position: Int64) {
        guard let cache = output.hrtf, let filters = filters(sampleRate: output.sampleRate) else { return }
        let channels = events.flatMap(\.channels.values)
        if channels.reduce(cache.release(at: position), { $1.ears.release(at: position) || $0 }) { isStale = true }
        guard cache.set(filters, at: position) else { return }
        outlets.apply(filters.table, on: output, at: position)
        for channel in channels { channel.apply(filters.table, output, at: position) }
        isStale = true
    }

    /// Falls back to the built-in HRTF where the client's cannot be made for the rate.
    private func filters(sampleRate: Double) -> HRTFFilters? {
        do { return try hrtf.filters(sampleRate: sampleRate) } catch {
            core?.record(PHASEAssetError(.failedToLoad, "The built-in head is put on again: \(error)"))
            hrtf = EngineHRTF()
            return nil
        }
    }

    func prepare(
        _ output: OutputStage, _ events: [EventInstance], room preset: ReverbPreset?, fields: [RoomField],
        usesGeometry: Bool, at position: Int64
    ) {
        if usesGeometry {
            for channel in events.flatMap(\.channels.values) where channel.addPaths(output) { isStale = true }
        }
        if outlets.update(output, preset, fields, at: position) { isStale = true }
    }

    func install(_ events: [EventInstance], on output: OutputStage, _ executor: Executor, isDue: Bool) {
        guard isStale || isDue else { return }
        isStale = false
        do {
            let made = try PlanGraph.compile(events, outlets, on: output, at: executor.position)
            executor.install(made.plan, at: executor.position)
            outlets.installed(made.mixes, made.taps, made.fading)
            for channel in events.flatMap(\.channels.values) { channel.isPlanned = true }
        } catch {
            core?.record(PHASEError(.initializeFailed, "The render graph could not be compiled: \(error)"))
        }
    }
}

extension MixerChannel {
    /// A sound field cross-fades to another HRTF; what has a direction does so by itself.
    fileprivate func apply(_ hrtf: HRTFTable, _ output: OutputStage, at position: Int64) {
        guard case .ambisonic(let box) = renderer, case .ambient(let bed, _) = blueprint.kind,
            let field = SoundFieldFormat(labels: bed.labels)
        else { return }
        let filters = output.decoders.filters(field.order, hrtf, sampleRate: output.sampleRate)
        let new = RendererBox(AmbisonicBinaural(filters.table))
        ears.add(KeptFilters(box: new, filters: filters), at: position)
        box.control.ears?.write(new.pointer)
    }

    private final class KeptFilters {
        let box: RendererBox<AmbisonicBinaural>
        let filters: AmbisonicHRTFFilters

        init(box: RendererBox<AmbisonicBinaural>, filters: AmbisonicHRTFFilters) {
            self.box = box
            self.filters = filters
        }
    }
}

extension EngineCore {
    func loadHRTF(_ url: URL) throws {
        let name = url.lastPathComponent
        do {
            guard let path = url.localPath else {
                throw HRTFSetError(
                    "Head set “\(name)”: its address is \(url.absoluteString), must be that of a file; pass URL(fileURLWithPath:)."
                )
            }
            let rate = locked { output?.sampleRate ?? manual?.format.sampleRate ?? Self.defaultFormat.sampleRate }
            // A matter of a second: the engine plays on meanwhile.
            let set = try HRTFSet(contentsOfFile: path)
            try adopt(EngineHRTF(set, name: name, prepared: try set.filters(sampleRate: rate)))
        } catch {
            throw PHASEAssetError(.failedToLoad, "\(error)")
        }
    }

    /// Cannot fail while it plays: the built-in HRTF can be made for every rate an engine can have.
    func resetHRTF() {
        do { try adopt(EngineHRTF()) } catch { record(PHASEAssetError(.failedToLoad, "\(error)")) }
    }

    private func adopt(_ new: EngineHRTF) throws {
        try locked {
            var new = new
            if let output { _ = try new.filters(sampleRate: output.sampleRate) }
            plan.hrtf = new
            spatial.valuesChanged()
        }
    }
}
