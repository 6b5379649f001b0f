import OssicleCore

/// Source, receiver and prism as seen along its axis, and the paths by its edges.
struct PrismPlan {
    /// Of up to eight corners.
    typealias Corners = SIMD8<Double>

    struct End {
        let place: Prism.Planar
        /// Metres to the middle of the prism, and before the side that it is farthest before.
        let distance: Double
        let clearance: Double
        /// Of each corner: its distance, metres, and the angle there, radians.
        var distances = Corners()
        var angles = Corners()
        /// The corners that are seen, a bit each.
        private var seen = 0
        /// From there along the side to the next corner and to the last one, of each corner.
        private var along: [GrazingUTD] = []

        init(_ point: Vector, _ prism: Prism) {
            let place = prism.planar(point)
            self.place = place
            distance = max((place * place).sum().squareRoot(), 1e-6)
            clearance = prism.corners.indices.reduce(-.infinity) { max($0, prism.height(place, over: $1)) }
            along.reserveCapacity(2 * prism.corners.count)
            for index in prism.corners.indices {
                let offset = place - prism.corners[index]
                distances[index] = max((offset * offset).sum().squareRoot(), 1e-6)
                let (angle, open) = (
                    prism.angle(place, at: index), prism.openness[index] * DeterministicMath.pi
                )
                angles[index] = min(angle, open)
                if angle <= open {
                    seen |= 1 << index
                    along.append(GrazingUTD(openness: prism.openness[index], angle: angle))
                    along.append(GrazingUTD(openness: prism.openness[index], angle: open - angle))
                } else {
                    along.append(prism.around[index].on)
                    along.append(prism.around[index].on)
                }
            }
        }

        func sees(_ corner: Int) -> Bool { seen & (1 << corner) != 0 }

        func along(_ corner: Int, isToNext: Bool) -> GrazingUTD { along[2 * corner + (isToNext ? 0 : 1)] }
    }

    let prism: Prism
    private(set) var start: Vector
    private(set) var end: Vector
    private(set) var source: End
    private(set) var receiver: End
    /// Metres from source to receiver, and across the axis.
    let straight: Double
    let across: Double
    /// Of the source, metres along the axis, and from there to the receiver.
    private(set) var foot: Double
    private(set) var rise: Double
    let isHidden: Bool
    /// From where to where the prism is across the path, in √(wavelength), and along it, metres.
    let span: (from: Double, to: Double)
    let stretch: (from: Double, to: Double)

    /// Radians that a boundary of shadow or reflection is kept from.
    private static let hair = 1e-7

    /// - Parameter straight: metres that detours are measured from where these are not from source to receiver.
    init(_ prism: Prism, from start: Vector, to end: Vector, straight: Double? = nil) {
        (self.prism, self.start, self.end) = (prism, start, end)
        let source = End(start, prism)
        var receiver = End(end, prism)
        self.straight = straight ?? (end - start).magnitude
        (foot, rise) = ((start - prism.origin).dot(prism.axis), (end - start).dot(prism.axis))
        let line = receiver.place - source.place
        let across = max((line * line).sum().squareRoot(), 1e-6)
        // Of the corners, aside from the path, m², and along it, of its length.
        func place(_ corner: Int) -> (aside: Double, along: Double) {
            let offset = prism.corners[corner] - source.place
            return (line.x * offset.y - line.y * offset.x, (line * offset).sum() / (across * across))
        }
        var isHidden = false
        var span = (from: Double.infinity, to: -Double.infinity)
        var stretch = span
        var a = place(0)
        for index in prism.corners.indices {
            let b = place((index + 1) % prism.corners.count)
            if (a.aside > 0) != (b.aside > 0) {
                let met = a.along + (b.along - a.along) * a.aside / (a.aside - b.aside)
                if met > 0 && met < 1 { isHidden = true }
            }
            let detour = max(source.distances[index] + receiver.distances[index] - across, 0)
            let offset = (a.aside < 0 ? -2 : 2) * detour.squareRoot()
            span = (min(span.from, offset), max(span.to, offset))
            stretch = (min(stretch.from, a.along * across), max(stretch.to, a.along * across))
            a = b
        }
        for index in prism.corners.indices where source.sees(index) && receiver.sees(index) {
            receiver.angles[index] = Self.offBoundary(
                from: source.angles[index], to: receiver.angles[index],
                open: prism.openness[index] * DeterministicMath.pi, isHidden: isHidden)
        }
        (self.source, self.receiver, self.across, self.isHidden) = (source, receiver, across, isHidden)
        (self.span, self.stretch) = (span, stretch)
    }

