import OssicleCoreAudioTypes
import OssicleDSP

/// Core Audio's layouts as labels and as loudspeakers.
package enum ChannelLayouts {
    package static func labels(_ layout: AVAudioChannelLayout) -> [UInt32]? {
        ChannelOrder.labels(for: layout.layoutTag).map { $0.map { UInt32($0) } }
    }

    /// What one or two channels are without a layout; nil for more, which need one.
    package static func labels(channelCount: Int) -> [UInt32]? {
        switch channelCount {
        case 1: [UInt32(kAudioChannelLabel_Mono)]
        case 2: [UInt32(kAudioChannelLabel_Left), UInt32(kAudioChannelLabel_Right)]
        default: nil
        }
    }

    /// Labels of an output format; channels nobody knows are discrete.
    package static func labels(of format: AVAudioFormat) -> [UInt32] {
        format.channelLayout.flatMap(labels) ?? labels(channelCount: Int(format.channelCount))
            ?? Array(repeating: UInt32(kAudioChannelLabel_Unknown), count: Int(format.channelCount))
    }

    /// Where the channels' loudspeakers stand. A channel that is no loudspeaker is treated as an LFE: nothing is panned to it.
    package static func speakers(_ labels: [UInt32]) -> SpeakerLayout {
        let positions = speakerPositions(for: labels.map { AudioChannelLabel($0) })
        return SpeakerLayout(labels.indices.map { index in
            guard let position = positions?[index] else { return SpeakerLayout.Speaker(azimuth: 0, isLFE: labels.count > 1) }
            return SpeakerLayout.Speaker(azimuth: position.azimuth, elevation: position.elevation, isLFE: position.isLFE)
        })
    }
}
