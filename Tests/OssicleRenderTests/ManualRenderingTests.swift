import Testing

@testable import OssicleRender

@Suite struct ManualRenderingTests {
    private static let kinds: [SampleForm.Kind] = [.float32, .float64, .int16, .int32]

    @Test("Samples of every form come back as they were written", arguments: kinds, [false, true])
    func roundTrip(kind: SampleForm.Kind, isInterleaved: Bool) {
        let format = Format(sampleForm: SampleForm(kind, channels: 2, isInterleaved: isInterleaved))
        let buffers = Buffers(format.sampleForm, frames: 4)
        let sound: [[Float]] = [[0.5, -0.25, 0, -1], [0.125, 0.75, -0.5, 0.25]]
        let writer = SampleWriter(format)
        for channel in 0..<2 {
            writer.write(sound[channel], channel: channel, to: buffers.memory[isInterleaved ? 0 : channel], frames: 4)
        }
        var planes = [Float](repeating: 9, count: 16)
        #expect(SampleReader(format).read(buffers, 8, to: &planes, stride: 8) == 4)
        #expect(Array(planes[0..<4]) == sound[0] && Array(planes[8..<12]) == sound[1])
    }

    @Test("A list without memory, or with too few buffers, has no frames")
    func emptyLists() {
        let format = Format(sampleForm: SampleForm(.float32, channels: 2, isInterleaved: false))
        let buffers = Buffers(format.sampleForm, frames: 4)
        var planes = [Float](repeating: 0, count: 8)
        buffers.isLent = true
        #expect(SampleReader(format).read(buffers, 4, to: &planes, stride: 4) == 0)
        let mono = Buffers(SampleForm(.float32, channels: 1, isInterleaved: false), frames: 4)
        #expect(SampleReader(format).read(mono, 4, to: &planes, stride: 4) == 0)
    }

    @Test("Rendering fills the client's buffers, lends memory where there is none, and refuses what does not fit")
    func rendering() {
        let form = SampleForm(.int16, channels: 2, isInterleaved: true)
        let manual = ManualRendering(Format(sampleForm: form), maximumFrames: 64, isOffline: true)
        let executor = Executor(), buffers = Buffers(form, frames: 64)
        buffers.memory[0].storeBytes(of: 7, as: Int16.self)
        var slices: [Int] = []
        #expect(manual.render(50, with: executor, into: buffers, slice: 20) { slices.append($0) })
        #expect(slices == [20, 20, 10] && executor.position == 50)
        #expect(buffers.sizes == [200] && buffers.memory[0].load(as: Int16.self) == 0)
        // The buffer has its new size now.
        #expect(!manual.render(51, with: executor, into: buffers))
        let lent = Buffers(form, frames: 0)
        lent.isLent = true
        #expect(manual.render(64, with: executor, into: lent) && lent.received[0] != nil)
        #expect(lent.sizes == [256])
        let planar = Buffers(SampleForm(.int16, channels: 2, isInterleaved: false), frames: 64)
        #expect(!manual.render(1, with: executor, into: planar))
    }

    @Test("A call enters an open gate that no other call is in")
    func gate() {
        let form = SampleForm(.float32, channels: 1, isInterleaved: false)
        let manual = ManualRendering(Format(sampleForm: form), maximumFrames: 64, isOffline: false)
        let gate = RenderGate()
        #expect(manual.enter(gate, frames: 65) == .tooManyFrames)
        #expect(manual.enter(gate, frames: 64) == .notRunning)
        gate.openUp()
        #expect(manual.enter(gate, frames: 64) == nil)
        #expect(manual.enter(gate, frames: 64) == .busy)
        gate.leave()
        #expect(manual.enter(gate, frames: 64) == nil)
        gate.leave()
    }
}

private struct Format: SampleFormat {
    let sampleForm: SampleForm
}

/// Buffers of a client. A lent list brings no memory.
private final class Buffers: SampleBufferList {
    let memory: [UnsafeMutableRawPointer]
    var isLent = false
    private(set) var sizes: [Int]
    private(set) var received: [UnsafeMutableRawPointer?]

    init(_ form: SampleForm, frames: Int) {
        let bytes = frames * form.bytesPerFrame
        memory = (0..<form.bufferCount).map { _ in .allocate(byteCount: bytes, alignment: 16) }
        sizes = memory.map { _ in bytes }
        received = memory.map { _ in nil }
    }

    deinit { memory.forEach { $0.deallocate() } }

    var bufferCount: Int { memory.count }

    func samples(ofBuffer index: Int) -> UnsafeMutableRawPointer? { received[index] ?? (isLent ? nil : memory[index]) }

    func byteCount(ofBuffer index: Int) -> Int { sizes[index] }

    func setBuffer(_ index: Int, channels: Int, samples: UnsafeMutableRawPointer, byteCount: Int) {
        received[index] = samples
        sizes[index] = byteCount
    }
}