    /// φ, moved where it is on a boundary of shadow or reflection: there it has two meanings.
    private static func offBoundary(from: Double, to: Double, open: Double, isHidden: Bool) -> Double {
        let (pi, hair) = (DeterministicMath.pi, Self.hair)
        if ((to - from).magnitude - pi).magnitude < hair {
            let turn = isHidden ? pi + hair : pi - hair
            return to > from ? from + turn : from - turn
        }
        if (from + to - pi).magnitude < hair { return pi + hair - from }
        if (2 * open - from - to - pi).magnitude < hair { return 2 * open - pi - hair - from }
        return to
    }

    /// The same from the receiver to the source.
    var reversed: PrismPlan {
        var plan = self
        (plan.start, plan.end, plan.source, plan.receiver) = (end, start, receiver, source)
        (plan.foot, plan.rise) = (foot + rise, -rise)
        return plan
    }

    /// Metres of a path, by its length across the axis.
    func length(_ planar: Double) -> Double { (planar * planar + rise * rise).squareRoot() }

    /// Where an edge is on a path, metres: s s′/(s + s′) sin²β of the whole path.
    private func reach(_ before: Double, _ planar: Double, _ length: Double) -> Double {
        max(before * (planar - before) / planar * (planar / length), 1e-6)
    }

    /// The paths by one, two and three edges.
    /// - Parameters: beginning, ending: the corners of first and last edges.
    func addChains(to sum: inout PrismSum, beginning: CornerSet = .all, ending: CornerSet = .all) {
        let count = prism.corners.count
        for one in 0..<count where source.sees(one) && beginning.contains(one) {
            let first = source.distances[one]
            if receiver.sees(one) && ending.contains(one) {
                let planar = first + receiver.distances[one]
                let length = length(planar)
                sum.begin(2 * straight / length)
                sum.multiply(
                    UTD(openness: prism.openness[one], from: source.angles[one], to: receiver.angles[one]),
                    reach: reach(first, planar, length))
                sum.add(detour: max(length - straight, 0))
            }
            for isOn in [true, false] {
                let two = (one + (isOn ? 1 : count - 1)) % count
                let width = prism.widths[isOn ? one : two]
                if receiver.sees(two) && ending.contains(two) {
                    let planar = first + width + receiver.distances[two]
                    let length = length(planar)
                    sum.begin(2 * straight / length)
                    sum.multiply(source.along(one, isToNext: isOn), reach: reach(first, planar, length))
                    sum.multiply(receiver.along(two, isToNext: !isOn), reach: reach(first + width, planar, length))
                    sum.add(detour: max(length - straight, 0))
                }
                guard sum.hasThrice else { continue }
                for isFurther in [isOn, !isOn] {
                    let three = (two + (isFurther ? 1 : count - 1)) % count
                    guard receiver.sees(three) && ending.contains(three) else { continue }
                    let further = prism.widths[isFurther ? two : three]
                    let planar = first + width + further + receiver.distances[three]
                    let length = length(planar)
                    let around = prism.around[two]
                    sum.beginThrice(2 * straight / length)
                    sum.multiply(source.along(one, isToNext: isOn), reach: reach(first, planar, length))
                    sum.multiply(
                        isOn == isFurther ? around.on : around.back, reach: reach(first + width, planar, length))
                    sum.multiply(
                        receiver.along(three, isToNext: !isFurther),
                        reach: reach(first + width + further, planar, length))
                    sum.add(detour: max(length - straight, 0))
                }
            }
        }
    }

    /// How sound gets to an edge on its way to a place beyond.
    struct Arrival {
        /// Metres to the edge.
        let before: Double
        /// The corner before, along whose side it comes: metres to that, and what it sends there.
        let last: (before: Double, utd: GrazingUTD)?
        let terms: CoupledEdges.Terms
    }

