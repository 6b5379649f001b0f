import OssicleCore
@testable import OssicleHeadTracking

/// Turns of a head by a right angle, and what they do to its axes.
enum Turn: CaseIterable {
    case left
    case up
    /// The left ear goes down.
    case tiltLeft

    var rotation: Rotation {
        switch self {
        case .left: Rotation(yaw: .pi / 2, pitch: 0, roll: 0)
        case .up: Rotation(yaw: 0, pitch: .pi / 2, roll: 0)
        case .tiltLeft: Rotation(yaw: 0, pitch: 0, roll: .pi / 2)
        }
    }
}

/// The largest difference between two rotations in what they do to the three axes.
func difference(_ a: Rotation, _ b: Rotation) -> Double {
    [a.axes.right - b.axes.right, a.axes.up - b.axes.up, a.axes.back - b.axes.back].map { gap in
        (gap * gap).sum().squareRoot()
    }.max() ?? .infinity
}

extension PoseDecoder {
    mutating func read(_ bytes: [UInt8]) -> PacketVerdict { bytes.withUnsafeBytes { read($0) } }
}
