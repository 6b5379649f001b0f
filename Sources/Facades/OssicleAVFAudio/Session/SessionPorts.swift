import OssicleChannels
import OssicleCoreAudioTypes
import OssicleDevices

/// The ports of a machine, or simulated ones. The first of each is the default.
struct SessionPorts: Sendable {
    var inputs: [AVAudioSessionPortDescription]
    var outputs: [AVAudioSessionPortDescription]
    /// Hz.
    var sampleRate = 48_000.0
    /// Of the default output, 0 … 1; 1 where it is not known.
    var outputVolume = 1.0

    /// The devices of a server. Without one there is no input, and the output is a silent clock.
    init(_ devices: DeviceList) {
        let microphones = devices.inputs.filter { !$0.isMonitor }
        inputs = SessionPorts.defaultFirst(microphones).map(AVAudioSessionPortDescription.init)
        let outputs = SessionPorts.defaultFirst(devices.outputs)
        self.outputs = outputs.isEmpty ? [.silence] : outputs.map(AVAudioSessionPortDescription.init)
        sampleRate = outputs.first?.sampleRate ?? 48_000
        outputVolume = min(outputs.first?.volume ?? 1, 1)
    }

    init(inputs: [AVAudioSessionPortDescription], outputs: [AVAudioSessionPortDescription]) {
        self.inputs = inputs
        self.outputs = outputs
    }

    private static func defaultFirst(_ devices: [DeviceInfo]) -> [DeviceInfo] {
        devices.filter(\.isDefault) + devices.filter { !$0.isDefault }
    }
}

extension AVAudioSessionPortDescription {
    /// Where sound goes without a server.
    static let silence = AVAudioSessionPortDescription(
        type: .virtual, name: "Silent clock", uid: "ossicle.silence", channelLabels: usualLabels(2))

    convenience init(_ device: DeviceInfo) {
        self.init(
            type: AVAudioSession.Port(device), name: device.name, uid: device.id,
            channelLabels: device.channelLabels ?? Self.usualLabels(device.channelCount))
    }

    /// The labels of a device with so many channels.
    static func usualLabels(_ count: Int) -> [AudioChannelLabel] {
        AVAudioChannelLayout.ofDevice(count, DeviceChannels.rendered(count))?.channelLabels ?? ChannelLabel.usual(count)
            ?? []
    }
}

extension AVAudioSession.Port {
    /// The type of a device, by the server's name of it, which names the bus and the kind of socket, and by what an
    /// output's sound comes out of.
    init(_ device: DeviceInfo) {
        let name = device.id.lowercased()
        let isInput = device.direction == .input
        self =
            if name.contains("bluez") {
                isInput || name.contains("headset") ? .bluetoothHFP : .bluetoothA2DP
            } else if name.contains("usb") {
                .usbAudio
            } else if name.contains("hdmi") {
                .HDMI
            } else if device.transducer == .headphones {
                .headphones
            } else if device.transducer == .externalSpeakers {
                .lineOut
            } else if name.contains("alsa") {
                isInput ? .builtInMic : .builtInSpeaker
            } else {
                .virtual
            }
    }
}
