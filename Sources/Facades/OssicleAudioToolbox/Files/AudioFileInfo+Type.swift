// The type of a file, finer than its container.

import OssicleCodecs
import OssicleCoreAudioTypes
import OssicleFiles

extension AudioFileInfo {
    /// Core Audio's type: AIFF-C is what AIFF cannot hold, and MPEG audio has a type for each layer.
    package var fileType: AudioFileTypeID {
        switch (container, codec) {
        case (.aiff, _): codec.isInteger && codec.isLinear && isBigEndian ? kAudioFileAIFFType : kAudioFileAIFCType
        case (.mpeg, .mp1): kAudioFileMP1Type
        case (.mpeg, .mp2): kAudioFileMP2Type
        default: container.fileType
        }
    }
}
