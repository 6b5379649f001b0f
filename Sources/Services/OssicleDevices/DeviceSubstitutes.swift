/// Devices in place of the machine's default ones, for what one task opens:
///
///     try DeviceSubstitutes.$current.withValue(DeviceSubstitutes(output: device)) { try engine.start() }
///
/// A test drives them, and so knows when each frame was taken and captured. They are opened as they are, whatever rate
/// and channels are wanted, and as often as somebody opens the default device.
package struct DeviceSubstitutes: Sendable {
    package let output: any OutputDevice
    package let input: (any InputDevice)?

    @TaskLocal package static var current: DeviceSubstitutes?

    package init(output: any OutputDevice, input: (any InputDevice)? = nil) {
        (self.output, self.input) = (output, input)
    }

    /// Throws `DeviceError.noDevice` without one.
    func openInput() throws(DeviceError) -> any InputDevice {
        guard let input else { throw .noDevice(device: "default input", detail: "there is no substitute for it") }
        return input
    }

    /// What there is to be opened.
    var list: DeviceList {
        let output = DeviceInfo(
            id: output.name, name: output.name, direction: .output, sampleRate: output.sampleRate,
            channelCount: output.channelCount, isDefault: true, channelLabels: output.channelLabels,
            latency: output.latency, transducer: output.transducer)
        let input = input.map {
            DeviceInfo(
                id: $0.name, name: $0.name, direction: .input, sampleRate: $0.sampleRate, channelCount: $0.channelCount,
                isDefault: true, latency: $0.latency)
        }
        return DeviceList(outputs: [output], inputs: input.map { [$0] } ?? [])
    }
}
