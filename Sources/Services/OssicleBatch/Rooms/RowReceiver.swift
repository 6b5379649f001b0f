import OssicleCore
import OssicleDSP
import OssicleResponses
import OssicleScenes

/// What listens in a row: one microphone, two ears, a sound field, or an array.
enum RowReceiver: Equatable {
    case mono, binaural
    case ambisonic(order: Int)
    /// Metres to the listener's right, up and back.
    case array([Vector])

    /// Microphones of an array at most.
    private static let microphones = 1...64

    init(_ cursor: JSONCursor) throws {
        guard case .string(let name) = cursor.value else {
            self = .array(try RowReceiver.array(try cursor.object()))
            return
        }
        let order = name.hasPrefix("ambisonic:") ? Int(name.dropFirst(10)) : nil
        switch name {
        case "mono": self = .mono
        case "binaural": self = .binaural
        case _ where (0...HighOrderHarmonics.greatestOrder).contains(order ?? -1): self = .ambisonic(order: order ?? 0)
        default:
            throw cursor.fault(
                rule:
                    "it is mono, binaural, ambisonic:0 to ambisonic:7, or an object with linear, circular or microphones",
                cure: "give one of these")
        }
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

    func made(sampleRate: Double) throws -> Receiver {
        switch self {
        case .mono: .mono
        case .binaural: .binaural(try HRTFFilters.shared(sampleRate: sampleRate))
        case .ambisonic(let order): .ambisonic(order: order)
        case .array(let microphones): .array(microphones)
        }
    }

    var name: String {
        switch self {
        case .mono: "mono"
        case .binaural: "binaural"
        case .ambisonic(let order): "ambisonic:\(order)"
        case .array(let microphones): "array of \(microphones.count)"
        }
    }
}
