import Foundation
import OssicleAVFAudio
import OssicleDSP
import OssicleFiles
import OssicleHeads
import OssicleRender

/// The head an engine hears with: the built-in one, or a set from a file, made ready for one sample rate at a time.
struct EngineHead {
    static let builtInName = "KEMAR (built in)"

    var name = Self.builtInName
    var set: HeadSet?
    private var ready: HeadFilters?

    init() {}

    init(_ set: HeadSet, name: String, ready: HeadFilters) { (self.set, self.name, self.ready) = (set, name, ready) }

    /// The filters for an output's rate, made if they are not there.
    mutating func filters(sampleRate: Double) throws -> HeadFilters {
        if let ready, ready.sampleRate == sampleRate { return ready }
        let made = try set.map { try $0.filters(sampleRate: sampleRate) } ?? HeadFilters.shared(sampleRate: sampleRate)
        ready = made
        return made
    }
}

extension EngineCore {
    func loadHead(_ url: URL) throws {
        let name = url.lastPathComponent
        do {
            guard let path = url.localPath else {
                throw HeadSetError("Head set “\(name)”: its address is \(url.absoluteString), must be that of a file; pass URL(fileURLWithPath:).")
            }
            let rate = locked { output?.sampleRate ?? manual?.format.sampleRate ?? Self.defaultFormat.sampleRate }
            // A matter of a second: the engine plays on meanwhile.
            let set = try HeadSet(contentsOfFile: path)
            let head = EngineHead(set, name: name, ready: try set.filters(sampleRate: rate))
            try wear(head)
        } catch {
            throw PHASEAssetError(.failedToLoad, "\(error)")
        }
    }

    /// Cannot fail while it plays: the built-in head is made for every rate an engine can have.
    func resetHead() {
        do { try wear(EngineHead()) } catch { record(PHASEAssetError(.failedToLoad, "\(error)")) }
    }

    private func wear(_ new: EngineHead) throws {
        try locked {
            var new = new
            if let output { _ = try new.filters(sampleRate: output.sampleRate) }
            head = new
            valuesChanged()
        }
    }

    /// What the output is to hear with from the next update on. No effect on a panned one. Under the lock.
    /// - Returns: whether the plan has to change.
    func putOnHead(_ output: OutputStage, at position: Int64) -> Bool {
        guard let heads = output.heads else { return false }
        do {
            let filters = try head.filters(sampleRate: output.sampleRate)
            let mayForget = heads.forget(at: position)
            let strips = events.flatMap(\.strips.values)
            let stripsForget = strips.reduce(false) { $1.ears.forget(at: position) || $0 }
            guard heads.wear(filters, at: position) else { return mayForget || stripsForget }
            outlets.hear(with: filters, on: output, at: position)
            for strip in strips { strip.hear(with: filters.table, output, at: position) }
            return true
        } catch {
            record(PHASEAssetError(.failedToLoad, "The built-in head is put on again: \(error)"))
            head = EngineHead()
            return false
        }
    }
}

extension MixerStrip {
    /// A sound field changes over to another head; what has a direction does so by itself.
    fileprivate func hear(with head: HeadTable, _ output: OutputStage, at position: Int64) {
        guard case .ambisonic(let box) = renderer, case .ambient(let bed, _) = blueprint.kind, let field = ChannelLayouts.soundField(bed.labels) else { return }
        let filters = output.fieldDecoders.filters(field.order, head, output.sampleRate)
        let new = RendererBox(FieldEars(filters.table))
        ears.give(KeptEars(box: new, filters: filters), at: position)
        box.control.ears?.write(new.pointer)
    }

    private final class KeptEars {
        let box: RendererBox<FieldEars>
        let filters: FieldEarFilters

        init(box: RendererBox<FieldEars>, filters: FieldEarFilters) { (self.box, self.filters) = (box, filters) }
    }
}
