import OssicleCore

/// What a screen with slots leaves of the sound from one side of it to the other, by all its upright edges together.
///
/// Through a slot sound passes both its edges, and behind a wall what they send all but cancels at long waves. Re the
/// open field
///
///     p = G + Σ D e^(−jkδ) + Σ ½ Σ D₁D₂ e^(−jkδ) + Σ R e^(−jkδ)
///
/// with δ the detour. G is 1 where the straight path meets no wall. D is what the edge of a half-plane sends (`UTD` with
/// n = 2), at the place of the wall's end that the shortest path touches; where it goes around both corners of the end,
/// its length is the detour's. D₁D₂ are twice diffracted, along either face of a wall from end to end (Keller 1962),
/// and are left out above k × width = 20. From edge to edge of a slot there is no such term: in its own plane a
/// half-plane sends no pressure. R is what the end of a wall reflects beside its mirror's direction, see
/// `ReflectedStrip`: thinner than the wave it is part of the half-plane.
///
/// The mean energy over an octave is Σ Σ Re pᵢpⱼ* with the interference that the band leaves (`OctaveBlur`). Everything
/// is the same from either end, and nothing jumps where a wall comes between.
struct SlotField {
    /// How much of it counts, 0…1.
    let strength: Double
    /// Whether the straight path meets no wall.
    let isFree: Bool
    private var edges: [Edge] = []
    private var doubles: [Twice] = []
    private var strips: [ReflectedStrip] = []

    /// k × width up to which what is twice diffracted along a wall counts.
    private static let widest = 20.0
    /// Metres from the screen, and from its top or foot, at which the field begins to count and counts whole.
    private static let near = (none: 0.05, whole: 0.25)
    private static let top = 0.5

    /// - Parameter isOpen: whether sound gets straight from one place to another.
    /// - Returns: nil where both ends are on one side, or something closes a slot.
    init?(_ screen: SlottedScreen, from start: Vector, to end: Vector, isOpen: (_ from: Vector, _ to: Vector) -> Bool) {
        guard let plane = SlotPlane(screen, from: start, to: end) else { return nil }
        let met = plane.height(plane.source.off, plane.receiver.off)
        var strength = screen.weight * Silhouette.fade(min(met - screen.height.from, screen.height.to - met) / Self.top)
        for off in [plane.source.off, plane.receiver.off] {
            strength *= Silhouette.fade((off - screen.depth - Self.near.none) / (Self.near.whole - Self.near.none))
        }
        guard strength > 0 else { return nil }
        var isFree = true
        var least = Double.infinity
        for (index, wall) in screen.walls.enumerated() {
            let ends = [
                plane.end(at: wall.from, outward: -1, depth: screen.depth),
                plane.end(at: wall.to, outward: 1, depth: screen.depth),
            ]
            if !ends.contains(where: \.isLit) { isFree = false }
            var count = 0
            for (number, end) in ends.enumerated() {
                least = min(least, end.detour)
                let (before, after) = plane.beside(end, screen)
                guard isOpen(start, before), isOpen(before, after), isOpen(after, plane.end) else {
                    // A slot of one edge is none, nor is one that a door closes.
                    guard index == 0 && number == 0 || index == screen.walls.count - 1 && number == 1 else {
                        return nil
                    }
                    continue
                }
                count += 1
                edges.append(Edge(plane, end))
                if let strip = plane.strip(end, depth: screen.depth) { strips.append(strip) }
            }
            if count == 2 {
                doubles.append(Twice(plane, from: wall.from, to: wall.to))
                doubles.append(Twice(plane, from: wall.to, to: wall.from))
            }
        }
        // A free path far from all edges is free.
        if isFree { strength *= Silhouette.fade(2 * (1 - least / Silhouette.widest)) }
        guard strength > 0 else { return nil }
        (self.strength, self.isFree) = (strength, isFree)
    }

    /// Energy re the open field, the mean over a band.
    func energy(_ wavelength: Double, _ number: Double) -> Double {
        var parts: [DelayedPhasor] = []
        parts.reserveCapacity(1 + edges.count + 2 * strips.count + doubles.count)
        if isFree { parts.append(DelayedPhasor(.one, detour: 0)) }
        for edge in edges {
            parts.append(DelayedPhasor(edge.utd.amplitude(number * edge.reach) * edge.spread, detour: edge.detour))
        }
        for twice in doubles where number * twice.width < Self.widest {
            parts.append(DelayedPhasor(twice.amplitude(number), detour: twice.detour))
        }
        for strip in strips { strip.add(to: &parts, wavelength, number) }
        return DelayedPhasor.energy(parts, wavelength, number)
    }
}

extension SlotField {
    /// What the edge of a half-plane at the end of a wall sends.
    private struct Edge {
        let utd: UTD
        let reach: Double
        let detour: Double
        /// Length of the straight path re that by the edge.
        let spread: Double

        init(_ plane: SlotPlane, _ end: SlotPlane.End) {
            let pi = DeterministicMath.pi
            let from = plane.source.angle(end.source, off: end.touched)
            let given = 2 * pi - plane.receiver.angle(end.receiver, off: -end.touched)
            let turn = end.isLit ? min(given - from, pi - 1e-7) : max(given - from, pi + 1e-7)
            utd = UTD(openness: 2, from: from, to: from + turn)
            let (before, after) = (
                plane.source.distance(end.source, off: end.touched),
                plane.receiver.distance(end.receiver, off: -end.touched)
            )
            reach = plane.reach(before, after)
            (detour, spread) = (end.detour, plane.straight / (plane.straight + end.detour))
        }
    }

    /// What is diffracted at one end of a wall, runs along either of its faces, and is diffracted at the other.
    private struct Twice {
        private let first: (UTD, UTD)
        private let second: (UTD, UTD)
        private let reaches: (Double, Double)
        let width: Double
        let detour: Double
        private let spread: Double

        init(_ plane: SlotPlane, from one: Double, to two: Double) {
            width = (two - one).magnitude
            let outward: Double = two > one ? -1 : 1
            let (source, receiver) = (plane.source.aside(one, outward), plane.receiver.aside(two, -outward))
            let (before, after) = (plane.source.distance(source, off: 0), plane.receiver.distance(receiver, off: 0))
            let turn = 2 * DeterministicMath.pi
            let (from, to) = (plane.source.angle(source, off: 0), turn - plane.receiver.angle(receiver, off: 0))
            first = (UTD(openness: 2, from: from, to: 0), UTD(openness: 2, from: from, to: turn))
            second = (UTD(openness: 2, from: 0, to: to), UTD(openness: 2, from: turn, to: to))
            reaches = (plane.reach(before, width + after), plane.reach(before + width, after))
            let length = plane.length(before + width + after)
            (detour, spread) = (max(length - plane.straight, 0), plane.straight / length)
        }

        func amplitude(_ number: Double) -> Phasor {
            let (one, two) = (number * reaches.0, number * reaches.1)
            let front = first.0.amplitude(one) * second.0.amplitude(two)
            return (front + first.1.amplitude(one) * second.1.amplitude(two)) * (0.5 * spread)
        }
    }
}

extension SlotPlane {
    /// What the end of a wall reflects aside; nil where nothing.
    fileprivate func strip(_ end: End, depth: Double) -> ReflectedStrip? {
        guard depth > 0.005 else { return nil }
        return ReflectedStrip(
            from: ReflectedStrip.Place(above: end.source, along: -source.off),
            to: ReflectedStrip.Place(above: end.receiver, along: receiver.off), rims: (-depth, depth),
            face: (-depth, depth), straight: straight, length: length)
    }
}
