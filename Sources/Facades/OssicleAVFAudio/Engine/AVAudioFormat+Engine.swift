import OssicleCoreAudioTypes
import OssicleNodes
import OssiclePlayback
import OssicleRender

// Formats as the engine's graph, its manual rendering and its taps use them.

extension AVAudioFormat {
    /// What a bus has before anybody chose.
    static let initial = AVAudioFormat(
        unchecked: AVAudioCommonFormat.pcmFormatFloat32.description(sampleRate: 44100, channels: 2, interleaved: false))

    /// The format of what is not there.
    static let none = AVAudioFormat(
        unchecked: AVAudioCommonFormat.pcmFormatFloat32.description(sampleRate: 0, channels: 0, interleaved: false))

    /// The same rate and channels in the form that connections carry.
    var standardCounterpart: AVAudioFormat { isStandard ? self : standard(atRate: sampleRate) ?? .initial }

    /// The same channels at another rate, in the form that connections carry.
    func standard(atRate rate: Double) -> AVAudioFormat? {
        channelLayout.map { AVAudioFormat(standardFormatWithSampleRate: rate, channelLayout: $0) }
            ?? AVAudioFormat(standardFormatWithSampleRate: rate, channels: channelCount)
    }
}

extension AVAudioFormat: BusFormat {
    package var channels: Int { Int(channelCount) }
}

extension AVAudioFormat: SampleFormat {
    package var sampleForm: SampleForm {
        let kind: SampleForm.Kind =
            switch commonFormat {
            case .pcmFormatFloat32: .float32
            case .pcmFormatFloat64: .float64
            case .pcmFormatInt16: .int16
            case .pcmFormatInt32: .int32
            case .otherFormat:
                .other(
                    bytes: Int(streamDescription.pointee.mBytesPerFrame / (isInterleaved ? max(channelCount, 1) : 1)))
            }
        return SampleForm(kind, channels: Int(channelCount), isInterleaved: isInterleaved)
    }
}

extension AVAudioFormat: TapFormat {
    package func makeTapBuffer(capacity: Int) -> (any TapBuffer)? {
        AVAudioPCMBuffer(pcmFormat: self, frameCapacity: AVAudioFrameCount(capacity))
    }
}
