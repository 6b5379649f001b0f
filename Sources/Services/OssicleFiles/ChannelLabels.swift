// Between libsndfile's channel map and channel labels.

import CSndfile

/// Channel labels as the Core Audio Format specification numbers them.
enum ChannelLabels {
    private static let leftSurround: UInt32 = 5, rightSurround: UInt32 = 6
    private static let rearLeft: UInt32 = 33, rearRight: UInt32 = 34

    /// The labels of an open file, or `nil` when it has no usable channel map.
    static func read(from file: OpaquePointer, channelCount: Int) -> [UInt32]? {
        var map = [Int32](repeating: 0, count: channelCount)
        let bytes = Int32(clamping: channelCount * MemoryLayout<Int32>.size)
        guard sf_command(file, Int32(SFC_GET_CHANNEL_MAP_INFO), &map, bytes) == SF_TRUE else { return nil }
        let hasSidesAndRears = map.contains(sideLeft) && map.contains(backLeft)
        let labels = map.compactMap { label(of: $0, hasSidesAndRears: hasSidesAndRears) }
        return labels.count == channelCount ? labels : nil
    }

    /// Gives a file being written its channel map. Containers store only some orders: an order they cannot express is left
    /// out, and the channels keep their order.
    static func write(_ labels: [UInt32], to file: OpaquePointer) {
        let hasSidesAndRears = labels.contains(leftSurround) && labels.contains(rearLeft)
        var map = labels.compactMap { mapEntry(of: $0, hasSidesAndRears: hasSidesAndRears) }
        guard map.count == labels.count else { return }
        let bytes = Int32(clamping: map.count * MemoryLayout<Int32>.size)
        sf_command(file, Int32(SFC_SET_CHANNEL_MAP_INFO), &map, bytes)
    }

    private static let sideLeft = Int32(SF_CHANNEL_MAP_SIDE_LEFT), sideRight = Int32(SF_CHANNEL_MAP_SIDE_RIGHT)
    private static let backLeft = Int32(SF_CHANNEL_MAP_REAR_LEFT), backRight = Int32(SF_CHANNEL_MAP_REAR_RIGHT)

    /// The surrounds are "back" in a ring of five. Where a file has sides and backs, the sides are the surrounds.
    private static func label(of entry: Int32, hasSidesAndRears: Bool) -> UInt32? {
        switch entry {
        case sideLeft: leftSurround
        case sideRight: rightSurround
        case backLeft: hasSidesAndRears ? rearLeft : leftSurround
        case backRight: hasSidesAndRears ? rearRight : rightSurround
        default: plain.first { $0.entry == Int(entry) }?.label
        }
    }

    private static func mapEntry(of label: UInt32, hasSidesAndRears: Bool) -> Int32? {
        switch label {
        case leftSurround: hasSidesAndRears ? sideLeft : backLeft
        case rightSurround: hasSidesAndRears ? sideRight : backRight
        case rearLeft: backLeft
        case rearRight: backRight
        default: plain.first { $0.label == label }.map { Int32($0.entry) }
        }
    }

    private static let plain: [(entry: Int, label: UInt32)] = [
        (SF_CHANNEL_MAP_LEFT, 1), (SF_CHANNEL_MAP_RIGHT, 2), (SF_CHANNEL_MAP_CENTER, 3),
        (SF_CHANNEL_MAP_LFE, 4),
        (SF_CHANNEL_MAP_FRONT_LEFT, 1), (SF_CHANNEL_MAP_FRONT_RIGHT, 2),
        (SF_CHANNEL_MAP_FRONT_CENTER, 3), (SF_CHANNEL_MAP_MONO, 42),
        (SF_CHANNEL_MAP_FRONT_LEFT_OF_CENTER, 7), (SF_CHANNEL_MAP_FRONT_RIGHT_OF_CENTER, 8),
        (SF_CHANNEL_MAP_REAR_CENTER, 9),
        (SF_CHANNEL_MAP_SIDE_LEFT, 10), (SF_CHANNEL_MAP_SIDE_RIGHT, 11),
        (SF_CHANNEL_MAP_TOP_CENTER, 12), (SF_CHANNEL_MAP_TOP_FRONT_LEFT, 13),
        (SF_CHANNEL_MAP_TOP_FRONT_CENTER, 14), (SF_CHANNEL_MAP_TOP_FRONT_RIGHT, 15),
        (SF_CHANNEL_MAP_TOP_REAR_LEFT, 16), (SF_CHANNEL_MAP_TOP_REAR_CENTER, 17),
        (SF_CHANNEL_MAP_TOP_REAR_RIGHT, 18),
        (SF_CHANNEL_MAP_AMBISONIC_B_W, 200), (SF_CHANNEL_MAP_AMBISONIC_B_X, 201),
        (SF_CHANNEL_MAP_AMBISONIC_B_Y, 202), (SF_CHANNEL_MAP_AMBISONIC_B_Z, 203),
    ]
}
