import OssicleCodecs
import Testing
@testable import OssicleConversion

@Suite("Trimming")
struct TrimStageTests {
    @Test(
        "Exactly the frames at both ends go, however they come",
        arguments: [(0, 0), (1, 0), (0, 1), (5, 7), (600, 900), (1000, 0), (0, 5000), (99_999, 3)])
    func ends(_ leading: Int, _ trailing: Int) throws {
        for (count, piece) in [(10_000, 4096), (10_000, 1), (10_000, 777), (900, 64), (0, 1)] {
            let ramp = (0..<count).map { Double($0) }
            let out = try ramp.withUnsafeBytes { bytes in
                let source = try SampleSource(PCMFormat(sampleRate: 48_000, channelCount: 1, bits: 64))
                let stage = TrimStage(source, leading: leading, trailing: trailing)
                var given = 0, out: [Double] = []
                while case .frames(let frames) = try stage.next(
                    1000,
                    { _ in
                        guard given < count else { return .endOfStream }
                        let frames = min(piece, count - given)
                        defer { given += frames }
                        return .samples([bytes.baseAddress! + 8 * given], frames: frames)
                    })
                { out += UnsafeBufferPointer(start: frames.planes[0], count: frames.count) }
                return out
            }
            #expect(out == ramp.dropFirst(leading).dropLast(trailing))
        }
    }
}
