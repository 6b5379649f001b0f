import CPulse
import OssicleChannels

/// PulseAudio's words for the roles of channels, and Core Audio's numbers for them.
enum ChannelMap {
    /// The positions of channels with these labels; the usual ones for nil, or where a label has no position.
    static func map(_ labels: [UInt32]?, channelCount: Int) -> pa_channel_map {
        guard let labels, labels.count == channelCount else { return usual(channelCount) }
        // One pair of surrounds is in the rear to PulseAudio, of two pairs one is at the sides.
        let pairs = labels.contains(ChannelLabel.rearLeft) ? [:] : rear
        let positions = labels.compactMap { label in
            pairs[label] ?? ChannelMap.positions[ChannelLabel.loudspeaker(label)]
        }
        guard positions.count == channelCount else { return usual(channelCount) }
        var map = pa_channel_map()
        map.channels = UInt8(channelCount)
        withUnsafeMutableBytes(of: &map.map) { bytes in
            let target = bytes.bindMemory(to: pa_channel_position_t.self)
            for (index, position) in positions.enumerated() { target[index] = position }
        }
        return map
    }

    /// `DeviceChannels.usual`, else the order of WAVE files.
    static func usual(_ channelCount: Int) -> pa_channel_map {
        if let labels = DeviceChannels.usual(channelCount) { return map(labels, channelCount: channelCount) }
        var map = pa_channel_map()
        pa_channel_map_init_extend(&map, UInt32(channelCount), PA_CHANNEL_MAP_WAVEEX)
        return map
    }

    /// Nil where a position has no counterpart.
    static func labels(of map: pa_channel_map) -> [UInt32]? {
        let count = Int(map.channels)
        var map = map
        let positions = withUnsafeBytes(of: &map.map) { bytes in
            Array(bytes.bindMemory(to: pa_channel_position_t.self).prefix(count))
        }
        let labels = positions.compactMap { roles[$0.rawValue] }
        return labels.count == count && count > 0 ? DeviceChannels.withSurrounds(labels) : nil
    }

    private static let rear = [
        ChannelLabel.leftSurround: PA_CHANNEL_POSITION_REAR_LEFT,
        ChannelLabel.rightSurround: PA_CHANNEL_POSITION_REAR_RIGHT,
    ]
    private static let positions: [UInt32: pa_channel_position_t] = {
        var positions = Dictionary(
            uniqueKeysWithValues: roles.map { ($0.value, pa_channel_position_t(rawValue: $0.key)) })
        for (label, namesake) in namesakes { positions[label] = positions[namesake] }
        return positions
    }()
    /// Labels of loudspeakers that PulseAudio does not distinguish.
    private static let namesakes = [
        ChannelLabel.leftSurroundDirect: ChannelLabel.leftSurround,
        ChannelLabel.rightSurroundDirect: ChannelLabel.rightSurround,
        ChannelLabel.leftSide: ChannelLabel.leftSurround, ChannelLabel.rightSide: ChannelLabel.rightSurround,
        ChannelLabel.backLeft: ChannelLabel.rearLeft, ChannelLabel.backRight: ChannelLabel.rearRight,
        ChannelLabel.topRearLeft: ChannelLabel.topBackLeft, ChannelLabel.topRearCentre: ChannelLabel.topBackCentre,
        ChannelLabel.topRearRight: ChannelLabel.topBackRight,
    ]
    private static let roles: [pa_channel_position_t.RawValue: UInt32] = Dictionary(
        uniqueKeysWithValues: [
            (PA_CHANNEL_POSITION_MONO, ChannelLabel.mono), (PA_CHANNEL_POSITION_FRONT_LEFT, ChannelLabel.left),
            (PA_CHANNEL_POSITION_FRONT_RIGHT, ChannelLabel.right),
            (PA_CHANNEL_POSITION_FRONT_CENTER, ChannelLabel.centre), (PA_CHANNEL_POSITION_LFE, ChannelLabel.lfe),
            (PA_CHANNEL_POSITION_REAR_LEFT, ChannelLabel.rearLeft),
            (PA_CHANNEL_POSITION_REAR_RIGHT, ChannelLabel.rearRight),
            (PA_CHANNEL_POSITION_REAR_CENTER, ChannelLabel.centreSurround),
            (PA_CHANNEL_POSITION_SIDE_LEFT, ChannelLabel.leftSurround),
            (PA_CHANNEL_POSITION_SIDE_RIGHT, ChannelLabel.rightSurround),
            (PA_CHANNEL_POSITION_FRONT_LEFT_OF_CENTER, ChannelLabel.leftCentre),
            (PA_CHANNEL_POSITION_FRONT_RIGHT_OF_CENTER, ChannelLabel.rightCentre),
            (PA_CHANNEL_POSITION_TOP_CENTER, ChannelLabel.topCentre),
            (PA_CHANNEL_POSITION_TOP_FRONT_LEFT, ChannelLabel.topFrontLeft),
            (PA_CHANNEL_POSITION_TOP_FRONT_CENTER, ChannelLabel.topFrontCentre),
            (PA_CHANNEL_POSITION_TOP_FRONT_RIGHT, ChannelLabel.topFrontRight),
            (PA_CHANNEL_POSITION_TOP_REAR_LEFT, ChannelLabel.topBackLeft),
            (PA_CHANNEL_POSITION_TOP_REAR_CENTER, ChannelLabel.topBackCentre),
            (PA_CHANNEL_POSITION_TOP_REAR_RIGHT, ChannelLabel.topBackRight),
        ].map { ($0.0.rawValue, $0.1) })
}
