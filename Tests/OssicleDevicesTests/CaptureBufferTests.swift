@testable import OssicleDevices
import Foundation
import Synchronization
import Testing

/// Both ends of a capture buffer in one hand: every captured frame carries its own number, so that a test sees which
/// ones came out.
private final class Bench {
    let buffer: CaptureBuffer
    private let memory: UnsafeMutablePointer<Float>
    private let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private(set) var captured = 0
    static let room = 8192

    init(_ buffer: CaptureBuffer, outputs: Int = 2) {
        self.buffer = buffer
        memory = .allocate(capacity: outputs * Bench.room)
        memory.initialize(repeating: .nan, count: outputs * Bench.room)
        channels = .allocate(capacity: outputs)
        for channel in 0..<outputs { (channels + channel).initialize(to: memory + channel * Bench.room) }
    }

    deinit {
        channels.deallocate()
        memory.deallocate()
    }

    /// Frame n holds n + 1 in channel 0, -(n + 1) in channel 1.
    func write(_ count: Int, hostTime: UInt64 = 0) {
        for frame in 0..<count {
            channels[0][frame] = Float(captured + frame + 1)
            channels[1][frame] = -Float(captured + frame + 1)
        }
        captured += count
        buffer.write(InputBlock(channels: channels, channelCount: 2, frameCount: count, hostTime: hostTime))
    }

    func read(_ count: Int, outputs: Int = 2, hostTime: UInt64 = 0) -> [[Float]] {
        memory.update(repeating: .nan, count: outputs * Bench.room)
        buffer.read(into: channels, channelCount: outputs, frameCount: count, hostTime: hostTime)
        return (0..<outputs).map { Array(UnsafeBufferPointer(start: channels[$0], count: count)) }
    }
}

private func numbers(_ range: ClosedRange<Int>) -> [Float] { range.map { Float($0) } }
private func silence(_ count: Int) -> [Float] { Array(repeating: 0, count: count) }

@Suite struct CaptureBufferTests {
    private func bench(target: Int = 8, outputs: Int = 2) -> Bench {
        Bench(
            CaptureBuffer(
                channelCount: 2, sampleRate: 1000, targetLatency: Double(target) / 1000, inputQuantum: 4,
                outputQuantum: 4), outputs: outputs)
    }

    @Test("Reading is silent until the target waits; then every frame comes out once, in order, whatever the blocks")
    func order() {
        let bench = bench()
        #expect(bench.buffer.targetFrames == 8)
        bench.write(7)
        #expect(bench.read(4) == [silence(4), silence(4)])
        bench.write(1)
        #expect(bench.read(3) == [numbers(1...3), numbers(1...3).map(-)])
        var next = 4
        for round in 0..<200 {
            let size = 1 + round % 4
            bench.write(size)
            #expect(bench.read(size)[0] == numbers(next...(next + size - 1)))
            next += size
        }
        let report = bench.buffer.report
        #expect(report.underflows == 0 && report.overflows == 0 && report.resyncs == 0 && report.droppedFrames == 0)
        #expect(report.silentFrames == 4 && report.waitingFrames == 5)
    }

    @Test("A break is reported with the read it falls into: behind silence, skipped frames and the device's own break")
    func breaks() {
        let bench = bench()
        func read(_ count: Int) -> Bool {
            _ = bench.read(count)
            return bench.buffer.hasBreak
        }
        bench.write(8)
        _ = bench.read(4)
        bench.write(4)
        #expect(!read(4))
        // Frames 12 to 15 are there, the device has lost some, 16 to 19 follow.
        bench.write(4)
        bench.buffer.bridge()
        bench.write(4)
        #expect(!read(4))
        #expect(!read(4))
        #expect(read(4))
        // Nothing is there: silence, until eight frames wait.
        #expect(!read(4))
        bench.write(8)
        #expect(read(4))
        // More than twice the target.
        for _ in 0..<4 { bench.write(4) }
        #expect(read(4))
        #expect(!read(4))
    }

