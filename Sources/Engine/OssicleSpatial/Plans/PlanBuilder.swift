import OssicleDSP
import OssiclePlayback
import OssicleRender
import OssicleSoundEvents

/// Makes the plans of an engine: the HRTF it renders with, its mixes, and the graph of what plays. Under the engine's
/// lock.
package final class PlanBuilder {
    package let outlets: Outlets
    package var hrtf = EngineHRTF()
    /// A voice, a mixer channel, a mix or a tap has come or gone since the last plan.
    private var isStale = true
    /// Channels may have filters of their own.
    private var hasSentFilters = false
    weak var host: (any SpatialHost)?

    init(_ session: RenderSession, presumedFormat: any TapFormat) {
        outlets = Outlets(session, presumedFormat: presumedFormat)
    }

    /// Cross-fades the output to the engine's HRTF. No effect on a panned one.
    func applyHRTF(to output: OutputStage, _ events: [EventInstance], at position: Int64) {
        guard let cache = output.hrtf, let filters = filters(sampleRate: output.sampleRate) else { return }
        if cache.release(at: position) { isStale = true }
        if hasSentFilters {
            for event in events {
                for entry in event.channels.all where entry.channel.ears.release(at: position) { isStale = true }
            }
        }
        guard cache.set(filters, at: position) else { return }
        outlets.apply(filters, on: output, at: position)
        for event in events {
            for entry in event.channels.all { entry.channel.apply(filters, output, at: position) }
        }
        (isStale, hasSentFilters) = (true, true)
    }

    /// Falls back to the built-in HRTF where the client's cannot be made for the rate.
    private func filters(sampleRate: Double) -> HRTFFilters? {
        do { return try hrtf.filters(sampleRate: sampleRate) } catch {
            host?.record(
                SpatialError(
                    .asset, object: "HRTF “\(hrtf.name)”", found: "it cannot be made for \(sampleRate) Hz (\(error))",
                    rule: "An HRTF is brought to the engine's rate; the built-in one is used again.",
                    cure: "Load another set with loadHRTF(contentsOf:)."))
            hrtf = EngineHRTF()
            return nil
        }
    }

    /// Brings what plays to another output. While nothing renders.
    func move(from old: OutputStage, to new: OutputStage, _ player: EventPlayer) {
        let position = player.executor.position
        applyHRTF(to: new, [], at: position)
        outlets.move(from: old, to: new, at: position)
        for event in player.events {
            for entry in event.channels.all {
                event.channels[entry.mixer] = new.makeChannel(after: entry.channel)
                // The plan in place may read it until the next one is.
                player.executor.release(entry.channel)
            }
        }
        isStale = true
    }

    /// Readies mixer channels and mixes for the next plan.
    /// - Parameters:
    ///   - preset: the room of all. - rooms: those of single listeners, and measured ones.
    ///   - usesGeometry: whether channels have diffraction and reflection paths.
    func prepare(
        _ output: OutputStage, _ events: [EventInstance], room preset: ReverbPreset?, _ rooms: RoomFields,
        usesGeometry: Bool, at position: Int64
    ) {
        if usesGeometry {
            for event in events {
                for entry in event.channels.all where entry.channel.addPaths(output) { isStale = true }
            }
        }
        if outlets.update(output, preset, rooms, at: position) { isStale = true }
    }

    /// Sends a plan if one is due, or if anything has changed.
    func install(_ events: [EventInstance], on output: OutputStage, _ executor: Executor, isDue: Bool) {
        guard isStale || isDue else { return }
        isStale = false
        do {
            let made = try PlanGraph.compile(events, outlets, on: output, at: executor.position)
            executor.install(made.plan, at: executor.position)
            outlets.installed(made.mixes, made.taps, made.fading)
            for event in events { for entry in event.channels.all { entry.channel.isPlanned = true } }
        } catch {
            host?.record(
                SpatialError(
                    .engine, object: "The render graph", found: "it could not be compiled (\(error))",
                    rule: "A graph has no cycles and fits the renderer's limits; the one before it plays.",
                    cure: "Play fewer sounds at once, or report this."))
        }
    }

    /// Rendering has stopped: the next plan begins in silence.
    package func halt() {
        outlets.halt()
        isStale = true
    }
}

extension MixerChannel {
    /// A sound field cross-fades to another HRTF; what has a direction does so by itself.
    fileprivate func apply(_ hrtf: HRTFFilters, _ output: OutputStage, at position: Int64) {
        guard case .ambisonic(let box) = renderer, case .ambient(let bed, _) = blueprint.kind,
            let field = SoundFieldFormat(labels: bed.labels)
        else { return }
        let filters = output.decoders.filters(field.order, hrtf)
        ears.send(filters, to: box.control.ears, at: position)
    }
}
