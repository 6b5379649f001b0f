import OssicleCoreAudioTypes
import OssicleDSP

/// Core Audio's layouts as labels and as loudspeakers.
package enum ChannelLayouts {
    /// Whichever way the layout describes its channels; nil for one that describes none.
    package static func labels(_ layout: AVAudioChannelLayout) -> [UInt32]? {
        let labels = layout.labels.map { UInt32($0) }
        return labels.isEmpty ? nil : labels
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
    /// - Parameter tag: of a layout of those channels, whose loudspeakers may stand otherwise than usual (a quad, a cube).
    package static func speakers(_ labels: [UInt32], tag: AudioChannelLayoutTag? = nil) -> SpeakerLayout {
        if let positions = tag.flatMap({ speakerPositions(for: $0) }), positions.count == labels.count { return SpeakerLayout(positions.map(speaker)) }
        return SpeakerLayout(places(labels.map(loudspeaker)).map { $0 ?? SpeakerLayout.Speaker(azimuth: 0, isLFE: labels.count > 1) })
    }

    /// Where each channel's loudspeaker stands, nil for what is none.
    static func places(_ labels: [UInt32]) -> [SpeakerLayout.Speaker?] {
        speakerPositions(ofEach: labels.map { AudioChannelLabel($0) }).map { $0.map(speaker) }
    }

    private static func speaker(_ position: SpeakerPosition) -> SpeakerLayout.Speaker {
        SpeakerLayout.Speaker(azimuth: position.azimuth, elevation: position.elevation, isLFE: position.isLFE)
    }

    /// The loudspeaker that stands in for an ear or for a microphone of a crossed pair; other labels stay.
    static func loudspeaker(_ label: UInt32) -> UInt32 {
        switch AudioChannelLabel(label) {
        case kAudioChannelLabel_HeadphonesLeft, kAudioChannelLabel_BinauralLeft, kAudioChannelLabel_XY_X: UInt32(kAudioChannelLabel_Left)
        case kAudioChannelLabel_HeadphonesRight, kAudioChannelLabel_BinauralRight, kAudioChannelLabel_XY_Y: UInt32(kAudioChannelLabel_Right)
        default: label
        }
    }

    /// The sound field that channels of Ambisonics make up, in SN3D, N3D or B-format (W at −3 dB, after Furse and Malham), in any order; nil
    /// if there is none among them. Other channels are not part of it.
    package static func soundField(_ labels: [UInt32]) -> SoundFieldFormat? {
        let channels = labels.map { fieldChannel(AudioChannelLabel($0)) }
        return channels.contains { $0 != nil } ? SoundFieldFormat(channels) : nil
    }

    private static func fieldChannel(_ label: AudioChannelLabel) -> SoundFieldFormat.Channel? {
        let index = Int(label & 0xFFFF)
        switch label {
        case kAudioChannelLabel_Ambisonic_W: return SoundFieldFormat.Channel(index: 0, gain: 2.0.squareRoot())
        case kAudioChannelLabel_Ambisonic_Y: return SoundFieldFormat.Channel(index: 1, gain: 1)
        case kAudioChannelLabel_Ambisonic_Z: return SoundFieldFormat.Channel(index: 2, gain: 1)
        case kAudioChannelLabel_Ambisonic_X: return SoundFieldFormat.Channel(index: 3, gain: 1)
        case _ where label & 0xFFFF_0000 == kAudioChannelLabel_HOA_SN3D: return SoundFieldFormat.Channel(index: index, gain: 1)
        case _ where label & 0xFFFF_0000 == kAudioChannelLabel_HOA_N3D:
            return SoundFieldFormat.Channel(index: index, gain: 1 / Double(2 * SphericalHarmonics.order(of: index) + 1).squareRoot())
        default: return nil
        }
    }
}
