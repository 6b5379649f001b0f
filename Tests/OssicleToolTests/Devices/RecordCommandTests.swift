import Foundation
import OssicleDevices
import OssicleFiles
import Testing
@testable import ossicle

@Suite("ossicle record")
struct RecordCommandTests {
    @Test("records exactly as long as asked, in the format of the ending", arguments: ["wav", "flac", "caf", "opus"])
    func duration(ending: String) throws {
        let folder = try SoundFolder()
        let path = folder.path("take." + ending)
        let tool = try ToolProcess(["record", path, "--device", "none", "--duration", "0.25", "--channels", "1"])
        #expect(tool.status == 0, "\(tool.errors)")
        let info = try AudioFileReader(path: path).info
        #expect(info.frameCount == 12_000 && info.channelCount == 1 && info.sampleRate == 48_000)
        #expect(String(decoding: tool.output, as: UTF8.self).contains("0.250 s"))
    }

    @Test("ends cleanly at a signal, with a whole file")
    func signal() throws {
        let folder = try SoundFolder()
        let path = folder.path("take.wav")
        let process = Process()
        process.executableURL = ToolProcess.program
        process.arguments = ["record", path, "--device", "none"]
        (process.standardInput, process.standardOutput, process.standardError) = (
            FileHandle.nullDevice, FileHandle.nullDevice, FileHandle.nullDevice
        )
        try process.run()
        for _ in 0..<2000 where FileSystem.size(path) < 20_000 { Thread.sleep(forTimeInterval: 0.01) }
        process.terminate()
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 0)
        let reader = try AudioFileReader(path: path)
        #expect(reader.info.frameCount > 2000 && reader.warnings.isEmpty)
    }

    @Test("refuses what it could not write, before a device is opened")
    func refusals() throws {
        let folder = try SoundFolder()
        let path = folder.path("there.wav")
        try Data().write(to: URL(fileURLWithPath: path))
        for (path, bits, cure) in [
            (path, 24, "--overwrite"), (folder.path("take.doc"), 24, "--format"),
            (folder.path("take.flac"), 12, "16, 24"),
        ] {
            #expect {
                _ = try RecordingTarget(path, format: nil, bits: bits, overwrites: false)
            } throws: {
                "\($0)".contains(cure)
            }
        }
    }

    @Test("the ring hands over every frame in order, and counts what does not fit")
    func ring() {
        let ring = CaptureRing(channelCount: 2, frames: 100)
        var (next, wanted) = (0, 0)
        func write(_ count: Int) {
            var (left, right) = ((0..<count).map { Float(next + $0) }, (0..<count).map { -Float(next + $0) })
            left.withUnsafeMutableBufferPointer { left in
                right.withUnsafeMutableBufferPointer { right in
                    guard let one = left.baseAddress, let two = right.baseAddress else { return }
                    withUnsafeTemporaryAllocation(of: UnsafeMutablePointer<Float>.self, capacity: 2) { planes in
                        (planes[0], planes[1]) = (one, two)
                        guard let base = planes.baseAddress else { return }
                        ring.write(
                            InputBlock(channels: UnsafePointer(base), channelCount: 2, frameCount: count, hostTime: 0))
                    }
                }
            }
            next += count
        }
        for count in [60, 30, 64, 1, 90] {
            write(count)
            ring.drain(atMost: .max) { planes, frames in
                for frame in 0..<frames {
                    #expect(planes[0][frame] == Float(wanted) && planes[1][frame] == -Float(wanted))
                    wanted += 1
                }
            }
        }
        #expect(wanted == next && ring.lostFrames == 0)
        write(130)
        #expect(ring.lostFrames == 30 && ring.waiting == 100)
    }

    @Test("the level is a bar of 60 dB, and a number")
    func level() {
        #expect(PeakMeter.bar(1, width: 6) == "▕██████▏   0.0 dB")
        #expect(PeakMeter.bar(0.031_622_8, width: 6) == "▕███░░░▏ −30.0 dB")
        #expect(PeakMeter.bar(0, width: 6) == "▕░░░░░░▏    −∞ dB")
    }
}
