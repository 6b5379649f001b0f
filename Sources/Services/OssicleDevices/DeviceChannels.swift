import OssicleChannels

/// Which loudspeakers the channels of a device are, and in which order engines give them. All roles are numbered as
/// Core Audio's labels.
package enum DeviceChannels {
    /// Roles of 3.0, quad, 5.0, 5.1, 7.0, 7.1 and 7.1.4, surrounds at the sides before those in the rear: what a device
    /// of so many channels counts as that states none. Nil for other numbers of channels.
    package static func usual(_ count: Int) -> [UInt32]? {
        switch count {
        case 3, 5, 7: ChannelOrder.labels(named: "L R C Ls Rs Rls Rrs").prefix(count).map(\.self)
        case 4: ChannelOrder.labels(named: "L R Ls Rs")
        case 6, 8, 12: ChannelOrder.labels(named: "L R C LFE Ls Rs Rls Rrs Vhl Vhr Ltr Rtr").prefix(count).map(\.self)
        default: nil
        }
    }

    /// The loudspeakers for which engines render where a device has more than two channels, in their order: those that
    /// the device states, else the usual ones. Nil for one or two channels, and where there are none.
    /// - Parameter stated: in the device's order; nil where it states none.
    package static func rendered(_ count: Int, stated: [UInt32]? = nil) -> [UInt32]? {
        guard count > 2 else { return nil }
        guard let stated = stated?.map(heightOfAtmos), stated.count == count, Set(stated).count == count,
            SpeakerLayout.speakers(labels: stated) != nil
        else { return usual(count) }
        let ranks = stated.map { order.firstIndex(of: $0) ?? order.count }
        return stated.indices.sorted { (ranks[$0], $0) < (ranks[$1], $1) }.map { stated[$0] }
    }

    /// Fronts, centre and LFE, the rings from the sides to the rear, and heights from the front to the rear: the usual
    /// layouts and those of Apple's tags up to 7.1.4 are in this order.
    private static let order = ChannelOrder.labels(
        named: "L R C LFE LFE2 Ls Rs Rls Rrs Cs Lc Rc Lw Rw Vhl Vhc Vhr Ltm Ts Rtm Ltr Ctr Rtr")

    /// Servers name the rear heights otherwise than the layouts that have them.
    private static func heightOfAtmos(_ label: UInt32) -> UInt32 {
        switch label {
        case ChannelLabel.topBackLeft: ChannelLabel.topRearLeft
        case ChannelLabel.topBackCentre: ChannelLabel.topRearCentre
        case ChannelLabel.topBackRight: ChannelLabel.topRearRight
        default: label
        }
    }

    /// With one pair of surrounds, servers and drivers say that they are in the rear.
    static func withSurrounds(_ labels: [UInt32]) -> [UInt32] {
        if labels.contains(ChannelLabel.leftSurround) { return labels }
        return labels.map { label in
            switch label {
            case ChannelLabel.rearLeft: ChannelLabel.leftSurround
            case ChannelLabel.rearRight: ChannelLabel.rightSurround
            default: label
            }
        }
    }

    /// Which of our channels each of a device's is; nil unless each has one of its own.
    static func sources(of theirs: [UInt32], among ours: [UInt32]) -> [Int]? {
        let sources = theirs.compactMap { label in
            ours.firstIndex(of: label)
                ?? (ChannelLabel.namesakes(label) + [heightOfAtmos(label)]).compactMap(ours.firstIndex(of:)).first
        }
        return Set(sources).count == theirs.count ? sources : nil
    }
}