    /// From an end to a corner and on to a place, through the open or along a side.
    /// - Parameter isHidden: whether the prism hides the place from that end.
    func arrivals(from end: End, at corner: Int, to place: Prism.Planar, isHidden: Bool) -> [Arrival] {
        let (openness, count) = (prism.openness[corner], prism.corners.count)
        let (angle, open) = (prism.angle(place, at: corner), openness * DeterministicMath.pi)
        guard angle <= open else { return [] }
        var found: [Arrival] = []
        found.reserveCapacity(3)
        if end.sees(corner) {
            let to = Self.offBoundary(from: end.angles[corner], to: angle, open: open, isHidden: isHidden)
            found.append(
                Arrival(
                    before: end.distances[corner], last: nil,
                    terms: CoupledEdges.Terms(UTD(openness: openness, from: end.angles[corner], to: to))))
        }
        for isToNext in [true, false] {
            let other = (corner + (isToNext ? 1 : count - 1)) % count
            guard end.sees(other) else { continue }
            let before = end.distances[other]
            found.append(
                Arrival(
                    before: before + prism.widths[isToNext ? corner : other],
                    last: (before, end.along(other, isToNext: !isToNext)),
                    terms: CoupledEdges.Terms(
                        GrazingUTD(openness: openness, angle: isToNext ? angle : open - angle), isToNext: isToNext)))
        }
        return found
    }

    /// The sides that mirror source and receiver in each other.
    func addMirrors(to sum: inout PrismSum) {
        let (pi, count) = (DeterministicMath.pi, prism.corners.count)
        for index in 0..<count where source.angles[index] + receiver.angles[index] < pi {
            let next = (index + 1) % count
            let open = prism.openness[next] * pi
            guard prism.height(receiver.place, over: index) > 0,
                2 * open - source.angles[next] - receiver.angles[next] < pi
            else { continue }
            PrismMirror(self, index)?.add(to: &sum)
        }
    }
}

/// A side that mirrors the source of a plan.
struct PrismMirror {
    private let plan: PrismPlan
    private let side: Int
    /// Metres of the source before it.
    private let height: Double

    /// Nil where the source is behind it.
    init?(_ plan: PrismPlan, _ side: Int) {
        height = plan.prism.height(plan.source.place, over: side)
        guard height > 0 else { return nil }
        (self.plan, self.side) = (plan, side)
    }

    /// Where on the side a place is mirrored; nil where it is not.
    func meets(_ place: Prism.Planar) -> Prism.Planar? {
        let (prism, other) = (plan.prism, plan.prism.height(place, over: side))
        guard other > 0 else { return nil }
        let direction = prism.sides[side]
        let (from, to) = (along(plan.source.place), along(place))
        let met = from + (to - from) * height / (height + other)
        guard met > 0, met < prism.widths[side] else { return nil }
        return prism.corners[side] + direction * met
    }

    private func along(_ place: Prism.Planar) -> Double {
        ((place - plan.prism.corners[side]) * plan.prism.sides[side]).sum()
    }

    /// Metres to a place in front of it, mirrored; and more by the nearer rim.
    func path(to place: Prism.Planar) -> (length: Double, depth: Double) {
        let prism = plan.prism
        let aside = ((place - plan.source.place) * prism.sides[side]).sum()
        let above = height + prism.height(place, over: side)
        let mirrored = plan.length((aside * aside + above * above).squareRoot())
        func rim(_ corner: Int) -> Double {
            let offset = place - prism.corners[corner]
            return plan.length(plan.source.distances[corner] + max((offset * offset).sum().squareRoot(), 1e-6))
        }
        return (mirrored, max(min(rim(side), rim((side + 1) % prism.corners.count)) - mirrored, 0))
    }

    /// Adds what gets to the receiver; nothing of it where it is a reflection path of the scene, unless it is whole.
    func add(to sum: inout PrismSum, isWhole: Bool = false) {
        let (mirrored, depth) = path(to: plan.receiver.place)
        sum.addMirror(
            detour: max(mirrored - plan.straight, 0), spread: plan.straight / mirrored, depth: isWhole ? 0 : depth)
    }
}

/// Some corners of a prism.
struct CornerSet: BitwiseCopyable {
    private var bits: UInt8

    static let all = CornerSet(bits: .max)

    private init(bits: UInt8) { self.bits = bits }

    init(_ corner: Int) { bits = 1 << corner }

    /// - Parameter isIn: whether a corner is one of them.
    init(_ corners: Range<Int>, where isIn: (Int) -> Bool) {
        bits = corners.reduce(0) { isIn($1) ? $0 | 1 << $1 : $0 }
    }

    var isEmpty: Bool { bits == 0 }

    func contains(_ corner: Int) -> Bool { bits & (1 << corner) != 0 }
}
