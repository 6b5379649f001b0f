import COssicle
import OssicleCore

/// A signal's recent past, readable at any fractional delay by any number of taps.
///
///     x ─▶ [write] ═══ ring ═══ [read: tap 0] ─▶ x(t − d₀)
///                               [read: tap 1] ─▶ x(t − d₁)
///
/// Between samples it reads with a 32-tap Kaiser-windowed sinc (over 80 dB of signal to noise up to 0.8 Nyquist). The
/// kernel looks 16 samples into the future, and that is part of the delay: `minimumDelay` is the least a tap can have.
/// Whole delays at rest copy bit for bit. Audio thread; not shared.
package struct FractionalDelayLine: ~Copyable {
    /// Frames; smaller delays are held at it.
    package static let minimumDelay = 16.0
    private typealias Group = SIMD8<Float>
    private static let taps = 32
    private static let lookAhead = taps / 2
    /// Places computed ahead at once; what they take stays on the stack.
    private static let run = 64

    /// Frames; greater delays are held at it.
    package let maximumDelay: Double
    private let table: UnsafePointer<PolyphaseTable>
    private let ring: SampleMemory
    private let mask: Int
    /// Frames written, and with them where the next one goes.
    private var written = 0

    /// Longest block one `write` takes.
    package let maximumBlock: Int

    /// - Parameters:
    ///   - maximumDelay: in frames. - maximumBlock: the longest run written and read at once.
    package init(maximumDelay: Int, maximumBlock: Int = Grid.quantum) {
        let (longest, block) = (
            min(max(maximumDelay, Int(FractionalDelayLine.minimumDelay)), 1 << 28), max(maximumBlock, 1)
        )
        self.maximumDelay = Double(longest)
        self.maximumBlock = block
        table = FractionalDelayLine.sharedTable.pointer
        var size = 64
        while size < longest + block + FractionalDelayLine.taps { size *= 2 }
        mask = size - 1
        // The first samples are repeated behind the last, so that a window never wraps.
        ring = SampleMemory(count: size + FractionalDelayLine.taps + Group.scalarCount)
    }

    package mutating func reset() {
        ring.clear()
        written = 0
    }

    /// Appends n frames. Of a run longer than `maximumBlock` only the end can be read back.
    package mutating func write(_ from: UnsafePointer<Float>, _ n: Int) {
        let mirrored = ring.count - mask - 1
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
    package func read(_ tap: inout DelayTap, to: UnsafeMutablePointer<Float>, _ n: Int) {
        var done = 0
        while done < n {
            let run = tap.steadyFrames(n - done)
            let first = written - n + done
            if tap.isMoving {
                readMoving(tap, first, to + done, run)
            } else {
                readResting(tap.target, first, to + done, run)
            }
            if tap.isFading { fade(tap, first, to + done, run) }
            tap.skip(run)
            done += run
        }
    }

    private func held(_ delay: Double) -> Double { min(max(delay, FractionalDelayLine.minimumDelay), maximumDelay) }

    @inline(__always)
    private func value(_ frame: Int, _ delay: Double) -> Float {
        let (whole, fraction) = split(delay)
        return table.pointee.value(window(frame - whole), fraction: fraction)
    }

    /// The next whole delay up, and how far before it the asked one lies.
    @inline(__always)
    private func split(_ delay: Double) -> (whole: Int, fraction: Double) {
        let delay = held(delay)
        var whole = Int32(delay)
        if Double(whole) < delay { whole += 1 }
        return (Int(whole), Double(whole) - delay)
    }

    /// Where the window that interpolates behind `frame` starts.
    @inline(__always)
    func slot(_ frame: Int) -> Int { (frame - FractionalDelayLine.lookAhead + 1) & mask }

    @inline(__always)
    private func window(_ frame: Int) -> UnsafePointer<Float> { UnsafePointer(ring.pointer + slot(frame)) }

    private func readMoving(_ tap: DelayTap, _ first: Int, _ to: UnsafeMutablePointer<Float>, _ n: Int) {
        withUnsafeTemporaryAllocation(of: ossicle_place.self, capacity: FractionalDelayLine.run) { memory in
            guard let places = memory.baseAddress else { return }
            var done = 0
            while done < n {
                let run = min(n - done, FractionalDelayLine.run)
                #if arch(x86_64)
                var ramp = ramp(of: tap, done, slot: slot(first + done))
                ossicle_delay_places(&ramp, places, run)
                #else
                fillPlaces(tap, first, done, places, run)
                #endif
                table.pointee.values(places, in: ring.pointer, to: to + done, run)
                done += run
            }
        }
    }

    /// The places of `run` frames of a moving tap from its frame `done` on; the same in Swift as
    /// `ossicle_delay_places`.
    func fillPlaces(
        _ tap: DelayTap, _ first: Int, _ done: Int, _ places: UnsafeMutablePointer<ossicle_place>, _ run: Int
    ) {
        for i in 0..<run {
            let (whole, fraction) = split(tap.ramp[done + i])
            places[i] = table.pointee.place(slot(first + done + i - whole), fraction: fraction)
        }
    }

    func ramp(of tap: DelayTap, _ done: Int, slot: Int) -> ossicle_delay_ramp {
        ossicle_delay_ramp(
            start: tap.ramp.start, change: tap.target - tap.ramp.start, scale: 1 / Double(tap.ramp.frames),
            least: FractionalDelayLine.minimumDelay, most: maximumDelay,
            index: Int32(truncatingIfNeeded: tap.ramp.index + done),
            slot: Int32(slot), mask: Int32(mask), phases: Int32(table.pointee.phases))
    }

    /// A fixed delay is a fixed FIR filter: its taps are made once, and vectors run across outputs.
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
        withUnsafeTemporaryAllocation(of: Float.self, capacity: FractionalDelayLine.taps) { memory in
            guard let taps = memory.baseAddress else { return }
            table.pointee.taps(at: fraction, into: taps)
            var i = 0
            while i < n {
                let source = UnsafeRawPointer(window(start + i))
                var sum = Group.zero
                for tap in 0..<FractionalDelayLine.taps {
                    sum += source.loadUnaligned(fromByteOffset: 4 * tap, as: Group.self) * taps[tap]
                }
                for lane in 0..<min(Group.scalarCount, n - i) { to[i + lane] = sum[lane] }
                i += Group.scalarCount
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

    /// One table for all lines: it takes longer to make than a voice has. Lines hold its address, because the first
    /// access to a static is a lock.
    private static let sharedTable = SharedTable()

    /// Lives as long as the process.
    private struct SharedTable: @unchecked Sendable {
        let pointer: UnsafePointer<PolyphaseTable>

        init() {
            let table = UnsafeMutablePointer<PolyphaseTable>.allocate(capacity: 1)
            table.initialize(
                to: PolyphaseTable(taps: FractionalDelayLine.taps, phases: 256, cutoff: 1, attenuation: 92))
            pointer = UnsafePointer(table)
        }
    }
}
