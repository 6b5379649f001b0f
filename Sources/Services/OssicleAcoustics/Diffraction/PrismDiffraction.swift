import OssicleCore

/// What a rigid prism as a column scatters, re the open field: the theory of diffraction in full, in place of the
/// integral over its silhouette.
///
///     s = (Σ D₁ + ½ Σ D₁D₂ + ¼ Σ D₁D₂D₃) e^(−jkδ) + M e^(−jkδ) − G
///
/// with δ the detour, D of `UTD` at each edge, the distances to it those along the whole path, and over all paths that
/// run from edge to edge along sides, where sound and reflection are one and count half. M is what a side mirrors, and G
/// 1 where the prism hides one end from the other, else 0. Against boundary elements in two dimensions s is within 0.06 rms
/// from k × width = 1.5 on, also far aside, where the silhouette's share is 0.15 to 0.2 off: there columns in a row
/// change the sound between them, and within 1 dB s of each by itself is enough, without what goes to and fro.
///
/// Where a side is wide enough to be a reflection path of the scene, M is left out: it fades out as rims leave the Fresnel
/// zone. Ends of the prism leave of s what they do of a strip's shadow,
///
///     V = 1 − F(ν₁) − F(ν₂)
///
/// with the F and ν of `Silhouette` at the middle of the prism. Nothing jumps, and all is the same from either end.
struct PrismDiffraction {
    /// How much of it counts, 0…1.
    let weight: Double
    /// Half the width of the narrowest side, metres.
    private let halfWidth: Double
    private let isHidden: Bool
    private var chains: [Chain] = []
    private var mirrors: [Mirror] = []
    /// From where to where the prism reaches along its axis from the path on, in √(wavelength).
    private let ends: (from: Double, to: Double)
    /// From where to where the prism is across the path, in √(wavelength).
    private let span: (from: Double, to: Double)

    /// A path by one to three edges.
    private struct Chain {
        /// Metres re the straight path.
        let detour: Double
        /// One octave lower than the first band to one higher than the last.
        let amplitudes: [Phasor]
        /// The last of them that is not 0.
        let last: Int
    }

    private struct Mirror {
        let detour: Double
        let spread: Double
        /// Metres by the nearer rim re the mirrored path.
        let depth: Double
    }

    /// k × half the narrowest side from which on it begins to stand for the silhouette, and stands for all of it.
    private static let passing = (from: 0.5, to: 3.0)
    /// k × width of a side up to which three edges count.
    private static let thrice = 8.0
    /// Metres from a side, as seen along the axis, and sine of the path's angle to the axis.
    private static let near = (none: 0.05, whole: 0.25)
    private static let steep = (none: 0.1, whole: 0.3)
    /// Radians that a boundary of shadow or reflection is kept from.
    private static let hair = 1e-7

    /// - Parameter isClosed: whether something closes either end.
    /// - Returns: nil where it does not count.
    init?(_ prism: Prism, from start: Vector, to end: Vector, isClosed: (from: Bool, to: Bool), _ waves: WaveNumbers) {
        guard prism.weight > 0 else { return nil }
        let plan = Plan(prism, from: start, to: end)
        let across = plan.across
        let gap = min(plan.source.clearance, plan.receiver.clearance)
        weight =
            prism.weight * Silhouette.fade((gap - Self.near.none) / (Self.near.whole - Self.near.none))
            * Silhouette.fade((across / plan.straight - Self.steep.none) / (Self.steep.whole - Self.steep.none))
        guard weight > 0 else { return nil }
        halfWidth = prism.halfWidth
        isHidden = plan.isHidden
        span = plan.span
        let (before, after) = (plan.source.distance, plan.receiver.distance)
        let length = plan.length(before + after)
        let scale = (2 / (before * after * length)).squareRoot() * (before + after) * ((before + after) / length)
        let height = plan.foot + plan.rise * before / (before + after)
        ends = (
            isClosed.from ? -1e6 : (-prism.halfLength - height) * scale,
            isClosed.to ? 1e6 : (prism.halfLength - height) * scale
        )
        let first = (0..<OctaveBands.count).first { Self.share(waves.numbers[$0] * halfWidth) > 0 }
        guard let first else { return nil }
        let numbers = [waves.numbers[0] / 2] + waves.numbers + [waves.numbers[OctaveBands.count - 1] * 2]
        for path in plan.paths() {
            let links = plan.links(path)
            let isThrice = path.count > 2
            var last = 0
            let amplitudes = numbers.indices.map { index -> Phasor in
                let size = numbers[index] * 2 * halfWidth / Self.thrice
                guard index >= first, !isThrice || size < 2 else { return .zero }
                last = index
                let spread = 2 * plan.straight / links.length * (isThrice ? Silhouette.fade(2 - size) : 1)
                return links.links.reduce(Phasor(real: spread, imaginary: 0)) {
                    $0 * $1.utd.amplitude(numbers[index] * $1.reach) * 0.5
                }
            }
            chains.append(
                Chain(detour: max(links.length - plan.straight, 0), amplitudes: amplitudes, last: last))
        }
        mirrors = plan.mirrors().map { Mirror(detour: $0.detour, spread: $0.spread, depth: $0.depth) }
    }

