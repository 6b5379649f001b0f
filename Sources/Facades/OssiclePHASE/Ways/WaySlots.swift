import OssicleAcoustics

/// Which slot of a renderer plays which way of sound.
///
/// A way keeps its slot for as long as it is among the loudest, so that it glides; whoever gets a slot next is cross-faded to.
struct WaySlots {
    /// What a slot plays.
    struct Slot {
        /// nil for an empty slot.
        var identity: UInt64?
        /// Changes with the identity.
        var generation: UInt32 = 0
        var equalizer = SolvedEqualizer()

        fileprivate mutating func take(_ new: UInt64?) {
            guard new != identity else { return }
            identity = new
            generation &+= 1
        }
    }

    private(set) var slots: [Slot]

    init(count: Int) { slots = Array(repeating: Slot(), count: count) }

    /// How much louder, as energy, a way has to be than one that has a slot to take it away.
    private static let bonus = 2.0

    subscript(slot: Int) -> Slot {
        get { slots[slot] }
        set { slots[slot] = newValue }
    }

    /// Gives slots to the loudest.
    /// - Returns: the way of each slot; nil for those that fall silent.
    mutating func assign(_ ways: [SoundPath]) -> [SoundPath?] {
        let held = Set(slots.compactMap(\.identity))
        func rank(_ way: SoundPath) -> Double { way.loudness * (held.contains(way.identity) ? Self.bonus : 1) }
        var seen: Set<UInt64> = []
        let chosen = ways.filter { seen.insert($0.identity).inserted }.map { (way: $0, rank: rank($0)) }
            .sorted { ($1.rank, $0.way.identity) < ($0.rank, $1.way.identity) }.prefix(slots.count).map(\.way)
        var byIdentity = Dictionary(uniqueKeysWithValues: chosen.map { ($0.identity, $0) })
        var assigned = slots.map { slot in slot.identity.flatMap { byIdentity.removeValue(forKey: $0) } }
        var waiting = chosen.filter { byIdentity[$0.identity] != nil }[...]
        for slot in slots.indices where assigned[slot] == nil { assigned[slot] = waiting.popFirst() }
        for slot in slots.indices { slots[slot].take(assigned[slot]?.identity) }
        return assigned
    }
}
