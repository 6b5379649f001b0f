import Foundation
import OssicleAcoustics
import OssicleCore

/// Finds sources and listeners that cannot be meant: outside the room, or inside something solid.
///
/// Where all of the scene is in one shell whose normals look in, every position must be in that room's air. Elsewhere a
/// scene does not say where its air is, and only differences count: one of a pair deeper in solid matter than the
/// other, or one in the open while the other sees walls in every direction.
package struct PositionCheck {
    let occluders: [Occluder]
    let tracer: SceneTracer

    /// Shares of open directions up to which a position is closed in, and from which it is in the open. Between them
    /// are doors and windows.
    private static let (closed, open) = (0.001, 0.1)

    private struct Candidate {
        /// "The source"
        let name: String
        let around: Surroundings
    }

    /// - Parameter tracer: of a scene of these occluders.
    package init(occluders: [Occluder], tracer: SceneTracer) { (self.occluders, self.tracer) = (occluders, tracer) }

    /// Whether all of the scene is in one shell whose normals look in.
    package var hasRoom: Bool { tracer.scene.hull != nil }

    /// One sentence for each position, in the order of the pairs.
    package func misplacements(_ pairs: [RirPair]) -> [String] {
        guard !occluders.isEmpty else { return [] }
        let hull = tracer.scene.hull
        var known: [Vector: Surroundings] = [:]
        var sentences: [String] = []
        func place(_ name: String, _ position: Vector) -> Candidate {
            let around = known[position] ?? Surroundings(of: position, tracer: tracer)
            known[position] = around
            return Candidate(name: name, around: around)
        }
        for pair in pairs {
            let (source, listener) = (place("The source", pair.source), place("The listener", pair.listener.position))
            let found =
                hull.map { hull in [source, listener].compactMap { misplacement(of: $0, in: hull) } }
                ?? [misplacement(of: source, beside: listener) ?? misplacement(of: listener, beside: source)].compactMap
            { $0 }
            for sentence in found where !sentences.contains(sentence) { sentences.append(sentence) }
        }
        return sentences
    }

    /// In a room that everything is in, the air has depth −1.
    private func misplacement(of place: Candidate, in hull: Shell) -> String? {
        guard place.around.depth.lowerBound > -1 else { return nil }
        guard place.around.shells.contains(hull) else {
            return outside(place, name(of: hull), box: tracer.scene.bounds(of: hull))
        }
        return place.around.shells.last { $0 != hull }.map { inside(place, $0) }
    }

    private func misplacement(of place: Candidate, beside other: Candidate) -> String? {
        let (here, there) = (place.around, other.around)
        if here.depth.lowerBound > there.depth.upperBound {
            if let solid = here.shells.last(where: { !there.shells.contains($0) }) { return inside(place, solid) }
            if let room = there.shells.last(where: { !here.shells.contains($0) }) {
                return outside(place, name(of: room), box: tracer.scene.bounds(of: room))
            }
        }
        guard here.depth.overlaps(there.depth), here.openness >= Self.open, there.openness <= Self.closed else {
            return nil
        }
        let room = there.shells.last { !here.shells.contains($0) }
        return outside(
            place, room.map(name) ?? "around \(other.name.lowercased())",
            box: room.map(tracer.scene.bounds) ?? there.sight)
    }

    private func outside(_ place: Candidate, _ room: String, box: Bounds) -> String {
        "\(place.name) at \(position(of: place)) is outside the room \(room) (\(extents(box))): give a position in it, check --units and --up, "
            + "or give --lenient to go on."
    }

    private func inside(_ place: Candidate, _ solid: Shell) -> String {
        "\(place.name) at \(position(of: place)) is inside the solid \(name(of: solid)) (\(extents(tracer.scene.bounds(of: solid)))), whose normals look "
            + "outwards: give a position in the air, turn the normals of what is a room inwards, or give --lenient to go on."
    }

    private func position(of place: Candidate) -> String { Metres.text(place.around.position) }

    private func name(of shell: Shell) -> String { "“\(occluders[Int(shell.occluder)].name)”" }

    /// "x 0 to 6, y 0 to 3, z 0 to 5 m"
    private func extents(_ box: Bounds) -> String {
        let (low, high) = (box.lower, box.upper)
        let sides = [("x", low.x, high.x), ("y", low.y, high.y), ("z", low.z, high.z)]
        return sides.map { "\($0.0) \(Metres.text($0.1)) to \(Metres.text($0.2))" }.joined(separator: ", ") + " m"
    }
}

/// Lengths as text.
package enum Metres {
    /// To the millimetre, without zeros at the end: "1.5".
    package static func text(_ metres: Double) -> String {
        var text = String(format: "%.3f", abs(metres))
        while text.last == "0" { text.removeLast() }
        if text.last == "." { text.removeLast() }
        return metres < 0 && text != "0" ? "−" + text : text
    }

    /// "2, 1.5, −3"
    package static func text(_ vector: Vector) -> String {
        [vector.x, vector.y, vector.z].map { text($0) }.joined(separator: ", ")
    }
}