    private static func share(_ ka: Double) -> Double {
        let (from, to) = (DeterministicMath.log(passing.from), DeterministicMath.log(passing.to))
        return Silhouette.fade((DeterministicMath.log(ka) - from) / (to - from))
    }

    /// How much of a band it stands for.
    func share(_ number: Double) -> Double { weight * Self.share(number * halfWidth) }

    /// s at four tones of a band.
    func field(_ band: Int, _ wavelength: Double, _ number: Double) -> (real: SIMD4<Double>, imaginary: SIMD4<Double>) {
        let numbers = OctaveTone.factors * OctaveTone.factors * number
        var (real, imaginary) = (SIMD4<Double>(repeating: isHidden ? -1 : 0), SIMD4<Double>.zero)
        func add(_ x: SIMD4<Double>, _ y: SIMD4<Double>, detour: Double) {
            var (s, c) = (SIMD4<Double>.zero, SIMD4<Double>.zero)
            for tone in 0..<4 { (s[tone], c[tone]) = DeterministicMath.sincos(numbers[tone] * detour) }
            real += x * c + y * s
            imaginary += y * c - x * s
        }
        for chain in chains where chain.last >= band {
            let (a, b, c) = (chain.amplitudes[band], chain.amplitudes[band + 1], chain.amplitudes[band + 2])
            add(
                Self.between(a.real, b.real, c.real), Self.between(a.imaginary, b.imaginary, c.imaginary),
                detour: chain.detour)
        }
        for mirror in mirrors {
            let share = 1 - Silhouette.fade(4 * mirror.depth / wavelength)
            guard share > 0 else { continue }
            add(SIMD4(repeating: mirror.spread * share), .zero, detour: mirror.detour)
        }
        let (x, y) = part(wavelength)
        return (real * x - imaginary * y, real * y + imaginary * x)
    }

    /// At ⅜ and ⅛ of an octave below and above the middle one of three that are an octave apart.
    @inline(__always) private static func between(_ a: Double, _ b: Double, _ c: Double) -> SIMD4<Double> {
        SIMD4(0.625 * b + 0.375 * a, 0.875 * b + 0.125 * a, 0.875 * b + 0.125 * c, 0.625 * b + 0.375 * c)
    }

    /// V.
    private func part(_ wavelength: Double) -> (real: SIMD4<Double>, imaginary: SIMD4<Double>) {
        var (real, imaginary) = (SIMD4<Double>(repeating: 1), SIMD4<Double>.zero)
        for end in [ends.to, -ends.from] where end < 1e5 {
            let u = OctaveTone.factors * (end.magnitude / wavelength.squareRoot())
            let (x, y) = FresnelTail.beyond(u, turned: u * u * (DeterministicMath.pi / 2))
            real -= end < 0 ? 1 - x : x
            imaginary -= end < 0 ? -y : y
        }
        return (real, imaginary)
    }

    /// How much two prisms hide each other as seen along the path: 0 side by side, 1 one behind the other.
    func overlap(_ other: PrismDiffraction) -> Double {
        let shared = min(span.to, other.span.to) - max(span.from, other.span.from)
        let narrower = min(span.to - span.from, other.span.to - other.span.from)
        return weight * other.weight * Silhouette.fade(shared / max(narrower, 1e-9))
    }
}

extension PrismDiffraction {
    /// Source, receiver and prism as seen along its axis.
    private struct Plan {
        struct End {
            let place: Prism.Planar
            /// Metres to the middle of the prism, and before the side that it is farthest before.
            let distance: Double
            let clearance: Double
            /// Of each corner: its distance, the angle there, and whether it is seen.
            var distances: [Double] = []
            var angles: [Double] = []
            var sees: [Bool] = []
            /// From there along the side to the next corner and to the last one, of each corner.
            var along: [UTD] = []

            init(_ point: Vector, _ prism: Prism) {
                let place = prism.planar(point)
                self.place = place
                distance = max((place * place).sum().squareRoot(), 1e-6)
                clearance = prism.corners.indices.reduce(-.infinity) { max($0, prism.height(place, over: $1)) }
                for index in prism.corners.indices {
                    let offset = place - prism.corners[index]
                    distances.append(max((offset * offset).sum().squareRoot(), 1e-6))
                    let (angle, open) = (
                        prism.angle(place, at: index), prism.openness[index] * DeterministicMath.pi
                    )
                    angles.append(min(angle, open))
                    sees.append(angle <= open)
                    for side in [0, open] {
                        along.append(
                            angle <= open
                                ? UTD(openness: prism.openness[index], from: angle, to: side)
                                : prism.around[index].on)
                    }
                }
            }
        }

        struct Link {
            let utd: UTD
            let reach: Double
        }

        let prism: Prism
        let source: End
        let receiver: End
        /// Metres from source to receiver, and across the axis.
        let straight: Double
        let across: Double
        /// Of the source, metres along the axis, and from there to the receiver.
        let foot: Double
        let rise: Double
        let isHidden: Bool
        let span: (from: Double, to: Double)

