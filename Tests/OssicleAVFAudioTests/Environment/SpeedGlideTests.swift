import Foundation
import OssicleCoreAudioTypes
import OssicleDSP
import OssicleTestSupport
import Testing
@testable import OssicleAVFAudio

/// A source whose `rate` glides at an environment needs few filters, all made ahead.
@Suite struct SpeedGlideTests {
    /// 0.5 to 2, but not 1: at that a source goes on in the environment's own clock.
    private static let speeds = (0..<3000).map { Float(0.5) + Float($0) / 2000 }.filter { $0 != 1 }

    @Test func `a glide keeps the pitch of each speed`() throws {
        let rig = try EnvironmentRig()
        let source = try rig.add([Signal.sine(1000, count: 400_000, amplitude: 0.5)])
        source.rate = 0.9
        for speed in [Float(0.75), 1.26, 1.99] {
            for step in 0..<40 {
                source.rate += (speed - source.rate) * Float(step + 1) / 40
                _ = try rig.render(128)
            }
            let sound = try rig.render(9600)[0]
            let (at, beside) = (
                Measure.tone(1000 * Double(source.rate), in: Array(sound.suffix(4800))).amplitude,
                Measure.tone(1000, in: Array(sound.suffix(4800))).amplitude
            )
            #expect(at > 0.1 && beside < 0.01 * at, "\(speed): \(at) and \(beside)")
        }
    }

    #if os(Linux)
    @Test func `speeds that were never set before cost no memory`() async {
        await #expect(processExitsWith: .success) {
            let rig = try EnvironmentRig()
            let source = try rig.add([[Float](repeating: 0.25, count: 48_000)])
            func glide(_ speeds: [Float]) throws {
                for speed in speeds {
                    source.rate = speed
                    _ = try rig.render(16)
                }
            }
            try glide(SpeedGlideTests.speeds.enumerated().filter { $0.offset % 100 == 0 }.map(\.element))
            let before = try HeapUse.bytes()
            try glide(SpeedGlideTests.speeds.enumerated().filter { $0.offset % 10 == 5 }.map(\.element))
            // A filter of its own takes 280 KB; there were three hundred speeds.
            let growth = try HeapUse.bytes() - before
            #expect(growth < 4 << 20, "\(growth) bytes")
        }
    }
    #endif
}
