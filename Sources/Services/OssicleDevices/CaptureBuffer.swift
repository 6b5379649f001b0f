import OssicleCore
import Synchronization

/// Carries captured frames from an input's thread to the thread that renders. Neither side waits, locks or allocates.
///
///     input thread ── write ──▶ [ frames in order, about `targetFrames` of them ] ── read ──▶ output thread
///
/// Two devices have two clocks. Where they drift apart, the frames are read a little faster or slower (`DriftControl`);
/// where they do not, they come out bit for bit. The reader begins when `targetFrames` wait, and from then on takes
/// what it needs:
/// - Too few frames (underflow): it gets those, then silence until `targetFrames` wait again.
/// - More than twice the target (resync): the oldest are skipped, so that the target is left. A buffer that loses
///   nothing keeps them, up to `CaptureBuffer.longestBacklog`; then the drift control takes back what waits, bit by
///   bit.
/// - Frames that the device lost (`bridge`): silence stands for them, so that as many wait as before. Else so few would
///   wait from then on that the next late block made a second pause.
/// - No room for a block, as it was not read (overflow): the block is dropped, and the next read drops all that waits,
///   which is old by then.
///
/// Each of these is a break, which `hasBreak` reports with the read it falls into. Both sides run at the same nominal
/// rate. `report` counts what went wrong and states the drift.
package final class CaptureBuffer: @unchecked Sendable {
    package let channelCount: Int
    /// Hz.
    package let sampleRate: Double
    /// Frames that wait before a read on the average: the latency this buffer adds.
    package let targetFrames: Int
    let capacity: Int
    /// Frames of which the oldest are skipped.
    private let most: Int
    /// Seconds, where no latency is asked for.
    private static let shortestLatency = 0.02
    /// Seconds that a buffer which loses nothing keeps.
    package static let longestBacklog = 1.0
    /// Blocks that an output may ask for at once: as many lie between a program and a server's loudspeaker.
    private static let burst = 4
    /// Of the ring, a power of two: frames that were read stay for the interpolation.
    private let size: Int
    private let samples: SampleMemory
    private let written = Atomic(0)
    private let taken = Atomic(0)
    /// When the last block was written, in nanoseconds of `HostClock`.
    private let lastWrite = Atomic<UInt64>(0)
    private let isFlowing = Atomic(false)
    private let seenOverflows = Atomic(0)
    let counters = CaptureCounters()
    private let writerClock: CaptureClock
    private let readerClock: CaptureClock
    private let drift: UnsafeMutablePointer<DriftControl>
    /// The most frames written at a time.
    private let inputQuantum: Int
    /// Writer only: frames that wait ahead of a block, smoothed over so many blocks.
    private var usualFrames: Double
    private static let smoothing = 32.0
    /// Fewer frames less than usual are jitter.
    private let jitter: Int
    /// Reader only: the number of the captured frame that the last read began with.
    package private(set) var firstReadFrame: Int64 = 0
    /// Reader only: whether in what the last read gave, or ahead of it, captured frames are missing or silence stands
    /// for them. What was heard later than it was played is so by another time from then on.
    package private(set) var hasBreak = false
    /// Reader only: whether the last read ended in silence.
    private var isInterrupted = false
    /// The number of the first frame behind the device's last break.
    private let resumed = Atomic(-1)

    /// - Parameters:
    ///   - targetLatency: seconds, up to 10; at least one block of either side, below which every read would be a
    ///     gamble. Nil for 20 ms, or more where the blocks are long: with a third block, as sound servers give and take
    ///     in cycles of their own, by one of which either side may be late.
    ///   - inputQuantum: the most frames written at a time. - outputQuantum: the most frames read at a time.
    ///   - losesNothing: whether a reader that was late gets all frames, and is later from then on; for one that reads
    ///     ahead, more frames wait than the latency asks for.
    package init(
        channelCount: Int, sampleRate: Double, targetLatency: Double? = nil, inputQuantum: Int = 512,
        outputQuantum: Int = 512, losesNothing: Bool = false
    ) {
        self.channelCount = min(max(channelCount, 1), 32)
        self.sampleRate = sampleRate >= 1000 && sampleRate <= 384_000 ? sampleRate : DeviceFormat.standard.sampleRate
        let reads = losesNothing ? CaptureBuffer.burst : 1
        let (input, output) = (min(max(inputQuantum, 1), 8192), min(max(outputQuantum, 1), 8192))
        self.inputQuantum = input
        let blocks = input + reads * output
        let usual = max(CaptureBuffer.shortestLatency, Double(input + output + max(input, output)) / self.sampleRate)
        let latency = targetLatency ?? usual
        let asked = latency > 0 ? Int((min(latency, 10) * self.sampleRate).rounded()) : 0
        // Interpolation looks ahead.
        let ahead = max(asked, blocks) < DriftControl.shortest ? 0 : DriftControl.reach
        targetFrames = max(asked, blocks + ahead)
        let backlog = losesNothing ? Int((CaptureBuffer.longestBacklog * self.sampleRate).rounded()) : 0
        most = max(2 * targetFrames, backlog)
        (usualFrames, jitter) = (Double(targetFrames), input / 2)
        // A read may come late by as much again before anything is lost.
        var size = 1
        while size < 2 * most { size *= 2 }
        capacity = size
        self.size = max(2 * size, 2 * DriftControl.reach)
        samples = SampleMemory(count: self.channelCount * self.size)
        drift = .allocate(capacity: 1)
        drift.initialize(to: DriftControl(sampleRate: self.sampleRate, targetFrames: targetFrames))
        writerClock = CaptureClock(sampleRate: self.sampleRate)
        readerClock = CaptureClock(sampleRate: self.sampleRate)
    }

    deinit {
        drift.deinitialize(count: 1)
        drift.deallocate()
    }

    /// Writer only: the number of the frame that comes next.
    package var writtenFrames: Int64 { Int64(written.load(ordering: .relaxed)) }

    /// Writer only. Channels the buffer does not have are left out; those the block does not have are silent.
    /// - Parameter now: when the block is there, in nanoseconds of `HostClock`.
    package func write(_ block: borrowing InputBlock, at now: UInt64 = HostClock.now) {
        guard block.frameCount > 0 else { return }
        writerClock.note(frameCount: block.frameCount, at: block.hostTime)
        let end = written.load(ordering: .relaxed)
        let waiting = end - taken.load(ordering: .acquiring)
        if isFlowing.load(ordering: .relaxed) {
            usualFrames += (Double(waiting) - usualFrames) / CaptureBuffer.smoothing
        }
        guard block.frameCount <= capacity - waiting else {
            counters.overflow(frames: block.frameCount)
            return
        }
        for channel in 0..<channelCount {
            store(block[channel], channel: channel, at: end, count: block.frameCount)
        }
        lastWrite.store(now, ordering: .relaxed)
        written.store(end + block.frameCount, ordering: .releasing)
    }

    /// Writer only, ahead of a block that follows a break: silence for the frames that wait less than usual. A reader
    /// that has found too few waits for the target by itself.
    package func bridge() {
        let end = written.load(ordering: .relaxed)
        let waiting = end - taken.load(ordering: .acquiring)
        let missing = min(Int(usualFrames.rounded()), capacity) - waiting
        let isBridged = isFlowing.load(ordering: .relaxed) && missing > jitter
        resumed.store(isBridged ? end + missing : end, ordering: .releasing)
        guard isBridged else { return }
        let nothing = UnsafeBufferPointer<Float>(start: nil, count: 0)
        for channel in 0..<channelCount { store(nothing, channel: channel, at: end, count: missing) }
        written.store(end + missing, ordering: .releasing)
        counters.bridge(frames: missing)
    }

    /// Reader only. Fills `frameCount` frames of every channel, with silence where nothing was captured.
    /// - Parameters:
    ///   - hostTime: of the first frame, by which the reader's clock is judged.
    ///   - now: when they are read, in nanoseconds of `HostClock`.
    /// - Returns: how many of the frames were captured; they come first.
    @discardableResult
    package func read(
        into channels: UnsafePointer<UnsafeMutablePointer<Float>>, channelCount outputs: Int, frameCount: Int,
        hostTime: UInt64, at now: UInt64 = HostClock.now
    ) -> Int {
        guard frameCount > 0, outputs > 0 else { return 0 }
        readerClock.note(frameCount: frameCount, at: hostTime)
        let end = written.load(ordering: .acquiring)
        let begin = taken.load(ordering: .relaxed)
        let start = firstWanted(from: begin, end)
        let waiting = end - start
        firstReadFrame = Int64(start)
        let isFlowing = isFlowing.load(ordering: .relaxed)
        if isFlowing {
            drift.pointee.follow(
                captured: Double(waiting) + nextBlock(at: now), frames: frameCount,
                drift: CaptureClock.drift(of: writerClock, against: readerClock))
        }
        let isTransparent = drift.pointee.isTransparent
        let possible = isTransparent ? min(waiting, frameCount) : drift.pointee.possible(frameCount, waiting: waiting)
        let count = isFlowing ? possible : 0
        for channel in 0..<outputs {
            let target = channels[channel]
            let captured = channel < channelCount ? count : 0
            if captured > 0 { give(channel, from: start, count: captured, isTransparent, into: target) }
            (target + captured).update(repeating: 0, count: frameCount - captured)
        }
        if count < frameCount { pause(missing: frameCount - count) }
        let next = start + (isTransparent ? count : drift.pointee.advance(count))
        taken.store(next, ordering: .releasing)
        noteBreak(isSkipped: start != begin, in: start..<next, isWhole: count == frameCount)
        return count
    }

    private func noteBreak(isSkipped: Bool, in read: Range<Int>, isWhole: Bool) {
        let hasBegun = isInterrupted && !read.isEmpty
        hasBreak = isSkipped || hasBegun || read.contains(resumed.load(ordering: .acquiring))
        isInterrupted = !isWhole
    }

    /// Reader only. The same for the block an output asks for.
    @discardableResult
    package func read(into block: borrowing OutputBlock) -> Int {
        read(
            into: block.channels, channelCount: block.channelCount, frameCount: block.frameCount,
            hostTime: block.hostTime)
    }

    /// Frames that the next reads give if no block comes. Reader only, or while there is none.
    package var readableFrames: Int {
        guard isFlowing.load(ordering: .relaxed) else { return 0 }
        let waiting = written.load(ordering: .acquiring) - taken.load(ordering: .relaxed)
        return drift.pointee.isTransparent ? waiting : drift.pointee.possible(waiting, waiting: waiting)
    }

    /// From any thread.
    package var report: CaptureReport {
        // The reader's end first: the writer's can only have grown since.
        let start = taken.load(ordering: .acquiring)
        let waiting = min(max(written.load(ordering: .acquiring) - start, 0), capacity)
        return counters.report(waiting: waiting, drift: CaptureClock.drift(of: writerClock, against: readerClock))
    }

    /// Frames of the block that the writer captures, a whole one at most.
    private func nextBlock(at now: UInt64) -> Double {
        let age = Int64(bitPattern: now &- lastWrite.load(ordering: .relaxed))
        return min(max(Double(age) * 1e-9 * sampleRate, 0), Double(inputQuantum))
    }

    /// Where reading continues: past what is old or too much.
    private func firstWanted(from start: Int, _ end: Int) -> Int {
        let overflows = counters.overflowCount
        if overflows != seenOverflows.load(ordering: .relaxed) {
            seenOverflows.store(overflows, ordering: .relaxed)
            isFlowing.store(false, ordering: .relaxed)
            counters.drop(frames: end - start)
            return end
        }
        let waiting = end - start
        if waiting >= targetFrames { isFlowing.store(true, ordering: .relaxed) }
        guard waiting > most else { return start }
        counters.resync(frames: waiting - targetFrames)
        return end - targetFrames
    }

    private func give(
        _ channel: Int, from start: Int, count: Int, _ isTransparent: Bool, into target: UnsafeMutablePointer<Float>
    ) {
        if isTransparent { return load(channel: channel, from: start, count: count, into: target) }
        drift.pointee.render(count, to: target) { first, count, memory in
            load(channel: channel, from: start + first, count: count, into: memory)
        }
    }

    private func pause(missing: Int) {
        drift.pointee.restart()
        if isFlowing.load(ordering: .relaxed) { counters.underflow() }
        isFlowing.store(false, ordering: .relaxed)
        counters.silence(frames: missing)
    }
}

