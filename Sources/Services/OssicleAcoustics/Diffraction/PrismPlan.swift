import OssicleCore

/// Source, receiver and prism as seen along its axis, and the paths by its edges. One object, because rows of columns
/// pass it around.
final class PrismPlan {
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
        /// From there along the sides of each corner, the first to the next one and the second to the last.
        private var along: [(first: GrazingUTD, second: GrazingUTD)] = []

        init(_ point: Vector, _ prism: Prism) {
            let place = prism.planar(point)
            self.place = place
            distance = max((place * place).sum().squareRoot(), 1e-6)
            clearance = prism.corners.indices.reduce(-.infinity) { max($0, prism.height(place, over: $1)) }
            along.reserveCapacity(prism.corners.count)
            for index in prism.corners.indices {
                let offset = place - prism.corners[index]
                distances[index] = max((offset * offset).sum().squareRoot(), 1e-6)
                let (angle, open) = (
                    prism.angle(place, at: index), prism.openness[index] * DeterministicMath.pi
                )
                angles[index] = min(angle, open)
                if angle <= open {
                    seen |= 1 << index
                    along.append(GrazingUTD.alongFaces(openness: prism.openness[index], angle: angle))
                } else {
                    along.append((prism.around[index].on, prism.around[index].on))
                }
            }
        }

        func sees(_ corner: Int) -> Bool { seen & (1 << corner) != 0 }

        func along(_ corner: Int, isToNext: Bool) -> GrazingUTD {
            isToNext ? along[corner].first : along[corner].second
        }
    }

    let prism: Prism
    let start: Vector
    let end: Vector
    let source: End
    let receiver: End
    /// Metres from source to receiver, and across the axis.
    let straight: Double
    let across: Double
    /// Of the source, metres along the axis, and from there to the receiver.
    let foot: Double
    let rise: Double
    let isHidden: Bool
    /// From where to where the prism is across the path, in √(wavelength), and along it, metres.
    let span: (from: Double, to: Double)
    let stretch: (from: Double, to: Double)

    /// Radians that a boundary of shadow or reflection is kept from.
    static let hair = 1e-7

    /// The paths from a source to a receiver.
    convenience init(_ prism: Prism, from start: Vector, to end: Vector) {
        self.init(
            prism, from: start, to: end, source: End(start, prism), receiver: End(end, prism),
            straight: (end - start).magnitude)
    }

    /// Those from an image of a row's source, on the way to the same receiver: detours are still re the straight path.
    convenience init(_ plan: PrismPlan, fromImage image: Vector) {
        self.init(
            plan.prism, from: image, to: plan.end, source: End(image, plan.prism), receiver: plan.receiver,
            straight: plan.straight)
    }

    private init(
        _ prism: Prism, from start: Vector, to end: Vector, source: End, receiver: End, straight: Double
    ) {
        (self.prism, self.start, self.end, self.straight) = (prism, start, end, straight)
        var receiver = receiver
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
    var reversed: PrismPlan { PrismPlan(reversing: self) }

    private init(reversing plan: PrismPlan) {
        (prism, start, end) = (plan.prism, plan.end, plan.start)
        (source, receiver, straight, across) = (plan.receiver, plan.source, plan.straight, plan.across)
        (foot, rise) = (plan.foot + plan.rise, -plan.rise)
        (isHidden, span, stretch) = (plan.isHidden, plan.span, plan.stretch)
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
                sum.add(detour: max(length - straight, 0), from: one, to: one)
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
                    sum.add(detour: max(length - straight, 0), from: one, to: two)
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
                    sum.add(detour: max(length - straight, 0), from: one, to: three)
                }
            }
        }
    }

    /// Finds how sound from an end gets to a corner on its way to a place beyond, through the open and along a side.
    /// - Parameters:
    ///   - view: of the place from the corner.
    ///   - isHidden: whether the prism hides the place from that end.
    func findArrivals(from end: End, at view: PrismCorners.View, isHidden: Bool, into found: inout [EdgeArrival]) {
        let (corner, count) = (view.corner, prism.corners.count)
        let openness = prism.openness[corner]
        found.removeAll(keepingCapacity: true)
        if end.sees(corner) {
            let to = Self.offBoundary(
                from: end.angles[corner], to: view.angle, open: openness * DeterministicMath.pi, isHidden: isHidden)
            found.append(
                EdgeArrival(
                    before: end.distances[corner], last: nil,
                    terms: EdgeArrival.Terms(UTD(openness: openness, from: end.angles[corner], to: to))))
        }
        for isToNext in [true, false] {
            let other = (corner + (isToNext ? 1 : count - 1)) % count
            guard end.sees(other) else { continue }
            let before = end.distances[other]
            found.append(
                EdgeArrival(
                    before: before + prism.widths[isToNext ? corner : other],
                    last: (before, end.along(other, isToNext: !isToNext)),
                    terms: EdgeArrival.Terms(isToNext ? view.along.first : view.along.second, isToNext: isToNext)))
        }
    }

    /// The sides that reflect sound from the source to the receiver.
    func addReflections(to sum: inout PrismSum) {
        let (pi, count) = (DeterministicMath.pi, prism.corners.count)
        for index in 0..<count where source.angles[index] + receiver.angles[index] < pi {
            let next = (index + 1) % count
            let open = prism.openness[next] * pi
            guard prism.height(receiver.place, over: index) > 0,
                2 * open - source.angles[next] - receiver.angles[next] < pi
            else { continue }
            PrismReflection(prism, index, from: source.place, rise: rise)?.add(self, to: &sum)
        }
    }
}