    @Test("Too few frames: those come first, then silence until the target waits again")
    func underflow() {
        let bench = bench()
        bench.write(8)
        _ = bench.read(6)
        #expect(bench.read(4)[0] == [7, 8, 0, 0])
        bench.write(4)
        #expect(bench.read(4)[0] == silence(4))
        bench.write(4)
        #expect(bench.read(4)[0] == numbers(9...12))
        let report = bench.buffer.report
        #expect(report.underflows == 1 && report.silentFrames == 6 && report.droppedFrames == 0)
    }

    @Test("More than twice the target: the oldest frames are skipped and the target is left")
    func resync() {
        let bench = bench()
        bench.write(16)
        #expect(bench.read(1)[0] == [1])
        bench.write(2)
        #expect(bench.read(2)[0] == numbers(11...12))
        let report = bench.buffer.report
        #expect(report.resyncs == 1 && report.droppedFrames == 9 && report.waitingFrames == 6)
    }

    @Test("A buffer that loses nothing gives everything to a reader that was late, in order")
    func backlog() {
        let buffer = CaptureBuffer(
            channelCount: 2, sampleRate: 1000, targetLatency: 0.008, inputQuantum: 4, outputQuantum: 4,
            losesNothing: true)
        let bench = Bench(buffer)
        bench.write(20)
        #expect(bench.read(4)[0] == numbers(1...4))
        for _ in 0..<200 { bench.write(4) }
        #expect(bench.read(816)[0] == numbers(5...820))
        #expect(buffer.report.droppedFrames == 0 && buffer.report.resyncs == 0)
    }

