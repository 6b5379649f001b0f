@testable import OssicleDevices
import Foundation
import Testing

private func output(_ id: String, rate: Double = 48000, channels: Int = 2, isDefault: Bool = false) -> DeviceInfo {
    DeviceInfo(
        id: id, name: "The \(id)", direction: .output, sampleRate: rate, channelCount: channels, isDefault: isDefault)
}

private func input(_ id: String, isDefault: Bool = false) -> DeviceInfo {
    DeviceInfo(id: id, name: "The \(id)", direction: .input, sampleRate: 48000, channelCount: 1, isDefault: isDefault)
}

@Suite struct DeviceListTests {
    private let desk = DeviceList(
        outputs: [output("speaker", isDefault: true), output("hdmi")], inputs: [input("mic", isDefault: true)])
    private let headset = DeviceList(
        outputs: [output("speaker"), output("hdmi"), output("headset", rate: 16000, channels: 1, isDefault: true)],
        inputs: [input("mic"), input("boom", isDefault: true)])

    @Test("A headset comes and goes: what came, what went, then the defaults")
    func changes() {
        #expect(
            headset.changes(since: desk) == [
                .added("headset"), .added("boom"), .defaultOutput("headset"), .defaultInput("boom"),
            ])
        #expect(
            desk.changes(since: headset) == [
                .removed("headset"), .removed("boom"), .defaultOutput("speaker"), .defaultInput("mic"),
            ])
        #expect(desk.changes(since: desk) == [])
        let between = DeviceList(outputs: [output("hdmi")], inputs: desk.inputs)
        #expect(between.changes(since: desk) == [.removed("speaker")])
        #expect(
            DeviceList().changes(since: desk) == [
                .removed("speaker"), .removed("hdmi"), .removed("mic"), .defaultOutput(nil), .defaultInput(nil),
            ])
    }

    @Test("The monitor of an output is no microphone, even if it is the default input")
    func microphone() {
        let monitor = DeviceInfo(
            id: "speaker.monitor", name: "Monitor", direction: .input, sampleRate: 48000, channelCount: 2,
            isDefault: true, isMonitor: true)
        let deaf = DeviceList(outputs: desk.outputs, inputs: [monitor])
        #expect(deaf.defaultInput == monitor && deaf.defaultMicrophone == nil)
        #expect(desk.defaultMicrophone?.id == "mic")
    }

    @Test("A stream hears of its own way only: the default, its move, its device's format, in this order")
    func route() {
        var route = StreamRoute(.output, at: "speaker", in: desk)
        #expect(route.note(desk, at: "speaker") == [])
        #expect(
            route.note(headset, at: "headset") == [
                .routeChanged(.defaultOutput("headset")), .routeChanged(.moved(to: "headset")),
                .formatChanged(sampleRate: 16000, channelCount: 1),
            ])
        #expect(route.note(headset, at: "headset") == [])
        let music = DeviceList(
            outputs: [output("headset", rate: 48000, channels: 2, isDefault: true)], inputs: headset.inputs)
        #expect(route.note(music, at: "headset") == [.formatChanged(sampleRate: 48000, channelCount: 2)])
    }

    @Test("A stream hears that headphones were plugged in at its own device, and only then")
    func socket() {
        func list(_ transducer: Transducer, elsewhere: Transducer = .unknown) -> DeviceList {
            func sink(_ id: String, _ transducer: Transducer, isDefault: Bool) -> DeviceInfo {
                DeviceInfo(
                    id: id, name: id, direction: .output, sampleRate: 48000, channelCount: 2, isDefault: isDefault,
                    transducer: transducer)
            }
            return DeviceList(outputs: [
                sink("analog", transducer, isDefault: true), sink("hdmi", elsewhere, isDefault: false),
            ])
        }
        var route = StreamRoute(.output, at: "analog", in: list(.builtInSpeakers))
        #expect(route.note(list(.headphones), at: "analog") == [.routeChanged(.transducer(.headphones))])
        #expect(route.note(list(.headphones, elsewhere: .externalSpeakers), at: "analog") == [])
        #expect(
            route.note(list(.headphones, elsewhere: .externalSpeakers), at: "hdmi") == [
                .routeChanged(.moved(to: "hdmi"))
            ])
    }

    @Test("A stream that stays where it is hears that the default is another")
    func stays() {
        var route = StreamRoute(.output, at: "hdmi", in: desk)
        #expect(route.note(headset, at: "hdmi") == [.routeChanged(.defaultOutput("headset"))])
        var recording = StreamRoute(.input, at: "mic", in: desk)
        #expect(recording.note(headset, at: "mic") == [.routeChanged(.defaultInput("boom"))])
    }

    @Test("A device that is gone before the stream is moved makes one move, compared with the device left")
    func gone() {
        var route = StreamRoute(.output, at: "headset", in: headset)
        #expect(route.note(desk, at: "headset") == [.routeChanged(.defaultOutput("speaker"))])
        #expect(
            route.note(desk, at: "speaker") == [
                .routeChanged(.moved(to: "speaker")), .formatChanged(sampleRate: 48000, channelCount: 2),
            ])
    }

    @Test("A card whose file comes and goes is found, also where it can be opened only later")
    func folder() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "ossicle-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var list = DeviceList()
        let directory = DeviceFolder(folder.path) { list }
        #expect(directory.first() == DeviceList() && directory.next() == nil)
        let file = folder.appendingPathComponent("pcmC0D0p")
        try Data().write(to: file)
        #expect(directory.next() == DeviceList())
        list = DeviceList(outputs: [output("card")])
        #expect(directory.next() == list)
        for _ in 0..<8 { _ = directory.next() }
        #expect(directory.next() == nil)
        try FileManager.default.removeItem(at: file)
        list = DeviceList()
        #expect(directory.next()?.changes(since: DeviceList(outputs: [output("card")])) == [.removed("card")])
    }
}
