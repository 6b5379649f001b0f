import OssicleCore
import OssicleDSP
import OssicleResponses
import OssicleScenes

/// What listens in a row: one microphone, two ears, a sound field, or an array.
struct RowReceiver {
    let name: ReceiverName
    /// Of an array, metres to the listener's right, up and back.
    let places: [Vector]

    static let mono = RowReceiver(name: .mono, places: [])

    /// Microphones of an array at most.
    private static let microphones = 1...64

    private init(name: ReceiverName, places: [Vector]) { (self.name, self.places) = (name, places) }

    init(_ cursor: JSONCursor) throws {
        guard case .string(let text) = cursor.value else {
            self.init(name: .array, places: try RowReceiver.array(try cursor.object()))
            return
        }
        guard let name = ReceiverName(text), name != .array else {
            throw cursor.fault(
                rule:
                    "it is mono, binaural, ambisonic:0 to ambisonic:7 (:n3d), or an object with linear, circular or microphones",
                cure: "give one of these")
        }
        self.init(name: name, places: [])
    }

    /// Microphones on a line along the listener's right hand, on a circle around the listener that begins ahead and
    /// goes to the left, or where they are stated.
    private static func array(_ object: JSONObject) throws -> [Vector] {
        try object.refuseMembers(besides: ["linear", "circular", "microphones"])
        guard object.members.count == 1 else {
            throw object.cursor.fault(
                rule: "an array is one of linear, circular and microphones", cure: "give one of them")
        }
        if let line = try object["linear"]?.object() {
            try line.refuseMembers(besides: ["count", "spacing"])
            let count = try line.required("count").integer(in: microphones)
            let spacing = try line.required("spacing").number(in: 0.001...10)
            return (0..<count).map { Vector((Double($0) - Double(count - 1) / 2) * spacing, 0, 0) }
        }
        if let circle = try object["circular"]?.object() {
            try circle.refuseMembers(besides: ["count", "radius"])
            let count = try circle.required("count").integer(in: microphones)
            let radius = try circle.required("radius").number(in: 0.001...10)
            return (0..<count).map { index in
                let turn = DeterministicMath.sincos(2 * DeterministicMath.pi * Double(index) / Double(count))
                return Vector(-radius * turn.sin, 0, -radius * turn.cos)
            }
        }
        let list = try object.required("microphones").list(atMost: microphones.upperBound)
        guard !list.isEmpty else { throw object.cursor.fault(rule: "an array has microphones", cure: "add some") }
        return try list.map { item in
            let numbers = try item.numbers([3], in: -10...10)
            return Vector(numbers[0], numbers[1], numbers[2])
        }
    }

    var words: String {
        switch name {
        case .mono: "mono"
        case .binaural: "binaural"
        case .ambisonic(let field): field.name
        case .array: "array of \(places.count)"
        }
    }
}
