import OssicleCore
import OssicleScenes

/// Where something is in a room: a position, or what a drawn one has to keep to.
///
///     [x, y, z]                                              metres
///     {"position": [x, y, z]}                                the same, among other members
///     {"wall": 0.5, "height": 1.2, "distance": [0.5, 3]}     anywhere that far from the surfaces and from the listener
struct Placement {
    /// Members of an object that say where it is.
    static let members = ["position", "wall", "height", "distance"]
    /// Draws until the room counts as too small.
    private static let attempts = 4096
    /// Metres from source to listener at least.
    static let nearest = 0.01

    let room: RowRoom
    let draws: RowDraws

    /// - Parameter listener: nil for the listener itself.
    func place(_ cursor: JSONCursor, from listener: Vector?) throws -> Vector {
        if case .array = cursor.value { return try given(cursor, from: listener) }
        let object = try cursor.object()
        if let position = object["position"] {
            if let other = Placement.members.dropFirst().first(where: { object[$0] != nil }) {
                throw position.fault(
                    "and \(other) are both there", rule: "a position is given or drawn", cure: "leave one out")
            }
            return try given(position, from: listener)
        }
        return try drawn(object, from: listener)
    }

    private func given(_ cursor: JSONCursor, from listener: Vector?) throws -> Vector {
        let list = try cursor.numbers([3], in: -1e6...1e6)
        let place = Vector(list[0], list[1], list[2])
        guard room.contains(place, margin: 0) else {
            throw cursor.fault(
                "is \(Placement.words(place))", rule: "the room has \(room.words) m", cure: "give a position in it")
        }
        if let listener, !room.connects(place, listener) {
            throw cursor.fault(
                "is \(Placement.words(place))", rule: "source and listener are in the same air, or both in the open",
                cure: "move one of them")
        }
        if let listener, (place - listener).magnitude < Placement.nearest {
            throw cursor.fault(
                "is \(Placement.words(place)), where the listener is", rule: "they are 1 cm apart at least",
                cure: "move one of them")
        }
        return place
    }

    /// Uniform over the part of the room that fits.
    private func drawn(_ object: JSONObject, from listener: Vector?) throws -> Vector {
        let margin = try object["wall"]?.number(in: 0...1000) ?? 0.1
        let height = try object["height"]?.number(in: 0...10_000)
        if listener == nil, let distance = object["distance"] {
            throw distance.fault(rule: "a distance is one from the listener", cure: "leave it out")
        }
        let range = try object["distance"].map(Placement.range) ?? Placement.nearest...1e6
        guard room.isClosed else {
            throw object.cursor.fault(
                "asks for a position to be drawn",
                rule:
                    "the mesh is not one room, closed and with normals that look in, so that it is not known where its air is",
                cure: "give positions, or close the mesh")
        }
        let (lower, upper) = room.bounds
        let (low, span) = (lower + Vector(repeating: margin), upper - lower - Vector(repeating: 2 * margin))
        for attempt in 0..<Placement.attempts {
            let random = (0..<3).map { draws.unit(object.path, 3 * attempt + $0) }
            var place = low + Vector(span.x * random[0], span.y * random[1], span.z * random[2])
            if let listener, range.lowerBound == range.upperBound {
                place = listener + direction(random, height.map { $0 - listener.y }, range.lowerBound)
            } else if let height {
                place.y = height
            }
            let distance = listener.map { (place - $0).magnitude } ?? range.lowerBound
            if room.contains(place, margin: margin),
                (distance >= range.lowerBound - 1e-9 && distance <= range.upperBound + 1e-9)
            {
                return place
            }
        }
        throw object.cursor.fault(
            "asks for a position at \(JSONValue.number(margin).words) m from the surfaces"
                + (height.map { ", \(JSONValue.number($0).words) m high" } ?? "")
                + (object["distance"] == nil
                    ? ""
                    : ", \(JSONValue.number(range.lowerBound).words) to \(JSONValue.number(range.upperBound).words) m from the listener"),
            rule: "\(Placement.attempts) draws found none in a room with \(room.words) m",
            cure: "ask for less, or for a larger room")
    }

    /// One number, or two.
    private static func range(_ cursor: JSONCursor) throws -> ClosedRange<Double> {
        guard case .array = cursor.value else {
            let one = try cursor.number(in: nearest...10_000)
            return one...one
        }
        let ends = try cursor.numbers([2], in: nearest...10_000)
        guard ends[0] <= ends[1] else {
            throw cursor.fault("goes from \(ends[0]) to \(ends[1])", rule: "the lower is first", cure: "change the two")
        }
        return ends[0]...ends[1]
    }

    /// A vector of that length, uniform over all directions, or over those with that height.
    private func direction(_ random: [Double], _ height: Double?, _ length: Double) -> Vector {
        let rise = height ?? (1 - 2 * random[0]) * length
        let reach = max(length * length - rise * rise, 0).squareRoot()
        let turn = DeterministicMath.sincos(2 * DeterministicMath.pi * random[1])
        return Vector(reach * turn.cos, rise, reach * turn.sin)
    }

    private static func words(_ place: Vector) -> String {
        [place.x, place.y, place.z].map { JSONValue.number($0).words }.joined(separator: ", ")
    }
}
