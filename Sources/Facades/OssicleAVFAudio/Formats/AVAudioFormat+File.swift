// The formats of files.

import OssicleAudioToolbox
import OssicleCoreAudioTypes
import OssicleFiles

extension AVAudioFormat {
    /// The format in a file. Channels beyond two that the file does not name are discrete.
    convenience init(file info: AudioFileInfo, layout: AVAudioChannelLayout? = nil) {
        self.init(unchecked: info.streamFormat.description, channelLayout: layout ?? Self.layout(info))
    }

    /// The format of buffers for a file of this format.
    func processing(_ form: AVAudioCommonFormat, interleaved: Bool) -> AVAudioFormat {
        let asbd = form.description(sampleRate: sampleRate, channels: channelCount, interleaved: interleaved)
        return AVAudioFormat(unchecked: asbd, channelLayout: channelLayout)
    }

    private static func layout(_ info: AudioFileInfo) -> AVAudioChannelLayout? {
        if info.channelCount <= 2, info.channelLabels == nil || info.channelLabels == [1, 2] { return nil }
        if let labels = info.channelLabels { return AVAudioChannelLayout(labels: labels) }
        return AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_DiscreteInOrder | UInt32(clamping: info.channelCount))
    }
}
