@testable import OssicleDevices
import Testing

private func device(
    _ id: String, _ name: String, _ backend: DeviceBackend = .pulse, isDefault: Bool = false, isMonitor: Bool = false
) -> DeviceInfo {
    DeviceInfo(
        id: id, name: name, direction: .output, sampleRate: 48000, channelCount: 2, isDefault: isDefault,
        isMonitor: isMonitor, backend: backend)
}

@Suite struct DeviceChoiceTests {
    private let desk = [
        device("alsa_output.pci", "Built-in Audio"), device("alsa_output.usb", "Headset, left of the desk"),
        device("jack:system", "system (JACK)", .jack, isDefault: true), device("alsa:hw:CARD=USB", "USB box", .alsa),
    ]

    private func found(_ words: String) throws -> String? {
        try DeviceChoice(words)?.find(in: desk, direction: .output)?.id
    }

    @Test("Words are a backend, a device of one, or a device of any; none of them is no choice")
    func words() {
        #expect(DeviceChoice("") == nil && DeviceChoice(" Default ") == nil)
        let jack = DeviceChoice("JACK")
        #expect(jack?.backend == .jack && jack?.device == nil)
        let hardware = DeviceChoice("alsa:hw:0")
        #expect(hardware?.backend == .alsa && hardware?.device == "hw:0")
        let silent = DeviceChoice("none:x")
        #expect(silent?.backend == DeviceBackend.none && silent?.device == nil)
        let named = DeviceChoice("hw:0")
        #expect(named?.backend == nil && named?.device == "hw:0")
    }

    @Test("A device is found by identifier, name, the backend's own name, or a part that no other has")
    func find() throws {
        #expect(try found("alsa_output.usb") == "alsa_output.usb")
        #expect(try found("BUILT-IN audio") == "alsa_output.pci")
        #expect(try found("hw:card=usb") == "alsa:hw:CARD=USB")
        #expect(try found("headset") == "alsa_output.usb")
        #expect(try found("trumpet") == nil)
        // A backend alone means its default.
        #expect(try DeviceChoice("jack")?.find(in: desk, direction: .output)?.id == "jack:system")
    }

    @Test("A part that two devices have is an error that names both")
    func ambiguous() throws {
        let choice = try #require(DeviceChoice("alsa_output"))
        #expect {
            _ = try choice.find(in: desk, direction: .output)
        } throws: {
            "\($0)".contains("alsa_output.pci, alsa_output.usb")
        }
    }

    @Test("A microphone goes before the monitor of an output with the same name")
    func monitor() throws {
        let inputs = [
            device("card.monitor", "Monitor of Built-in Audio", isMonitor: true), device("card.mic", "Built-in Mic"),
        ]
        let choice = try #require(DeviceChoice("built-in"))
        #expect(try choice.find(in: inputs, direction: .input)?.id == "card.mic")
        let monitor = try #require(DeviceChoice("monitor of"))
        #expect(try monitor.find(in: inputs, direction: .input)?.id == "card.monitor")
    }

    @Test("The environment chooses: a device for outputs, a backend for both, inputs by a variable of their own")
    func environment() {
        func choice(_ direction: DeviceInfo.Direction, _ variables: [String: String]) -> DeviceChoice? {
            DeviceChoice.ofEnvironment(direction, variables)
        }
        #expect(choice(.output, [:]) == nil && choice(.input, [:]) == nil)
        #expect(choice(.output, ["OSSICLE_DEVICE": "headset"])?.device == "headset")
        #expect(choice(.input, ["OSSICLE_DEVICE": "headset"]) == nil)
        #expect(choice(.input, ["OSSICLE_DEVICE": "none"])?.backend == DeviceBackend.none)
        #expect(choice(.input, ["OSSICLE_DEVICE": "none", "OSSICLE_INPUT_DEVICE": "mic"])?.device == "mic")
    }

    @Test("Whoever names the silent clock gets it, whatever the machine has, in the format asked for")
    func silent() throws {
        let output = try Devices.output("none", FormatWishes(sampleRate: 44100, channelCount: 6, quantum: 256))
        #expect(output.isSilent && output.sampleRate == 44100 && output.channelCount == 6 && output.quantum == 256)
        let input = try Devices.input("None", FormatWishes(channelCount: 1))
        #expect(input.isSilent && input.sampleRate == 48000 && input.channelCount == 1)
        let list = DeviceList.everything()
        #expect(list.outputs.last?.backend == DeviceBackend.none && list.inputs.last?.backend == DeviceBackend.none)
        #expect(list.outputs.count(where: \.isDefault) == 1)
    }

    @Test("Errors of every kind name the device and what to do")
    func errors() {
        let errors: [DeviceError] = [
            .wrongRate(device: "JACK server", sampleRate: 44100, offered: 48000), .busy(device: "JACK server"),
            .rejected(device: "JACK server", detail: "full"), .gone(device: "JACK server", detail: "unplugged"),
            .noServer(device: "JACK server", detail: "none runs"), .noDevice(device: "JACK server", detail: "no ports"),
        ]
        for error in errors {
            #expect(error.description.hasPrefix("JACK server") && error.description.contains(": "))
            #expect(error.description.hasSuffix("."))
        }
    }
}
