import OssicleCore

/// The far signal on the microphone's clock: read at a rate that differs by the drift, and kept as spectra, the newest
/// first, for as long as the largest delay and the filter's tail take.
///
/// Reading at another rate than the far signal arrives at moves the place of reading. Where it has moved by a hop, a
/// hop is left out or two are taken; `take` returns which, so that delays counted in spectra can follow. Audio thread.
package struct EchoReference: ~Copyable {
    package let grid: VoiceGrid
    /// Spectra that are kept.
    package let depth: Int
    package let binCount: Int
    /// Floats from one spectrum to the next.
    package let stride: Int
    private let fourier: RealFourierTransform
    private let real: SampleMemory
    private let imaginary: SampleMemory
    private let table: UnsafePointer<SincTable>
    /// Far frames as they came, the newest at the end.
    private let history: SampleMemory
    private let frame: SampleMemory
    private var newest = 0
    /// Of the next frame to be read, in frames of `history`, Q32.32.
    private var position: UInt64
    private var step = SincInterpolator.unit

    /// - Parameter depth: spectra to keep, at least 1.
    package init(grid: VoiceGrid, depth: Int) {
        (self.grid, self.depth) = (grid, max(depth, 1))
        fourier = RealFourierTransform(count: grid.filterCount)
        binCount = fourier.binCount
        stride = (binCount + 15) & ~15
        real = SampleMemory(count: self.depth * stride)
        imaginary = SampleMemory(count: self.depth * stride)
        table = SincTable.shared(ratio: 1)
        history = SampleMemory(count: 5 * grid.hop + 2 * table.pointee.lookAhead)
        frame = SampleMemory(count: grid.filterCount)
        position = UInt64(history.count - table.pointee.lookAhead) << 32
    }

    /// Frames by which the place of reading trails the far signal at the least: the interpolator's look-ahead.
    package var lookAhead: Int { table.pointee.lookAhead }

    /// - Parameter drift: by how much faster than the microphone's clock the far signal is to be read, held within
    ///   ±300·10⁻⁶.
    package mutating func set(drift: Double) {
        let held = drift.isNaN ? 0 : min(max(drift, -300e-6), 300e-6)
        step = UInt64((Double(SincInterpolator.unit) * (1 + held)).rounded())
    }

    package mutating func reset() {
        real.clear()
        imaginary.clear()
        history.clear()
        frame.clear()
        (newest, step) = (0, SincInterpolator.unit)
        position = UInt64(history.count - lookAhead) << 32
    }

    /// Takes one hop of the far signal.
    ///
    /// - Returns: hops by which the place of reading has slipped: −1 where none was read, 1 where two were, else 0.
    package mutating func take(_ far: UnsafePointer<Float>) -> Int {
        let (hop, kept) = (grid.hop, history.count - grid.hop)
        history.pointer.update(from: history.pointer + hop, count: kept)
        (history.pointer + kept).update(from: far, count: hop)
        position &-= UInt64(hop) << 32
        // Two hops only where the place would otherwise leave the history.
        let wanted = position < UInt64(table.pointee.lookBehind + hop) << 32 ? 2 : 1
        var read = 0
        while read < wanted, isAvailable {
            readHop()
            read += 1
        }
        return read - 1
    }

    private var isAvailable: Bool {
        SincInterpolator.framesNeeded(position: position, step: step, table: table.pointee, grid.hop) <= history.count
    }

    private mutating func readHop() {
        let (hop, kept) = (grid.hop, grid.filterCount - grid.hop)
        frame.pointer.update(from: frame.pointer + hop, count: kept)
        position = SincInterpolator.process(
            source: history.pointer, table: table.pointee, position: position, step: step, to: frame.pointer + kept, hop
        )
        newest = newest == 0 ? depth - 1 : newest - 1
        fourier.forward(
            frame.pointer, real: real.pointer + newest * stride, imaginary: imaginary.pointer + newest * stride)
    }

    /// Real and imaginary parts of the spectrum that is `age` hops old.
    @inline(__always)
    package func spectrum(_ age: Int) -> (real: UnsafePointer<Float>, imaginary: UnsafePointer<Float>) {
        let sum = newest + age
        let place = (sum < depth ? sum : sum - depth) * stride
        return (UnsafePointer(real.pointer + place), UnsafePointer(imaginary.pointer + place))
    }

    /// Mean power of the newest hop.
    package var power: Float {
        var sum: Float = 0
        for i in (grid.filterCount - grid.hop)..<grid.filterCount { sum += frame[i] * frame[i] }
        return sum / Float(grid.hop)
    }
}
