import OssicleChannels

/// Roles of channels by the names of ports: PipeWire's are called playback_FL, playback_FR and so on. JACK itself has
/// numbers only.
enum JackRoles {
    /// Of ports in their order, numbered as Core Audio's labels; nil unless each states one.
    static func labels(ofPorts names: [String]) -> [UInt32]? {
        let labels = names.compactMap { name in
            name.lastIndex(of: "_").flatMap { roles[String(name[name.index(after: $0)...])] }
        }
        return labels.count == names.count && !labels.isEmpty ? DeviceChannels.withSurrounds(labels) : nil
    }

    private static let roles: [String: UInt32] = [
        "MONO": ChannelLabel.mono, "FL": ChannelLabel.left, "FR": ChannelLabel.right, "FC": ChannelLabel.centre,
        "LFE": ChannelLabel.lfe, "LFE2": ChannelLabel.lfe2, "RL": ChannelLabel.rearLeft, "RR": ChannelLabel.rearRight,
        "RC": ChannelLabel.centreSurround, "SL": ChannelLabel.leftSurround, "SR": ChannelLabel.rightSurround,
        "FLC": ChannelLabel.leftCentre, "FRC": ChannelLabel.rightCentre, "FLW": ChannelLabel.leftWide,
        "FRW": ChannelLabel.rightWide, "TC": ChannelLabel.topCentre, "TFL": ChannelLabel.topFrontLeft,
        "TFC": ChannelLabel.topFrontCentre, "TFR": ChannelLabel.topFrontRight, "TSL": ChannelLabel.topMiddleLeft,
        "TSR": ChannelLabel.topMiddleRight, "TRL": ChannelLabel.topRearLeft, "TRC": ChannelLabel.topRearCentre,
        "TRR": ChannelLabel.topRearRight,
    ]
}
