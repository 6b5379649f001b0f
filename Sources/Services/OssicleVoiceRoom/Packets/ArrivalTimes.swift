/// How late packets are against the fastest of the last ten seconds, and for how long they are to be held back.
///
/// A packet's transit is its arrival less its timestamp. The least of the last 500 is that of an empty network, from
/// which a clock that drifts moves it slowly; the target is the 97th percentile of what the others are longer, and one
/// packet.
struct ArrivalTimes {
    private static let count = 500
    /// Packets between two looks at all of them.
    private static let interval = 10
    private static let percentile = 0.97

    private let limits: ClosedRange<Double>
    private var transits: [Double] = []
    private var place = 0
    private var sinceLook = 0
    /// Seconds that are added to a timestamp for the moment at which a packet comes that nothing holds up.
    private(set) var base = 0.0
    /// Seconds behind that at which it is played.
    private(set) var target: Double

    /// - Parameter limits: of the target, s.
    init(limits: ClosedRange<Double>, initial: Double) {
        self.limits = limits
        target = min(max(initial, limits.lowerBound), limits.upperBound)
        transits.reserveCapacity(Self.count)
    }

    mutating func add(timestamp: Double, arrival: Double, duration: Double) {
        let transit = arrival - timestamp
        base = transits.isEmpty ? transit : min(base, transit)
        if transits.count < Self.count { transits.append(transit) } else { transits[place] = transit }
        place = (place + 1) % Self.count
        sinceLook += 1
        // Few packets say little: until there are fifty, the target only grows.
        guard sinceLook >= Self.interval else { return }
        sinceLook = 0
        base = transits.min() ?? base
        let longest = transits.sorted()[Int(Double(transits.count - 1) * Self.percentile)] - base
        let wanted = min(max(longest + duration, limits.lowerBound), limits.upperBound)
        target = transits.count < 50 ? max(target, wanted) : wanted
    }
}
