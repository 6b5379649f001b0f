import OssicleAudioToolbox
import OssicleCodecs
import OssicleCoreAudioTypes

extension AVAudioFormat {
    /// The format as the services know it; `nil` when it makes no sense or names no codec known here.
    var stream: StreamFormat? {
        StreamFormat(streamDescription.pointee, cookie: magicCookie.map { [UInt8]($0) } ?? [], channelLabels: channelLabels)
    }

    /// The labels of the layout; of one or two channels of linear PCM without one, the usual.
    var channelLabels: [UInt32]? {
        if let channelLayout, !channelLayout.labels.isEmpty { return channelLayout.labels }
        return isPCM ? ChannelLayouts.labels(channelCount: Int(channelCount)) : nil
    }
}
