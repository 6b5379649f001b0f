import OssicleDSP
import OssicleHRTF
import OssicleRender

/// Filters that renderers read through a cell: the present ones, and earlier ones that they may still be reading.
package struct SentFilters {
    /// Frames that earlier filters are kept: far longer than any cross-fade takes. After that they go from the plan,
    /// and their memory is freed when the audio thread has handed back the last plan that kept it.
    private static let lingering: Int64 = 8192

    /// `until`: engine time; nil for the present ones.
    private var filters: [(owner: AnyObject, until: Int64?)] = []

    package init() {}

    /// - Parameter owner: of the filters' memory.
    package mutating func add(_ owner: AnyObject, at position: Int64) {
        for index in filters.indices where filters[index].until == nil {
            filters[index].until = position + Self.lingering
        }
        filters.append((owner, nil))
    }

    /// - Returns: whether there was anything to release.
    package mutating func release(at position: Int64) -> Bool {
        if filters.isEmpty { return false }
        let before = filters.count
        filters.removeAll { $0.until.map { $0 <= position } ?? false }
        return filters.count != before
    }

    /// To be kept alive by the plan.
    package var alive: [AnyObject] { filters.map(\.owner) }
}

/// The HRTF of a binaural output, in the cell that renderers read in every block.
package final class HRTFCache {
    package let cell: HRTFCell
    private(set) var present: HRTFFilters
    private var sent = SentFilters()

    init(_ hrtf: HRTFFilters) {
        cell = HRTFCell(hrtf)
        present = hrtf
        sent.add(hrtf, at: 0)
    }

    deinit { cell.deallocate() }

    var alive: [AnyObject] { sent.alive }

    /// - Returns: whether this is another HRTF than before.
    package func set(_ hrtf: HRTFFilters, at position: Int64) -> Bool {
        guard hrtf !== present, cell.setHRTF(hrtf) else { return false }
        present = hrtf
        sent.add(hrtf, at: position)
        return true
    }

    /// - Returns: whether there was anything to release.
    package func release(at position: Int64) -> Bool { sent.release(at: position) }
}

/// The HRTF an engine renders with: the built-in one, or a set from a file, prepared for one sample rate at a time.
package struct EngineHRTF {
    package let name: String
    private let set: HRTFSet?
    private var prepared: HRTFFilters?

    /// The built-in one.
    package init() {
        name = "KEMAR (built in)"
        set = nil
    }

    package init(_ set: HRTFSet, name: String, prepared: HRTFFilters) {
        self.name = name
        self.set = set
        self.prepared = prepared
    }

    /// The filters for an output's rate, made if they are not there.
    package mutating func filters(sampleRate: Double) throws -> HRTFFilters {
        if let prepared, prepared.sampleRate == sampleRate { return prepared }
        let made = try set.map { try $0.filters(sampleRate: sampleRate) } ?? HRTFFilters.shared(sampleRate: sampleRate)
        prepared = made
        return made
    }
}

/// What gives sound its direction at an output: the owners of the memory that a `Spatializer` points to.
enum DirectionTables {
    case head(HRTFCache)
    case panner(RendererBox<VBAPPanner>)

    var spatializer: Spatializer {
        switch self {
        case .head(let cache): .binaural(cache.cell)
        case .panner(let box): .panned(box.pointer)
        }
    }

    /// To be kept alive while renderers have the spatializer.
    var owners: [AnyObject] {
        switch self {
        case .head(let cache): [cache] + cache.alive
        case .panner(let box): [box]
        }
    }
}

/// What an output decodes sound fields with: made for an order when it is first needed, and kept.
final class AmbisonicDecoders {
    private var binaural: [Int: AmbisonicHRTFFilters] = [:]
    private var panned: [Int: [Float]] = [:]

    /// For the output's own HRTF or loudspeakers.
    func decoder(order: Int, for tables: DirectionTables) -> FieldDecoding {
        switch tables {
        case .head(let cache): .binaural(filters(order, cache.present))
        case .panner(let box): .panned(gains(order, box.pointer.pointee))
        }
    }

    func filters(_ order: Int, _ head: HRTFFilters) -> AmbisonicHRTFFilters {
        if let made = binaural[order], made.head === head { return made }
        let filters = AmbisonicHRTFFilters(head: head, order: order)
        binaural[order] = filters
        return filters
    }

    private func gains(_ order: Int, _ panner: borrowing VBAPPanner) -> [Float] {
        if let made = panned[order] { return made }
        let gains = FieldSpeakers.gains(order: order, panner: panner)
        panned[order] = gains
        return gains
    }
}

extension SentFilters {
    /// Other filters of a sound field: kept, and sent.
    mutating func send(_ filters: AmbisonicHRTFFilters, to cell: FieldFilterCell?, at position: Int64) {
        guard let cell else { return }
        add(filters, at: position)
        cell.write(filters.table)
    }
}
