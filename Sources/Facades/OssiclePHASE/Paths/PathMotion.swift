/// Whether a strip's path goes on from one update to the next, or is another.
struct PathMotion {
    /// The path's own count at the last update; nil while there is none.
    private var last: UInt32?
    /// How often the strip has got another path.
    private(set) var leaps: UInt32 = 0

    mutating func follow(_ path: HeardPath) {
        if path.leaps != last { leaps &+= 1 }
        last = path.leaps
    }

    /// The source or the listener is out of the scene: wherever they meet again is a new place.
    mutating func leave() { last = nil }
}
