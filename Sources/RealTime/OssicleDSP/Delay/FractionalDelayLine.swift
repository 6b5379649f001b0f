import COssicle
import OssicleCore

/// A signal's recent past, readable at any fractional delay by any number of taps.
///
///     x ─▶ [write] ═══ ring ═══ [read: tap 0] ─▶ x(t − d₀)
///                               [read: tap 1] ─▶ x(t − d₁)
///
/// Between samples it reads with a 32-tap Kaiser-windowed sinc (over 80 dB of signal to noise up to 0.8 Nyquist), and
/// while a delay moves through twice as many samples and eight taps (`MovingTaps`). The kernel looks 16 samples into
/// the future, and that is part of the delay: `minimumDelay` is the least a tap can have. Whole delays at rest copy bit
/// for bit. A line may begin short and grow with the delays that are `reserve`d: what is older than it was long then is
/// silence. Audio thread; not shared.
package struct FractionalDelayLine: ~Copyable {
    /// Frames that a line in 32 KB holds: 57 m at 48 kHz. Sounds leap within it without a gap, and few need more.
    package static let firstDelay = 8032
    /// Frames; smaller delays are held at it.
    package static let minimumDelay = 16.0
    private static let taps = 32
    private static let lookAhead = taps / 2
    /// Frames computed at once; what they take stays on the stack.
    private static let run = 64
    /// Frames that `ossicle_delay_read` takes at once.
    private static let longestRead = 128

    /// Frames; greater delays are held at it.
    package let maximumDelay: Double
    private let table: UnsafePointer<PolyphaseTable>
    private let movingTaps: UnsafePointer<MovingTaps>
    private let ring: SampleMemory
    /// The ring's size less one: a power of two, less one.
    private var mask: Int
    /// Longest block one `write` takes.
    package let maximumBlock: Int
    /// Frames written, and with them where the next one goes. Last: whoever reads behind a write may copy the line in
    /// pieces of 16 bytes, and one that this lay in would wait until all of the write is in the cache.
    private var written = 0

    /// - Parameters:
    ///   - maximumDelay: in frames. - maximumBlock: the longest run written and read at once.
    ///   - firstDelay: the greatest delay before `reserve` is called; nil for `maximumDelay`.
    package init(maximumDelay: Int, maximumBlock: Int = Grid.quantum, firstDelay: Int? = nil) {
        let (longest, block) = (
            min(max(maximumDelay, Int(FractionalDelayLine.minimumDelay)), 1 << 28), max(maximumBlock, 1)
        )
        self.maximumDelay = Double(longest)
        self.maximumBlock = block
        (table, movingTaps) = (FractionalDelayLine.sharedTables.resting, FractionalDelayLine.sharedTables.moving)
        mask = Self.size(for: min(firstDelay ?? longest, longest), block: block) - 1
        // The first samples are repeated behind the last, so that a window never wraps.
        ring = SampleMemory(lazyCount: Self.size(for: longest, block: block) + Self.mirrored)
        ring.pointer.update(repeating: 0, count: mask + 1 + Self.mirrored)
    }

    /// Samples behind the ring's end.
    private static var mirrored: Int { taps + HRTFConvolution.group }

    private static func size(for delay: Int, block: Int) -> Int {
        var size = 64
        while size < delay + block + taps { size *= 2 }
        return size
    }

    package mutating func reset() {
        ring.pointer.update(repeating: 0, count: mask + 1 + Self.mirrored)
        written = 0
    }

    /// Takes over the past of another line, as far as this one may reach back. While neither is in use.
    package mutating func adopt(_ other: borrowing FractionalDelayLine) {
        reserve(other.longest)
        reset()
        let end = other.written
        var next = end - min(end, other.mask + 1, mask + 1)
        while next < end {
            let slot = next & other.mask
            let run = min(end - next, other.mask + 1 - slot)
            write(other.ring.pointer + slot, run)
            next += run
        }
    }

    /// Makes the line long enough for a delay up to `maximumDelay`.
    package mutating func reserve(_ delay: Double) {
        let delay = delay.isFinite ? min(max(delay, Self.minimumDelay), maximumDelay) : Self.minimumDelay
        let wanted = Self.size(for: Int(delay.rounded(.up)), block: maximumBlock)
        while mask + 1 < wanted { double() }
    }

    /// Every second stretch of the ring's size goes behind the others; pages are taken as they are reached.
    private mutating func double() {
        let size = mask + 1
        let (begun, isUpper) = (written & mask, written & size != 0)
        (ring.pointer + size).update(repeating: 0, count: Self.mirrored)
        // Below `begun` lies the stretch that is being written, above it the rest of the one before.
        let moved = isUpper ? 0..<begun : begun..<size
        (ring.pointer + size + moved.lowerBound).update(from: ring.pointer + moved.lowerBound, count: moved.count)
        (ring.pointer + moved.lowerBound).update(repeating: 0, count: moved.count)
        mask = 2 * size - 1
        if written > size { fadeInOldest(size) }
        (ring.pointer + 2 * size).update(from: ring.pointer, count: Self.mirrored)
    }

    /// Where the sound before was given up, what is left of it must not begin with a click.
    private func fadeInOldest(_ kept: Int) {
        for i in 0..<Grid.quantum { ring[(written - kept + i) & mask] *= Float(i) * (1 / Float(Grid.quantum)) }
    }

    /// Asks for the memory that the next block writes, and that a tap reads, to be brought near the processor.
    package func prefetch(_ tap: DelayTap) {
        ossicle_prefetch(ring.pointer + (written & mask), Grid.quantum)
        let oldest = written - Int(held(tap.target)) - 2 * Self.lookAhead
        ossicle_prefetch(ring.pointer + (oldest & mask), Grid.quantum + 4 * Self.lookAhead)
    }

    /// Appends n frames. Of a run longer than `maximumBlock` only the end can be read back.
    package mutating func write(_ from: UnsafePointer<Float>, _ n: Int) {
        let mirrored = Self.mirrored
        var done = 0
        while done < n {
            let slot = (written + done) & mask
            let run = min(n - done, mask + 1 - slot)
            (ring.pointer + slot).update(from: from + done, count: run)
            if slot < mirrored {
                (ring.pointer + (slot + mask + 1)).update(from: from + done, count: min(run, mirrored - slot))
            }
            done += run
        }
        written += n
    }

    /// The last n frames written, each delayed as the tap says. Call once per tap after each `write` of n frames, n up
    /// to `maximumBlock`.
    /// - Parameter isCoarse: while the delay moves, through eight taps that are good up to 12 kHz at 48 kHz
    ///   (`MovingTaps.coarsePolynomials`), for half the cost.
    package func read(
        _ tap: inout DelayTap, to: UnsafeMutablePointer<Float>, _ n: Int, isCoarse: Bool = false
    ) {
        var done = 0
        while done < n {
            let run = tap.steadyFrames(n - done)
            let first = written - n + done
            if tap.isMoving {
                readMoving(tap, first, to + done, run, isCoarse)
            } else {
                readResting(tap.target, first, to + done, run)
            }
            if tap.isFading { fade(tap, first, to + done, run) }
            tap.skip(run)
            done += run
        }
    }

    /// Two taps over the same n frames, such as the ears of one head: what both need is interpolated once.
    package func read(
        _ first: inout DelayTap, to firstOutput: UnsafeMutablePointer<Float>, _ second: inout DelayTap,
        to secondOutput: UnsafeMutablePointer<Float>, _ n: Int
    ) {
        guard n <= Self.longestRead, first.isMoving, second.isMoving, !first.isFading, !second.isFading,
            min(first.steadyFrames(n), second.steadyFrames(n)) == n
        else {
            read(&first, to: firstOutput, n)
            return read(&second, to: secondOutput, n)
        }
        let (ramps, outputs) = ((ramp(of: first), ramp(of: second)), (firstOutput, secondOutput))
        #if arch(x86_64)
        withUnsafePointer(to: ramps) { ramps in
            ramps.withMemoryRebound(to: ossicle_delay_ramp.self, capacity: 2) { ramps in
                withUnsafePointer(to: outputs) { outputs in
                    outputs.withMemoryRebound(to: UnsafeMutablePointer<Float>.self, capacity: 2) {
                        readMoving(ramps, $0, count: 2, written - n, n)
                    }
                }
            }
        }
        #else
        readPlainly(ramps.0, written - n, outputs.0, n)
        readPlainly(ramps.1, written - n, outputs.1, n)
        #endif
        first.skip(n)
        second.skip(n)
    }

    private func held(_ delay: Double) -> Double { min(max(delay, FractionalDelayLine.minimumDelay), longest) }

    /// The greatest delay that the ring holds as it is.
    private var longest: Double { min(maximumDelay, Double(mask + 1 - maximumBlock - Self.taps)) }

    @inline(__always)
    private func value(_ frame: Int, _ delay: Double) -> Float {
        let (whole, fraction) = split(delay)
        return table.pointee.value(ring.pointer + restingSlot(frame - whole), fraction: fraction)
    }

    /// The next whole delay up, and how far before it the asked one lies.
    @inline(__always)
    private func split(_ delay: Double) -> (whole: Int, fraction: Double) {
        let delay = held(delay)
        var whole = Int32(delay)
        if Double(whole) < delay { whole += 1 }
        return (Int(whole), Double(whole) - delay)
    }

    /// Where the window that interpolates behind `frame` starts, at rest.
    @inline(__always)
    private func restingSlot(_ frame: Int) -> Int { (frame - FractionalDelayLine.lookAhead + 1) & mask }

    private func readMoving(
        _ tap: DelayTap, _ first: Int, _ to: UnsafeMutablePointer<Float>, _ n: Int, _ isCoarse: Bool
    ) {
        #if arch(x86_64)
        if isCoarse {
            var (line, ramp) = (line(first), ramp(of: tap))
            return ossicle_delay_read_coarsely(&line, &ramp, to, n)
        }
        var tap = tap
        var done = 0
        while done < n {
            let run = min(n - done, Self.longestRead)
            var (ramp, output) = (ramp(of: tap), to + done)
            readMoving(&ramp, &output, count: 1, first + done, run)
            tap.skip(run)
            done += run
        }
        #else
        readPlainly(ramp(of: tap), first, to, n, isCoarse: isCoarse)
        #endif
    }

    private func readMoving(
        _ ramps: UnsafePointer<ossicle_delay_ramp>, _ outputs: UnsafePointer<UnsafeMutablePointer<Float>>, count: Int,
        _ first: Int, _ n: Int
    ) {
        var line = line(first)
        ossicle_delay_read(&line, ramps, outputs, count, n)
    }

    @inline(__always)
    private func line(_ first: Int) -> ossicle_delay_line {
        ossicle_delay_line(
            half_band: movingTaps.pointee.halfBand, polynomials: movingTaps.pointee.polynomials,
            coarse_polynomials: movingTaps.pointee.coarsePolynomials, ring: UnsafePointer(ring.pointer),
            size: Int32(mask + 1),
            slot: Int32(first & mask))
    }

    /// The same in Swift as `ossicle_delay_read` and `ossicle_delay_read_coarsely`.
    func readPlainly(
        _ ramp: ossicle_delay_ramp, _ first: Int, _ to: UnsafeMutablePointer<Float>, _ n: Int, isCoarse: Bool = false
    ) {
        for i in 0..<n {
            let delay = min(max(ramp.delay &+ Int64(i) &* ramp.step, ramp.least), ramp.most)
            let place = (Int64(first & mask) + Int64(i)) << 32 - delay
            to[i] = movingTaps.pointee.value(UnsafePointer(ring.pointer), at: place, mask, isCoarse: isCoarse)
        }
    }

    /// A whole number of 2⁻³² frames per frame, counted from the ramp's beginning: how reads are cut leaves no trace.
    @inline(__always)
    func ramp(of tap: DelayTap) -> ossicle_delay_ramp {
        let (start, change) = (Self.fixed(tap.ramp.start), tap.target - tap.ramp.start)
        let step = Self.fixed(change / Double(max(tap.ramp.frames, 1)))
        return ossicle_delay_ramp(
            delay: start &+ Int64(tap.ramp.index) &* step, step: step,
            least: Self.fixed(FractionalDelayLine.minimumDelay), most: Self.fixed(longest))
    }

    /// Frames times 2³², held within ±2²⁹ frames.
    @inline(__always)
    private static func fixed(_ frames: Double) -> Int64 {
        // To the nearest, without a call into the C library.
        let scaled = min(max(frames, -0x1p29), 0x1p29) * 0x1p32
        return Int64(scaled + (scaled < 0 ? -0.5 : 0.5))
    }

    /// A fixed delay is a fixed FIR filter: its taps are made once.
    private func readResting(_ delay: Double, _ first: Int, _ to: UnsafeMutablePointer<Float>, _ n: Int) {
        let (whole, fraction) = split(delay)
        let start = first - whole
        if fraction == 0 {
            let slot = start & mask
            let run = min(n, mask + 1 - slot)
            to.update(from: ring.pointer + slot, count: run)
            (to + run).update(from: ring.pointer, count: n - run)
            return
        }
        withUnsafeTemporaryAllocation(
            of: Float.self, capacity: FractionalDelayLine.taps + Self.run + HRTFConvolution.group
        ) { memory in
            guard let taps = memory.baseAddress else { return }
            let output = taps + FractionalDelayLine.taps
            table.pointee.taps(at: fraction, into: taps)
            var done = 0
            while done < n {
                let slot = restingSlot(start + done)
                let run = min(n - done, mask + 1 - slot, Self.run)
                HRTFConvolution.run(ring.pointer + slot, taps, FractionalDelayLine.taps, into: output, run)
                (to + done).update(from: output, count: run)
                done += run
            }
        }
    }

    private func fade(_ tap: DelayTap, _ first: Int, _ to: UnsafeMutablePointer<Float>, _ n: Int) {
        let step = 1 / Float(tap.fadeFrames)
        for i in 0..<n {
            let old = value(first + i, tap.left)
            to[i] = old + (to[i] - old) * (Float(tap.fadeIndex + i) * step)
        }
    }

    /// One pair of tables for all lines: they take longer to make than a voice has. Lines hold their addresses, because
    /// the first access to a static is a lock.
    private static let sharedTables = SharedTables()

    /// Live as long as the process.
    private struct SharedTables: @unchecked Sendable {
        let resting: UnsafePointer<PolyphaseTable>
        let moving: UnsafePointer<MovingTaps>

        init() {
            let table = UnsafeMutablePointer<PolyphaseTable>.allocate(capacity: 1)
            table.initialize(
                to: PolyphaseTable(taps: FractionalDelayLine.taps, phases: 256, cutoff: 1, attenuation: 92))
            let taps = UnsafeMutablePointer<MovingTaps>.allocate(capacity: 1)
            taps.initialize(to: MovingTaps())
            (resting, moving) = (UnsafePointer(table), UnsafePointer(taps))
        }
    }
}