        init(_ prism: Prism, from start: Vector, to end: Vector) {
            self.prism = prism
            let (source, other) = (End(start, prism), End(end, prism))
            var receiver = other
            straight = (end - start).magnitude
            (foot, rise) = ((start - prism.origin).dot(prism.axis), (end - start).dot(prism.axis))
            self.source = source
            let line = receiver.place - source.place
            let across = max((line * line).sum().squareRoot(), 1e-6)
            self.across = across
            // Of the corners, aside from the path, m², and along it, of its length.
            let places = prism.corners.map { corner -> (aside: Double, along: Double) in
                let offset = corner - source.place
                return (line.x * offset.y - line.y * offset.x, (line * offset).sum() / (across * across))
            }
            var isHidden = false
            var span = (from: Double.infinity, to: -Double.infinity)
            for index in places.indices {
                let (a, b) = (places[index], places[(index + 1) % places.count])
                if (a.aside > 0) != (b.aside > 0) {
                    let met = a.along + (b.along - a.along) * a.aside / (a.aside - b.aside)
                    if met > 0 && met < 1 { isHidden = true }
                }
                let detour = max(source.distances[index] + receiver.distances[index] - across, 0)
                let offset = (a.aside < 0 ? -2 : 2) * detour.squareRoot()
                span = (min(span.from, offset), max(span.to, offset))
            }
            (self.isHidden, self.span) = (isHidden, span)
            // On a boundary of shadow or reflection an angle has two meanings.
            let (pi, hair) = (DeterministicMath.pi, PrismDiffraction.hair)
            for index in places.indices where source.sees[index] && receiver.sees[index] {
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
            self.receiver = receiver
        }

        /// Metres of a path, by its length across the axis.
        func length(_ planar: Double) -> Double { (planar * planar + rise * rise).squareRoot() }

        /// The numbers of the corners on each path by up to three of them.
        func paths() -> [[Int]] {
            let count = prism.corners.count
            var paths: [[Int]] = []
            var begun = (0..<count).filter { source.sees[$0] }.map { [$0] }
            for order in 1...3 {
                paths += begun.filter { receiver.sees[$0[order - 1]] }
                guard order < 3 else { break }
                begun = begun.flatMap { path in [1, count - 1].map { path + [(path[order - 1] + $0) % count] } }
            }
            return paths
        }

        /// The edges on a path, and its length, metres.
        func links(_ path: [Int]) -> (links: [Link], length: Double) {
            let (count, end) = (prism.corners.count, path.count - 1)
            func isNext(_ one: Int, _ two: Int) -> Bool { two == (one + 1) % count }
            func utd(_ index: Int) -> UTD {
                let corner = path[index]
                switch (index == 0, index == end) {
                case (true, true):
                    return UTD(
                        openness: prism.openness[corner], from: source.angles[corner], to: receiver.angles[corner])
                case (true, false): return source.along[2 * corner + (isNext(corner, path[index + 1]) ? 0 : 1)]
                case (false, true): return receiver.along[2 * corner + (isNext(corner, path[index - 1]) ? 0 : 1)]
                default:
                    let (before, after) = (isNext(corner, path[index - 1]), isNext(corner, path[index + 1]))
                    let around = prism.around[corner]
                    return before != after ? around.on : (before ? around.next : around.last)
                }
            }
            let widths = zip(path, path.dropFirst()).map { prism.widths[isNext($0, $1) ? $0 : $1] }
            let planar = source.distances[path[0]] + widths.reduce(0, +) + receiver.distances[path[end]]
            let length = length(planar)
            var before = source.distances[path[0]]
            let links = path.indices.map { index -> Link in
                defer { if index < end { before += widths[index] } }
                let reach = max(before * (planar - before) / planar * (planar / length), 1e-6)
                return Link(utd: utd(index), reach: reach)
            }
            return (links, length)
        }

        /// The sides that mirror source and receiver in each other: detour, length of the straight path re the
        /// mirrored one, and metres by the nearer rim re that.
        func mirrors() -> [(detour: Double, spread: Double, depth: Double)] {
            let (pi, count) = (DeterministicMath.pi, prism.corners.count)
            return (0..<count).compactMap { index in
                let next = (index + 1) % count
                let (a, b) = (prism.height(source.place, over: index), prism.height(receiver.place, over: index))
                let open = prism.openness[next] * pi
                guard a > 0, b > 0, source.angles[index] + receiver.angles[index] < pi,
                    2 * open - source.angles[next] - receiver.angles[next] < pi
                else { return nil }
                let along = ((receiver.place - source.place) * prism.sides[index]).sum()
                let mirrored = length((along * along + (a + b) * (a + b)).squareRoot())
                let rims = [index, next].map { length(source.distances[$0] + receiver.distances[$0]) }
                return (max(mirrored - straight, 0), straight / mirrored, max(min(rims[0], rims[1]) - mirrored, 0))
            }
        }
    }
}
