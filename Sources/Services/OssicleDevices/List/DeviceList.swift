/// The devices of a sound server at one moment.
package struct DeviceList: Sendable, Hashable {
    package let outputs: [DeviceInfo]
    package let inputs: [DeviceInfo]

    package init(outputs: [DeviceInfo] = [], inputs: [DeviceInfo] = []) {
        (self.outputs, self.inputs) = (outputs, inputs)
    }

    /// Asks the server; throws `DeviceError.noServer` within two seconds where none answers.
    /// - Parameter server: as in PULSE_SERVER; nil for the user's own.
    package static func current(server: String? = nil) throws(DeviceError) -> DeviceList {
        let name = PulseServer.name(server)
        return try PulseDirectory.list(device: name, server: PulseServer.found(server, device: name))
    }

    package var defaultOutput: DeviceInfo? { outputs.first(where: \.isDefault) }
    /// Where there is no microphone, servers say the monitor of the default output here.
    package var defaultInput: DeviceInfo? { inputs.first(where: \.isDefault) }
    /// The default input if it is a microphone: what `DefaultInput` opens.
    package var defaultMicrophone: DeviceInfo? { defaultInput.flatMap { $0.isMonitor ? nil : $0 } }

    package subscript(direction: DeviceInfo.Direction) -> [DeviceInfo] {
        switch direction {
        case .output: outputs
        case .input: inputs
        }
    }

    package func `default`(_ direction: DeviceInfo.Direction) -> DeviceInfo? { self[direction].first(where: \.isDefault) }
}