/// The ring: a run of `size` frames per channel, used round and round.
extension CaptureBuffer {
    private func store(_ source: UnsafeBufferPointer<Float>, channel: Int, at position: Int, count: Int) {
        let (ring, first) = (samples.pointer + channel * size, position & (size - 1))
        let untilEnd = min(count, size - first)
        guard let base = source.baseAddress else {
            (ring + first).update(repeating: 0, count: untilEnd)
            return ring.update(repeating: 0, count: count - untilEnd)
        }
        (ring + first).update(from: base, count: untilEnd)
        ring.update(from: base + untilEnd, count: count - untilEnd)
    }

    private func load(channel: Int, from position: Int, count: Int, into target: UnsafeMutablePointer<Float>) {
        let (ring, first) = (samples.pointer + channel * size, position & (size - 1))
        let untilEnd = min(count, size - first)
        target.update(from: ring + first, count: untilEnd)
        (target + untilEnd).update(from: ring, count: count - untilEnd)
    }
}

/// How the way from an input to an output went so far. Counts since the buffer was made or reset.
package struct CaptureReport: Sendable, Hashable {
    /// Times the reader found too few frames. Each costs a pause of about the target latency.
    package let underflows: Int
    /// Blocks the writer had no room for, because it was not read.
    package let overflows: Int
    /// Times the reader skipped frames because more waited than twice the target.
    package let resyncs: Int
    /// Frames of silence given in place of captured ones, those before the first included.
    package let silentFrames: Int
    /// Of these, frames that stand for what the device lost.
    package let bridgedFrames: Int
    /// Captured frames thrown away.
    package let droppedFrames: Int
    /// Frames that wait now.
    package let waitingFrames: Int
    /// By how many parts per million the input's clock runs faster than the output's; 0 until seven seconds of both were
    /// seen.
    package let drift: Double
}

