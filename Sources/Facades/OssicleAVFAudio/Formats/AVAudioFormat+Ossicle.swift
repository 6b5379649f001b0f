// Additions to Apple's formats and channel layouts.

import OssicleChannels
import OssicleCoreAudioTypes

extension AVAudioChannelLayout: OssicleAdditions {}
extension AVAudioFormat: OssicleAdditions {}

extension OssicleAdditions where Self: AVAudioChannelLayout {
    /// The label of every channel; empty for a layout that describes none.
    public var channelLabels: [AudioChannelLabel] { layout.channelLabels }

    /// The layout of channels with these labels, by its tag where one has them in this order, else by descriptions.
    public static func of(channelLabels labels: [AudioChannelLabel]) -> AVAudioChannelLayout {
        AVAudioChannelLayout(labels: labels)
    }
}

extension OssicleAdditions where Self: AVAudioFormat {
    /// The label of every channel: those of the layout; without one mono, or left and right; for more channels unknown.
    public var channelLabels: [AudioChannelLabel] {
        if let labels = channelLayout?.channelLabels, !labels.isEmpty { return labels }
        let count = Int(channelCount)
        return ChannelLabel.usual(count) ?? [AudioChannelLabel](repeating: kAudioChannelLabel_Unknown, count: count)
    }
}
