import OssicleCore

/// How far a place belongs to each zone of a scene, and to what surrounds them. The shares add up to 1.
package struct ZoneShares: Sendable, Hashable {
    /// In the order of the zones.
    package let zones: [Double]
    package let surroundings: Double

    /// A zone of higher priority takes its membership of the whole; those below it theirs of what is left, at most. Zones of one priority that want
    /// more than is left share it by membership. What nobody wants falls to the surroundings.
    package init(at point: Vector, among zones: [ReverbZone]) {
        let memberships = zones.map { $0.field == nil ? 0 : $0.membership(of: point) }
        var shares = [Double](repeating: 0, count: zones.count)
        var left = 1.0
        for priority in Set(zones.map(\.priority)).sorted(by: >) {
            let members = zones.indices.filter { zones[$0].priority == priority }
            let wanted = members.reduce(0) { $0 + memberships[$1] }
            guard wanted > 0 else { continue }
            let granted = min(1, left / wanted)
            for member in members { shares[member] = memberships[member] * granted }
            left = max(left - wanted * granted, 0)
        }
        self.zones = shares
        surroundings = left
    }

    /// How much of the same space two places are in: 1 for places that share all alike, 0 for places that have nothing in common.
    package func overlap(_ other: ZoneShares) -> Double {
        zip(zones, other.zones).reduce(min(surroundings, other.surroundings)) { $0 + min($1.0, $1.1) }
    }
}
