import Foundation
import OssicleC
import OssicleHeader
import OssicleVoice
import Testing

@Suite("Echo cancellers in C")
struct EchoTests {
    private func sound(_ samples: [Float], channels: Int = 1, rate: Double = 16_000) -> OpaquePointer? {
        made { ossicle_sound_make(samples, samples.count / channels, channels, rate, $0, $1) }.handle
    }

    private static let scene: EchoScene = {
        var settings = EchoScene.Settings()
        (settings.farAlone, settings.both, settings.nearAlone, settings.decay) = (3, 1, 2, 0.3)
        return EchoScene(settings)
    }()

    @Test("half of the near talker alone has lost 6 dB of him and a quarter of the words' energy is there")
    func half() throws {
        let scene = Self.scene
        let handles = [scene.near.map { $0 / 2 }, scene.far, scene.microphone, scene.near].map { sound($0) }
        defer { handles.forEach(ossicle_sound_free) }
        let report = made { ossicle_analyze_echo(handles[0], handles[1], handles[2], handles[3], $0, $1) }.handle
        defer { ossicle_report_free(report) }
        let data = Data(String(cString: try #require(ossicle_report_facts(report))).utf8)
        let facts = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(abs((facts["nearChange"] as? Double ?? 0) + 6.02) < 0.01)
        #expect(abs((facts["wordsKept"] as? Double ?? 0) - 0.25) < 0.001)
        #expect((facts["enhancement"] as? Double ?? 0) > 60 && facts["delay"] as? Double == 0)
        #expect((facts["course"] as? [[String: Double]])?.isEmpty == false)
    }

    @Test("other rates, more channels and no sounds are refused by name")
    func refusals() {
        let (good, stereo, slow) = (sound([0, 0]), sound([0, 0], channels: 2), sound([0, 0], rate: 8_000))
        defer { [good, stereo, slow].forEach(ossicle_sound_free) }
        func object(_ handles: OpaquePointer?...) -> String? {
            made { ossicle_analyze_echo(handles[0], handles[1], handles[2], handles[3], $0, $1) }.refusal?.object
        }
        #expect(object(stereo, good, good, good) == "output")
        #expect(object(good, slow, good, good) == "far")
        #expect(object(good, good, nil, good) == "microphone")
        #expect(object(good, good, good, slow) == "near")
        #expect(object(good, good, good, good) == nil)
    }
}
