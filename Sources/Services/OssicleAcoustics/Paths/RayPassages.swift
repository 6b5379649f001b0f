import OssicleCore

/// What is left of one ray behind every occluder on it.
///
/// It is kept for the next ray: those from one ear to one source mostly cross the same surfaces in the same order.
struct RayPassages {
    private(set) var each: [(occluder: Int32, energy: OctaveBands)] = []
    /// What is left behind all of them.
    private(set) var energy = OctaveBands.ones
    /// Of `energy` over the bands.
    private(set) var sum = Double(OctaveBands.count)
    /// Whether the ray ends inside one of them.
    private(set) var endsInside = false
    /// What the last ray crossed, in order along it.
    private var surfaces: [Crossing] = []

    private let rule: TransmissionRule
    private let solids: UnsafePointer<PlacedMeshes.Solid>

    init(_ rule: TransmissionRule, in scene: AcousticScene) { (self.rule, solids) = (rule, scene.placed.solids) }

    /// Whether nothing is in the way; `energy` is 1 then.
    @inline(__always) var isOpen: Bool { surfaces.isEmpty }

    /// Replaces them by those of another ray.
    /// - Parameters: crossings: all on the ray, in order along it; they are used up. - length: of the ray, in metres.
    @inline(__always)
    mutating func follow(_ crossings: UnsafeMutableBufferPointer<Crossing>, length: Double) {
        if !rule.correctsThickness, isCrossed(alike: crossings) { return }
        find(crossings, length: length)
    }

    /// Whether the last ray crossed the same surfaces in the same order.
    @inline(__always)
    private func isCrossed(alike crossings: UnsafeMutableBufferPointer<Crossing>) -> Bool {
        guard crossings.count == surfaces.count else { return false }
        return surfaces.withUnsafeBufferPointer { surfaces in
            for index in surfaces.indices where !surfaces[index].passes(as: crossings[index]) { return false }
            return true
        }
    }

    @inline(never)
    private mutating func find(_ crossings: UnsafeMutableBufferPointer<Crossing>, length: Double) {
        each.removeAll(keepingCapacity: true)
        surfaces.removeAll(keepingCapacity: true)
        surfaces.append(contentsOf: crossings)
        (energy, endsInside) = (.ones, false)
        if let first = crossings.first, crossings.contains(where: { $0.occluder != first.occluder }) {
            crossings.sortByOccluder()
        }
        var start = 0
        while start < crossings.count {
            let occluder = crossings[start].occluder
            let end = crossings[start...].firstIndex { $0.occluder != occluder } ?? crossings.count
            let passage = rule.passage(
                UnsafeMutableBufferPointer(rebasing: crossings[start..<end]), solid: solids[Int(occluder)],
                length: length)
            each.append((occluder, passage.energy))
            energy.lanes *= passage.energy.lanes
            energy = energy.larger(TransmissionRule.leastEnergy)
            endsInside = endsInside || passage.endsInside
            start = end
        }
        sum = 0
        for band in 0..<OctaveBands.count { sum += Double(energy[band]) }
    }
}

extension Crossing {
    /// Whether `TransmissionRule` takes it for the same where a wall's thickness does not count.
    @inline(__always)
    fileprivate func passes(as other: Crossing) -> Bool {
        element == other.element && piece == other.piece && turn == other.turn && occluder == other.occluder
            && isClosed == other.isClosed
    }
}
