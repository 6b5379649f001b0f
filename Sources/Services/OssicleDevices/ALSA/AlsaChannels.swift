import CAlsa
import Foundation
import OssicleChannels

/// The order of a device's channels, which is not that of engines: surrounds stand before centre and LFE.
enum AlsaChannels {
    /// Which of our channels each of the device's is; nil where they are the same, or the roles of one side unknown.
    static func order(of handle: OpaquePointer, _ format: DeviceFormat) -> [Int]? {
        let count = format.channelCount
        guard let ours = format.channelLabels, let theirs = stated(handle, count) ?? standard(count),
            let order = DeviceChannels.sources(of: theirs, among: ours)
        else { return nil }
        return order == Array(0..<count) ? nil : order
    }

    /// Of devices that state none: that of ALSA's pcms surround40, surround50, surround51 and surround71.
    private static func standard(_ count: Int) -> [UInt32]? {
        switch count {
        case 4, 5, 6: Array(ChannelOrder.labels(named: "L R Ls Rs C LFE").prefix(count))
        case 8: ChannelOrder.labels(named: "L R Rls Rrs C LFE Ls Rs")
        default: nil
        }
    }

    /// Roles of the channels of a device whose format is agreed on, in its order; nil where it does not state them.
    static func stated(_ handle: OpaquePointer, _ count: Int) -> [UInt32]? {
        guard let map = snd_pcm_get_chmap(handle) else { return nil }
        defer { free(map) }
        guard map[0] == count else { return nil }
        let labels = (1...count).compactMap { roles[map[$0] & 0xFFFF] }
        return labels.count == count ? DeviceChannels.withSurrounds(labels) : nil
    }

    /// By ALSA's numbers of positions.
    private static let roles: [UInt32: UInt32] = [
        2: ChannelLabel.mono, 3: ChannelLabel.left, 4: ChannelLabel.right, 5: ChannelLabel.rearLeft,
        6: ChannelLabel.rearRight, 7: ChannelLabel.centre, 8: ChannelLabel.lfe, 9: ChannelLabel.leftSurround,
        10: ChannelLabel.rightSurround, 11: ChannelLabel.centreSurround, 12: ChannelLabel.leftCentre,
        13: ChannelLabel.rightCentre, 21: ChannelLabel.topCentre, 22: ChannelLabel.topFrontLeft,
        23: ChannelLabel.topFrontRight, 24: ChannelLabel.topFrontCentre, 25: ChannelLabel.topRearLeft,
        26: ChannelLabel.topRearRight, 27: ChannelLabel.topRearCentre,
    ]
}