/// What befell a capture buffer. Each count is changed by one of the two threads and read by any.
final class CaptureCounters: Sendable {
    private let underflows = Atomic(0)
    private let overflows = Atomic(0)
    private let resyncs = Atomic(0)
    private let silent = Atomic(0)
    private let bridged = Atomic(0)
    /// One for each side, as both drop frames.
    private let droppedByWriter = Atomic(0)
    private let droppedByReader = Atomic(0)

    /// Writer.
    func overflow(frames: Int) {
        droppedByWriter.wrappingAdd(frames, ordering: .relaxed)
        overflows.wrappingAdd(1, ordering: .relaxed)
    }
    func bridge(frames: Int) { bridged.wrappingAdd(frames, ordering: .relaxed) }

    /// Reader.
    var overflowCount: Int { overflows.load(ordering: .relaxed) }
    func underflow() { underflows.wrappingAdd(1, ordering: .relaxed) }
    func silence(frames: Int) { silent.wrappingAdd(frames, ordering: .relaxed) }
    func drop(frames: Int) { droppedByReader.wrappingAdd(frames, ordering: .relaxed) }

    func resync(frames: Int) {
        drop(frames: frames)
        resyncs.wrappingAdd(1, ordering: .relaxed)
    }

    func report(waiting: Int, drift: Double) -> CaptureReport {
        CaptureReport(
            underflows: underflows.load(ordering: .relaxed), overflows: overflows.load(ordering: .relaxed),
            resyncs: resyncs.load(ordering: .relaxed),
            silentFrames: silent.load(ordering: .relaxed) + bridged.load(ordering: .relaxed),
            bridgedFrames: bridged.load(ordering: .relaxed),
            droppedFrames: droppedByWriter.load(ordering: .relaxed) + droppedByReader.load(ordering: .relaxed),
            waitingFrames: waiting, drift: drift)
    }
}
