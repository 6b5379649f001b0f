import Foundation
import OssicleDevices
import OssicleTestSupport
import Testing
@testable import OssicleAVFAudio
@testable import PHASE

/// Engines at devices of ALSA's that write what they are given to files.
@Suite(
    .serialized, .enabled(if: AlsaConfiguration.folder != nil && (try? PortOutput(.alsa("nowhere"))) != nil))
struct AlsaEngineTests {
    /// Opened as programs open it that name no device.
    private func serve(_ name: String, _ body: () throws -> Void) throws {
        let device = try PortOutput(.alsa(name))
        try DeviceSubstitutes.$current.withValue(DeviceSubstitutes(output: device)) { try body() }
    }

    /// The frames that a device got, from the first on that is not silent.
    private func written(_ name: String, channels: Int) throws -> [[Float]] {
        let file = try TestFailure.unwrap(AlsaConfiguration.folder).appendingPathComponent(name + ".raw")
        let samples = try Data(contentsOf: file).withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        let frames = stride(from: 0, to: samples.count / channels * channels, by: channels).map {
            Array(samples[$0..<$0 + channels])
        }
        return Array(frames.drop { $0.allSatisfy { $0 == 0 } })
    }

    private func expectConstants(_ name: String, channels: Int) throws {
        // Where the map of the device has the engines' channels: fronts, rears, centre and LFE, sides, heights.
        let places = [0, 1, 6, 7, 2, 3, 4, 5] + (8..<channels)
        let expected = places.map { Float($0 + 1) / 16 }
        let frames = try written(name, channels: channels)
        #expect(frames.count > 9600 && frames.prefix(9600).allSatisfy { $0 == expected })
    }

    @Test("PHASE in 7.1 and 7.1.4: each channel at its place and level, without a gap", arguments: [8, 12])
    func phase(channels: Int) throws {
        let name = channels == 8 ? "eight" : "twelve"
        let constants = (1...channels).map { [Float](repeating: Float($0) / 16, count: 480) }
        let layout = AVAudioChannelLayout.of(channelLabels: try TestFailure.unwrap(DeviceChannels.usual(channels)))
        let (stage, event) = try ToneEngines.phase(constants, layout)
        try serve(name) { try stage.start() }
        event.start(completion: nil)
        Thread.sleep(forTimeInterval: 0.6)
        stage.engine.stop()
        try expectConstants(name, channels: channels)
    }

    @Test("AVAudioEngine in 7.1 and 7.1.4: the same", arguments: [8, 12])
    func engine(channels: Int) throws {
        let name = channels == 8 ? "eight" : "twelve"
        try serve(name) {
            let engine = try ToneEngines.audioEngine(channelCount: channels) { channel, _ in Float(channel + 1) / 16 }
            try engine.start()
            Thread.sleep(forTimeInterval: 0.6)
            engine.stop()
        }
        try expectConstants(name, channels: channels)
    }
}
