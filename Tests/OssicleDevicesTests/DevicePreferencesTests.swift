@testable import OssicleDevices
import Testing

@Suite struct DevicePreferencesTests {
    @Test(
        "A block lasts as long as is asked for, within what devices can do",
        arguments: [
            (nil, 512), (0.005, 240), (0.1, 4800), (1e-9, 16), (1, 8192), (-1, 512), (.nan, 512), (.infinity, 8192),
        ] as [(Double?, Int)])
    func quantum(_ duration: Double?, _ frames: Int) {
        var preferences = DevicePreferences()
        preferences.bufferDuration = duration
        #expect(preferences.quantum(at: 48000) == frames)
    }

    @Test("A rate that no device has is passed over")
    func rate() {
        var preferences = DevicePreferences()
        for (asked, rate) in [(44100, 44100), (1, nil), (.nan, nil), (1e9, nil)] as [(Double, Double?)] {
            preferences.sampleRate = asked
            #expect(preferences.possibleRate == rate)
        }
    }

    @Test("A device that is not there gives way to the default; other errors stand")
    func absent() throws {
        let preferences = DevicePreferences()
        let opened = try preferences.open("gone", sampleRate: nil) { id, _ in
            if let id { throw DeviceError.noDevice(device: id, detail: "unplugged") }
            return "default"
        }
        #expect(opened == "default")
        #expect(throws: DeviceError.refused(device: "busy", code: 1)) {
            try preferences.open("busy", sampleRate: nil) { id, _ in
                throw DeviceError.refused(device: id ?? "", code: 1)
            }
        }
    }
}
