import Foundation

/// Where head poses come from.
package enum HeadTrackingSource: Hashable, Sendable {
    case network(PoseReceiver.Endpoint)
    case recording(URL)
    /// The program itself.
    case supplied

    /// Names the source that is used where a program chooses none.
    package static let variable = "OSSICLE_HEAD_TRACKING"

    /// What the environment asks for; nil if it asks for nothing.
    package static func fromEnvironment(
        _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(HeadTrackingError) -> HeadTrackingSource? {
        guard let text = environment[variable], !text.isEmpty else { return nil }
        return try HeadTrackingSource(text)
    }

    /// From `osc:8000`, `opentrack:4242`, `osc:0.0.0.0:8000`, `osc:8000,invert=pitch+roll` or
    /// `file:/path/to/motion.csv`.
    package init(_ text: String) throws(HeadTrackingError) {
        if text.hasPrefix("file:") {
            let path = String(text.dropFirst(5))
            guard !path.isEmpty else { throw Self.fault(text, "no path follows “file:”") }
            self = .recording(URL(fileURLWithPath: path))
            return
        }
        var parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let place = parts.removeFirst().split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        let formats: [String: PoseReceiver.Endpoint.Format] = ["osc": .osc, "opentrack": .opentrack]
        guard let format = formats[place[0]] else { throw Self.fault(text, "“\(place[0])” is no kind of source") }
        guard place.count == 2 || place.count == 3, let last = place.last, let port = UInt16(last), port > 0 else {
            throw Self.fault(text, "no port from 1 to 65535 follows “\(place[0]):”")
        }
        var inverted: Set<HeadAngle> = []
        for part in parts { inverted.formUnion(try Self.inverted(part, text)) }
        self = .network(
            PoseReceiver.Endpoint(
                format, address: place.count == 3 ? place[1] : "127.0.0.1", port: port, inverted: inverted))
    }

    private static func inverted(_ part: String, _ text: String) throws(HeadTrackingError) -> Set<HeadAngle> {
        guard part.hasPrefix("invert=") else { throw fault(text, "“\(part)” is no option") }
        let names = part.dropFirst(7).split(separator: "+", omittingEmptySubsequences: false)
        var found: Set<HeadAngle> = []
        for name in names {
            guard let angle = HeadAngle.allCases.first(where: { "\($0)" == name }) else {
                throw fault(text, "“\(name)” is none of yaw, pitch and roll")
            }
            found.insert(angle)
        }
        return found
    }

    private static func fault(_ text: String, _ value: String) -> HeadTrackingError {
        HeadTrackingError(
            object: "Head-tracking source “\(text)”", value: value,
            rule:
                "A source is osc:PORT, opentrack:PORT or file:PATH; an address may stand before the port, and ,invert=yaw+pitch+roll behind it.",
            cure: "Set \(variable) to osc:8000, for example, or leave it unset.")
    }
}
