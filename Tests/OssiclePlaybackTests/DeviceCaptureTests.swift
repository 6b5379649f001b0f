import OssicleDevices
import OssiclePlayback
import OssicleTestSupport
import Testing

/// What is captured when an input goes and another comes.
@Suite struct DeviceCaptureTests {
    @Test func `what waited when an input went is read first and once, then what the next captures`() throws {
        let first = DrivenInput(origin: HostClock.now) { frame, _ in Float(1 + frame) }
        let earlier = DeviceCapture(first, outputQuantum: 512)
        try earlier.start { _ in }
        first.capture(blocks: 10)
        #expect(read(earlier, frames: 512) == (1...512).map { Float($0) })
        #expect(first.stop() && earlier.readableFrames == 2048)

        let second = DrivenInput(origin: HostClock.now) { frame, _ in Float(10_001 + frame) }
        let later = DeviceCapture(second, outputQuantum: 512, after: earlier)
        try later.start { _ in }
        // Two blocks come meanwhile, fewer than the reader waits for.
        second.capture(blocks: 2)
        let rest = (0..<5).flatMap { _ in read(later, frames: 500) }
        #expect(rest == (513...2560).map { Float($0) } + Array(repeating: 0, count: 2500 - 2048))
        second.capture(blocks: 4)
        #expect(read(later, frames: 512) == (10_001...10_512).map { Float($0) })
    }

    private func read(_ capture: DeviceCapture, frames: Int) -> [Float] {
        var plane = [Float](repeating: -1, count: frames)
        plane.withUnsafeMutableBufferPointer { plane in
            withUnsafePointer(to: plane.baseAddress!) {
                _ = capture.read(
                    into: UnsafeRawPointer($0).assumingMemoryBound(to: UnsafeMutablePointer<Float>.self),
                    channelCount: 1, frameCount: frames, hostTime: HostClock.now, for: nil)
            }
        }
        return plane
    }
}
