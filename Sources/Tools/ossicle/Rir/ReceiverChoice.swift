import ArgumentParser
import OssicleDSP
import OssicleResponses

/// Who listens, on the command line.
enum ReceiverChoice: ExpressibleByArgument, Equatable {
    case mono, binaural, array
    case ambisonic(order: Int)

    init?(argument: String) {
        switch argument {
        case "mono": self = .mono
        case "binaural": self = .binaural
        case "array": self = .array
        default:
            let parts = argument.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count == 2, parts[0] == "ambisonic", let order = Int(parts[1]),
                  (0...SphericalHarmonics.greatestOrder).contains(order) else { return nil }
            self = .ambisonic(order: order)
        }
    }

    static var allValueStrings: [String] { ["mono", "binaural", "ambisonic:0", "ambisonic:1", "ambisonic:2", "ambisonic:3", "array"] }

    var name: String {
        switch self {
        case .mono: "mono"
        case .binaural: "binaural"
        case .array: "array"
        case .ambisonic(let order): "ambisonic of order \(order) (ACN, SN3D)"
        }
    }
}

/// How much work goes into the paths and rays, on the command line.
enum QualityName: String, ExpressibleByArgument, CaseIterable { case low, medium, high, reference }
