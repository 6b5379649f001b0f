/// What a group, the active preset and the duckers do to the voices of the group, factor by factor.
struct GroupLevel {
    /// nil for a voice whose group is none, or is not registered.
    var identifier: String?
    /// The group's own gain, and the fade on top of it.
    var base = 1.0
    var fade = 1.0
    var isMuted = false
    /// The soloed groups, where this one is not among them: in order of their identifiers.
    var silencedBy: [String] = []
    var preset = 1.0
    /// In the order in which the duckers were made.
    var duckers: [(identifier: String, gain: Double)] = []
    /// The group's rate with its fade, times the preset's, 0.25…4.
    var rate = 1.0

    var isSilenced: Bool { isMuted || !silencedBy.isEmpty }
    var gain: Double { isSilenced ? 0 : duckers.reduce(base * fade * preset) { $0 * $1.gain } }
}
