import OssicleCoreAudioTypes
import OssicleDevices
import OssiclePlayback

/// The formats of an engine's devices, as far as they are known. Under the engine's lock.
struct HardwareFormats {
    var output = AVAudioFormat(standardFormatWithSampleRate: 48000, channels: 2) ?? .initial
    /// Channels of the default input.
    private var captureChannels = 0
    /// Whether the devices' formats have been read.
    var isKnown = false
    var staysOnWhenDevicesChange = false
    /// Whether the input is recorded rather than heard: late is better than lost.
    var recordsAll = false
    /// Whether voice processing is on, at both ends.
    var processesVoice = false
    /// Of other programs, while voice processing is on.
    var ducking = VoiceDucking()
    /// The output to open, in the words of `DeviceChoice`; `nil` for the default.
    var outputDevice: String?

    var capture: AVAudioFormat {
        guard captureChannels > 0 else { return .none }
        return AVAudioFormat(
            standardFormatWithSampleRate: output.sampleRate,
            channels: processesVoice ? 1 : AVAudioChannelCount(min(captureChannels, 2)))
            ?? .none
    }

    /// Reads once what devices there are.
    mutating func learn() {
        if isKnown { return }
        isKnown = true
        guard let list = try? DeviceList.standard() else { return }
        let preferences = DevicePreferences.current
        if !RecordAccess.shared.isDenied, let microphone = list.defaultMicrophone {
            captureChannels = preferences.inputChannels ?? microphone.channelCount
        }
        guard let device = list.defaultOutput else { return }
        let channelCount = preferences.outputChannels ?? device.channelCount
        adopt(
            sampleRate: device.sampleRate, channelCount: channelCount,
            labels: DeviceChannels.rendered(channelCount, stated: device.channelLabels))
    }

    mutating func adopt(_ device: any OutputDevice) {
        adopt(sampleRate: device.sampleRate, channelCount: device.channelCount, labels: device.channelLabels)
    }

    /// - Parameter labels: of the channels; `nil` for one or two, and where they are unknown.
    mutating func adopt(sampleRate: Double, channelCount: Int, labels: [AudioChannelLabel]?) {
        output =
            AVAudioChannelLayout.ofDevice(channelCount, labels).map {
                AVAudioFormat(standardFormatWithSampleRate: sampleRate, channelLayout: $0)
            }
            ?? AVAudioFormat(standardFormatWithSampleRate: sampleRate, channels: AVAudioChannelCount(channelCount))
            ?? output
    }
}

extension AVAudioChannelLayout {
    /// Of a device with so many channels, in the order in which it is given them; `nil` for one or two.
    /// - Parameter labels: as `DeviceChannels.rendered` gives them; without them the channels are discrete.
    static func ofDevice(_ channelCount: Int, _ labels: [AudioChannelLabel]?) -> AVAudioChannelLayout? {
        guard channelCount > 2 else { return nil }
        return labels.map(AVAudioChannelLayout.init(labels:))
            ?? AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_DiscreteInOrder | UInt32(channelCount))
    }
}

/// When an engine's device may rest. Under the engine's lock.
struct AutoShutdown {
    /// Seconds without a player that plays, before the device is halted.
    private static let patience = 3.0

    var isEnabled = false
    /// Halted for want of something to play.
    private(set) var isIdle = false
    /// Engine frame at which something played or recorded last.
    var lastAwake: Int64 = 0

    mutating func wake(at position: Int64) {
        isIdle = false
        lastAwake = position
    }

    /// Whether the device is to be halted now.
    mutating func beginsIdling(at position: Int64, rate: Double) -> Bool {
        guard !isIdle, Double(position - lastAwake) > Self.patience * rate else { return false }
        isIdle = true
        return true
    }
}
