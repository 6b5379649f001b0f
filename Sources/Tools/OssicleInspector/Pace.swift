/// Ticks of a steady pace: which are due, which are made up for, which are lost, and why.
///
/// Ticks fall at absolute times. One that could not be carried out in time is owed and made up for, so that the rate
/// holds in the mean; more than `most` are not owed, for the page would have them in a burst.
struct Pace {
    /// What became of the ticks since a page is open.
    struct Counts: Encodable, Equatable {
        /// Ticks whose time has come.
        var due = 0
        /// Those that pages were sent something for.
        var sent = 0
        /// Of `sent`: those that were made up for, an interval late or more.
        var late = 0
        /// Of `sent`: those with the engine as it was with the one before, for its lock was taken for longer than an
        /// interval.
        var held = 0
        /// Lost because every page was behind.
        var lostByPages = 0
        /// Lost because the watch itself was.
        var lostByWatch = 0
    }

    /// What came of an attempt at a tick.
    enum Outcome {
        case sent
        /// As `Counts.held`.
        case held
        /// No page took more.
        case pagesAreBehind
    }

    private(set) var counts = Counts()
    /// Ticks that are to be carried out.
    private(set) var owed = 0
    private var werePagesBehind = false

    /// Ticks that are owed at most.
    static let most = 4

    /// The time of some ticks has come: of one, or of more where a timer was late.
    mutating func pass(_ ticks: Int) {
        counts.due += ticks
        owed += ticks
        let lost = max(owed - Self.most, 0)
        owed -= lost
        if werePagesBehind { counts.lostByPages += lost } else { counts.lostByWatch += lost }
    }

    /// One of the ticks that are owed was tried.
    mutating func note(_ outcome: Outcome) {
        werePagesBehind = outcome == .pagesAreBehind
        guard !werePagesBehind, owed > 0 else { return }
        owed -= 1
        counts.sent += 1
        if owed > 0 { counts.late += 1 }
        if outcome == .held { counts.held += 1 }
    }
}
