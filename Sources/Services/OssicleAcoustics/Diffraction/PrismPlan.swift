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

    private let prism: Prism
    let source: End
    let receiver: End
    /// Metres from source to receiver, and across the axis.
    let straight: Double
    let across: Double
    /// Of the source, metres along the axis, and from there to the receiver.
    let foot: Double
    let rise: Double
    let isHidden: Bool
    /// From where to where the prism is across the path, in √(wavelength).
    let span: (from: Double, to: Double)

    /// Radians that a boundary of shadow or reflection is kept from.
    private static let hair = 1e-7

    init(_ prism: Prism, from start: Vector, to end: Vector) {
        self.prism = prism
        let source = End(start, prism)
        var receiver = End(end, prism)
        straight = (end - start).magnitude
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
            a = b
        }
        // On a boundary of shadow or reflection an angle has two meanings.
        let (pi, hair) = (DeterministicMath.pi, Self.hair)
        for index in prism.corners.indices where source.sees(index) && receiver.sees(index) {
            let (from, to, open) = (source.angles[index], receiver.angles[index], prism.openness[index] * pi)
            if ((to - from).magnitude - pi).magnitude < hair {
                let turn = isHidden ? pi + hair : pi - hair
                receiver.angles[index] = to > from ? from + turn : from - turn
            } else if (from + to - pi).magnitude < hair {
                receiver.angles[index] = pi + hair - from
            } else if (2 * open - from - to - pi).magnitude < hair {
                receiver.angles[index] = 2 * open - pi - hair - from
            }
        }
        (self.source, self.receiver, self.across, self.isHidden, self.span) = (source, receiver, across, isHidden, span)
    }

    /// Metres of a path, by its length across the axis.
    func length(_ planar: Double) -> Double { (planar * planar + rise * rise).squareRoot() }

    /// Where an edge is on a path, metres: s s′/(s + s′) sin²β of the whole path.
    private func reach(_ before: Double, _ planar: Double, _ length: Double) -> Double {
        max(before * (planar - before) / planar * (planar / length), 1e-6)
    }

    /// The paths by one, two and three edges.
    func addChains(to sum: inout PrismSum) {
        let count = prism.corners.count
        for one in 0..<count where source.sees(one) {
            let first = source.distances[one]
            if receiver.sees(one) {
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
                if receiver.sees(two) {
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
                    guard receiver.sees(three) else { continue }
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

    /// The sides that mirror source and receiver in each other.
    func addMirrors(to sum: inout PrismSum) {
        let (pi, count) = (DeterministicMath.pi, prism.corners.count)
        for index in 0..<count where source.angles[index] + receiver.angles[index] < pi {
            let next = (index + 1) % count
            let (a, b) = (prism.height(source.place, over: index), prism.height(receiver.place, over: index))
            let open = prism.openness[next] * pi
            guard a > 0, b > 0, 2 * open - source.angles[next] - receiver.angles[next] < pi else { continue }
            let along = ((receiver.place - source.place) * prism.sides[index]).sum()
            let mirrored = length((along * along + (a + b) * (a + b)).squareRoot())
            let rims = (
                length(source.distances[index] + receiver.distances[index]),
                length(source.distances[next] + receiver.distances[next])
            )
            sum.addMirror(
                detour: max(mirrored - straight, 0), spread: straight / mirrored,
                depth: max(min(rims.0, rims.1) - mirrored, 0))
        }
    }
}
