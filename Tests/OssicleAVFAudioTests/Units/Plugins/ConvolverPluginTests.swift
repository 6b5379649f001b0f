import Foundation
import OssicleAudioToolbox
import OssicleTestSupport
import Testing
@testable import OssicleAVFAudio

/// A plug-in of other people's that plays nothing before a message names a file.
@Suite(
    "x42's convolver",
    .enabled(if: FileManager.default.fileExists(atPath: "/usr/lib/lv2/convo.lv2"), "needs Debian's x42-plugins"))
struct ConvolverPluginTests {
    private static let project = "http://gareus.org/oss/lv2/convoLV2", property = project + "#impulse"
    private static let response: [Int: Float] = [0: 0.5, 100: 0.25, 777: -0.125]
    /// What the plug-in scales responses by.
    private static let gain: Float = 0.5

    private func unit() throws -> AUAudioUnit {
        _ = AVAudioUnitComponentManager.shared().components(matching: AudioComponentDescription())
        let unit = try AUAudioUnit(
            componentDescription: AudioComponentDescription(
                componentType: kAudioUnitType_Effect, componentSubType: PluginComponents.code(Self.project + "#Mono"),
                componentManufacturer: PluginComponents.code(Self.project), componentFlags: 0, componentFlagsMask: 0))
        unit.isRenderingOffline = true
        return unit
    }

    private func write(_ url: URL) throws {
        let format = OfflineRig.format(48_000, 1)
        let file = try AVAudioFile(forWriting: url, settings: format.settings)
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 1000))
        buffer.frameLength = 1000
        let plane = try #require(buffer.floatChannelData)[0]
        for frame in 0..<1000 { plane[frame] = Self.response[frame] ?? 0 }
        try file.write(from: buffer)
        file.close()
    }

    /// Greatest difference from the response of an impulse at a frame.
    private func error(of sound: ArraySlice<Float>) -> Float {
        zip(sound, 0...).map { abs($0 - Self.gain * (Self.response[$1] ?? 0)) }.max() ?? .infinity
    }

    @Test("It is silent until an impulse response is named, and plays it then; a state names it to another unit")
    func response() throws {
        let url = URL(fileURLWithPath: NSTemporaryDirectory() + "response \(getpid()).wav")
        defer { try? FileManager.default.removeItem(at: url) }
        try write(url)
        let unit = try unit()
        #expect(unit.pluginPathProperties == [Self.property])
        // It wants all blocks as long as the longest.
        let host = try UnitHost(unit, channels: 1, maximum: 512) { frame, _ in
            frame < 1024 ? OfflineRig.noise(frame, 0) : frame == 4096 ? 1 : 0
        }
        #expect(Measure.peak(host.render(1024)[0]) == 0)
        try unit.setPluginPath(url, forProperty: Self.property)
        let sound = host.render(8192)[0]
        #expect(error(of: sound[3072...]) < 1e-4, "\(sound.enumerated().filter { abs($0.element) > 1e-3 }.prefix(9))")
        let other = try self.unit()
        other.fullState = unit.fullState
        let second = try UnitHost(other, channels: 1, maximum: 512) { frame, _ in frame == 4096 ? 1 : 0 }
        let again = second.render(8192)[0]
        #expect(error(of: again[4096...]) < 1e-4, "\(again.enumerated().filter { abs($0.element) > 1e-3 }.prefix(9))")
    }
}
