import Foundation
import OssicleDevices
import Testing
@testable import ossicle

@Suite("ossicle devices")
struct DevicesCommandTests {
    private let surround = DeviceInfo(
        id: "alsa_output.hdmi", name: "HDMI\nin the hall", direction: .output, sampleRate: 48000, channelCount: 6,
        isDefault: true, channelLabels: [1, 2, 3, 4, 5, 6], latency: 0.0123)
    private let busy = DeviceInfo(
        id: "alsa:hw:0", name: "Card", direction: .input, sampleRate: 44100, channelCount: 0, backend: .alsa)

    @Test("prints a line for each device in columns, the default marked, names on one line")
    func table() {
        let lines = DeviceTable([surround, busy]).text.split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines[1].hasPrefix("*  pulse") && lines[1].contains("6 (5.1)") && lines[1].contains("12.3 ms"))
        #expect(lines[1].hasSuffix("HDMI in the hall"))
        #expect(lines[2].contains("in use") && lines[2].contains("44100 Hz") && lines[2].hasSuffix("Card"))
    }

    @Test("writes the same for programs, without what is not known")
    func json() throws {
        let text = try DeviceRow.document([DeviceRow(surround), DeviceRow(busy)])
        let rows = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
        #expect(rows[0]["default"] as? Bool == true && rows[0]["latency"] as? Double == 0.0123)
        #expect(rows[0]["channelLabels"] as? [Int] == [1, 2, 3, 4, 5, 6])
        #expect(rows[1]["latency"] == nil && rows[1]["backend"] as? String == "alsa")
        #expect(rows[1]["monitor"] as? Bool == false)
    }

    @Test("tries a device: how its thread is scheduled, latency, dropouts; what makes no sense with that is refused")
    func trial() throws {
        let tool = try ToolProcess(["devices", "--try", "0.1", "--device", "none"])
        let text = String(decoding: tool.output, as: UTF8.self)
        #expect(tool.status == 0 && text == "null device, 0.1 s: ordinary; latency 0.0 ms; 0 dropouts\n")
        for arguments in [["--try", "0"], ["--device", "none"], ["--json", "--watch"]] {
            #expect(try ToolProcess(["devices"] + arguments).status == 64)
        }
    }

    @Test("names what comes and goes in a line each, and nothing else")
    func follow() {
        #expect(DeviceFollower.line(.routeChanged(.added("headset")), .pulse) == "pulse  added    headset")
        #expect(DeviceFollower.line(.routeChanged(.removed("jack:Box")), .jack) == "jack  removed  jack:Box")
        #expect(DeviceFollower.line(.routeChanged(.defaultOutput(nil)), .alsa) == "alsa  default output  none")
        #expect(DeviceFollower.line(.started, .pulse) == nil)
    }

    @Test("lists the silent clock last on every machine, and names no library of a sound server to the linker")
    func process() throws {
        let tool = try ToolProcess(["devices", "--json"])
        let rows = try #require(try JSONSerialization.jsonObject(with: tool.output) as? [[String: Any]])
        #expect(tool.status == 0 && rows.last?["backend"] as? String == "none")
        #expect(rows.count { $0["default"] as? Bool == true && $0["direction"] as? String == "output" } == 1)
        let loader = Process()
        let names = Pipe()
        loader.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        loader.arguments = ["ldd", ToolProcess.program.path]
        loader.standardOutput = names
        try loader.run()
        let text = String(decoding: names.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        loader.waitUntilExit()
        #expect(text.contains("libc.so") && !text.contains("libpulse") && !text.contains("libjack"))
        #expect(!text.contains("libasound"))
    }
}
