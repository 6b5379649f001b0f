import OssicleCoreAudioTypes
import OssicleDSP

/// What an environment plays to: the channels of its output connection, and whether they are loudspeakers or two ears.
struct EnvironmentOutput: Equatable {
    let labels: [UInt32]
    let speakers: SpeakerLayout
    let sampleRate: Double

    /// - Parameter sampleRate: the rate it is rendered at, if not the format's.
    init(_ format: AVAudioFormat, sampleRate: Double? = nil) {
        labels = ChannelLayouts.labels(of: format)
        self.sampleRate = sampleRate ?? format.sampleRate
        speakers = Self.ring(format) ?? ChannelLayouts.speakers(labels)
    }

    var channelCount: Int { labels.count }

    /// Regular rings are known by their tag.
    private static func ring(_ format: AVAudioFormat) -> SpeakerLayout? {
        guard let tag = format.channelLayout?.layoutTag, let positions = speakerPositions(for: tag), positions.count == Int(format.channelCount) else { return nil }
        return SpeakerLayout(positions.map { SpeakerLayout.Speaker(azimuth: $0.azimuth, elevation: $0.elevation, isLFE: $0.isLFE) })
    }

    /// What can be heard as it is meant on such an output. One channel has no directions, two have them for ears or as a pan, and
    /// only more have them all around.
    var applicableAlgorithms: [AVAudio3DMixingRenderingAlgorithm] {
        switch channelCount {
        case ...1: [.equalPowerPanning, .auto]
        case 2: [.equalPowerPanning, .sphericalHead, .HRTF, .HRTFHQ, .stereoPassThrough, .auto]
        default: [.equalPowerPanning, .sphericalHead, .HRTF, .soundField, .HRTFHQ, .stereoPassThrough, .auto]
        }
    }
}
