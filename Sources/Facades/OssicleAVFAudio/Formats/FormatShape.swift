// A stream description that has passed its checks.

import OssicleCoreAudioTypes

/// Description and layout of a format.
struct FormatShape {
    let asbd: AudioStreamBasicDescription
    let layout: AVAudioChannelLayout?

    init(asbd: AudioStreamBasicDescription, layout: AVAudioChannelLayout?) {
        self.asbd = asbd
        self.layout = layout
    }

    /// `nil` unless the rate is positive and finite, there are channels, a layout has as many and stands with more than two, and
    /// linear PCM has room for its bits.
    init?(checking asbd: AudioStreamBasicDescription, _ layout: AVAudioChannelLayout?) {
        guard asbd.mSampleRate.isFinite, asbd.mSampleRate > 0, (1...65_535).contains(asbd.mChannelsPerFrame), asbd.mFormatID != 0,
              asbd.mChannelsPerFrame <= 2 || layout != nil, layout == nil || layout?.channelCount == asbd.mChannelsPerFrame
        else { return nil }
        if asbd.mFormatID == kAudioFormatLinearPCM {
            let channelsInBuffer = asbd.mFormatFlags & kAudioFormatFlagIsNonInterleaved == 0 ? asbd.mChannelsPerFrame : 1
            guard asbd.mBitsPerChannel > 0, asbd.mFramesPerPacket == 1,
                  UInt64(asbd.mBytesPerFrame) * 8 >= UInt64(asbd.mBitsPerChannel) * UInt64(channelsInBuffer) else { return nil }
        }
        self.init(asbd: asbd, layout: layout)
    }
}