    @Test("One that loses nothing has four blocks for an output that asks for them at once")
    func burst() {
        let buffer = CaptureBuffer(
            channelCount: 2, sampleRate: 1000, targetLatency: 0.008, inputQuantum: 4, outputQuantum: 4,
            losesNothing: true)
        let bench = Bench(buffer)
        #expect(buffer.targetFrames == 20)
        bench.write(20)
        for first in stride(from: 1, to: 801, by: 16) {
            for block in 0..<4 { #expect(bench.read(4)[0] == numbers(first + 4 * block...first + 4 * block + 3)) }
            for _ in 0..<4 { bench.write(4) }
        }
        #expect(buffer.report.underflows == 0)
    }

    @Test("Frames that the device lost: silence of that length, once, and as many wait as before")
    func bridge() {
        let bench = bench()
        bench.write(8)
        for round in 0..<400 {
            #expect(bench.read(4)[0] == numbers(4 * round + 1...4 * round + 4))
            bench.write(4)
        }
        _ = bench.read(4)
        bench.buffer.bridge()
        #expect(bench.buffer.report.bridgedFrames == 0)
        // A block does not come.
        #expect(bench.read(4)[0] == numbers(1605...1608))
        bench.buffer.bridge()
        bench.write(4)
        #expect(bench.read(4)[0] == silence(4) && bench.read(4)[0] == numbers(1609...1612))
        let report = bench.buffer.report
        #expect(report.bridgedFrames == 4 && report.underflows == 0 && report.droppedFrames == 0)
    }

    @Test("Nobody reads: what was captured meanwhile is old, and reading begins anew")
    func overflow() {
        let bench = bench()
        for _ in 0..<20 { bench.write(4) }
        let written = bench.captured
        #expect(bench.buffer.report.overflows == (written - bench.buffer.capacity) / 4)
        #expect(bench.read(4)[0] == silence(4))
        bench.write(8)
        #expect(bench.read(4)[0] == numbers((written + 1)...(written + 4)))
        #expect(bench.buffer.report.droppedFrames == written)
    }

    @Test("Channels one side does not have are silent or left out")
    func channels() {
        let bench = bench(outputs: 3)
        bench.write(8)
        let three = bench.read(2, outputs: 3)
        #expect(three == [[1, 2], [-1, -2], [0, 0]])
        #expect(bench.read(2, outputs: 1) == [[3, 4]])
    }

    @Test(
        "Numbers out of any range make a buffer that works",
        arguments: [(0, 0.0, -1.0, 0), (99, .nan, .nan, -5), (2, 1e9, .infinity, .max)])
    func absurd(channels: Int, rate: Double, latency: Double, quantum: Int) {
        let buffer = CaptureBuffer(
            channelCount: channels, sampleRate: rate, targetLatency: latency, inputQuantum: quantum,
            outputQuantum: quantum)
        #expect((1...32).contains(buffer.channelCount) && buffer.sampleRate == 48000)
        #expect(buffer.targetFrames >= 2 && buffer.capacity >= 4 * buffer.targetFrames)
    }

    @Test("The report tells by how much the input's clock is faster", arguments: [-300.0, -20, 0, 50, 250])
    func drift(ppm: Double) {
        let bench = Bench(CaptureBuffer(channelCount: 2, sampleRate: 48000))
        var random = SystemRandomNumberGenerator()
        for block in 0..<6000 {
            let time = 1e9 + Double(block) * 512 / 48000 * 1e9
            let jitter = Double.random(in: -1e6...1e6, using: &random)
            bench.write(512, hostTime: UInt64(1e9 + (time - 1e9) / (1 + ppm * 1e-6) + jitter))
            _ = bench.read(512, hostTime: UInt64(time + 3e6))
        }
        // 64 s with ±1 ms of jitter: the slope's standard deviation is about 0.4 ppm.
        #expect(abs(bench.buffer.report.drift - ppm) < 3)
    }

    /// A server that stood still for 60 ms, and one that lost five seconds; a line through all times would be off by
    /// thousands of millionths.
    @Test("A pause is no slower clock: the line continues behind it", arguments: [0.06, 5])
    func pause(seconds: Double) {
        var rate = ClockRate(sampleRate: 48000)
        for block in 0..<1200 {
            let time = 1 + Double(block) * 0.01 / (1 + 200e-6) + (block < 700 ? 0 : seconds)
            rate.note(frameCount: 480, at: UInt64(time * 1e9))
        }
        #expect(abs((rate.secondsPerFrame ?? 0) * 48000 * (1 + 200e-6) - 1) < 5e-6)
    }

    /// By 20 ms, as a loop that follows a server's times may err before it has locked.
    @Test("Times of the first two seconds count for nothing")
    func beginning() {
        var rate = ClockRate(sampleRate: 48000)
        for block in 0..<800 {
            let error = block < 190 ? 0.02 * Double(190 - block) / 190 : 0
            rate.note(frameCount: 480, at: UInt64((1 + Double(block) * 0.01 + error) * 1e9))
            if block < 699 { #expect(rate.secondsPerFrame == nil) }
        }
        #expect(abs((rate.secondsPerFrame ?? 0) * 48000 - 1) < 1e-9)
    }

    @Test("Two threads: what is read is what was written, in order, with gaps only where the report says so")
    func threads() {
        let buffer = CaptureBuffer(
            channelCount: 2, sampleRate: 48000, targetLatency: 0.01, inputQuantum: 64, outputQuantum: 96)
        let goal = 100_000
        let isDone = Atomic(false)
        let writer = Thread {
            let bench = Bench(buffer)
            // Float holds whole numbers exactly up to 2^24.
            while bench.captured < goal {
                bench.write(1 + bench.captured % 64)
                if buffer.report.waitingFrames > buffer.targetFrames { sched_yield() }
            }
            isDone.store(true, ordering: .releasing)
        }
        writer.start()
        let bench = Bench(buffer)
        var (last, captured, skipped, disagreements) = (Float(0), 0, 0, 0)
        while true {
            let wasDone = isDone.load(ordering: .acquiring)
            let block = bench.read(1 + captured % 96)
            for (left, right) in zip(block[0], block[1]) where left != 0 || right != 0 {
                if right != -left || left <= last { disagreements += 1 }
                skipped += Int(left - last) - 1
                (last, captured) = (left, captured + 1)
            }
            if wasDone, buffer.report.waitingFrames < buffer.targetFrames { break }
        }
        let report = buffer.report
        #expect(disagreements == 0)
        #expect(captured > 0 && captured + report.droppedFrames + report.waitingFrames >= goal)
        #expect(skipped <= report.droppedFrames)
    }
}
