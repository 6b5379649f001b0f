import COssicle
import OssicleCore

/// The transform of a partition of a convolution: 2N real samples as N complex numbers, any order of bins.
///
/// Modulo t^N − i a real polynomial of 2N coefficients x is one of N complex coefficients x[n] + i·x[n + N], and
/// nothing of it is lost: t^2N + 1 is that modulus times its conjugate. With t = e^(iπ/2N)·u the modulus is u^N − 1,
/// which is what a discrete Fourier transform multiplies by. So a spectrum is N complex numbers without special ends,
/// and products are taken bin by bin ("right-angle convolution"; Bernstein, "Multidigit multiplication for
/// mathematicians", 2001). The product is negacyclic; overlap-save discards what wraps around, whatever its sign.
///
/// N is 128·8ᵏ: k stages of radix eight, decimation in frequency, above transforms of 128. Forward leaves the bins in
/// the order in which inverse takes them, so nothing is sorted, and every piece of either is a step of its own: what is
/// long can be done over many quanta. Tables are made by init; the rest allocates nothing. Any thread.
package struct PartitionTransform: ~Copyable, Sendable {
    /// Of the innermost transforms.
    static let leaf = 128
    /// N.
    let count: Int
    private let leafTransform = FourierTransform(count: leaf)
    /// cos and sin of πn/2N.
    private let twist: SampleMemory
    /// Of every stage of radix eight, the widest first: seven rows of cosines, then of sines.
    private let stages: SampleMemory

    /// - Parameter count: 128, 1024 or 8192.
    init(count: Int) {
        self.count = count
        twist = SampleMemory(count: 2 * count)
        for n in 0..<count {
            let turn = DeterministicMath.sincos(DeterministicMath.pi * Double(n) / Double(2 * count))
            (twist[n], twist[count + n]) = (Float(turn.cos), Float(turn.sin))
        }
        stages = SampleMemory(count: 2 * count)
        var (width, place) = (count, 0)
        while width > Self.leaf {
            let m = width / 8
            for r in 1..<8 {
                for j in 0..<m {
                    let turn = DeterministicMath.sincos(-2 * DeterministicMath.pi * Double(r * j) / Double(width))
                    stages[place + (r - 1) * m + j] = Float(turn.cos)
                    stages[place + (r + 6) * m + j] = Float(turn.sin)
                }
            }
            place += 14 * m
            width = m
        }
    }

    /// Cosines of a stage of radix eight on `width` numbers; its sines are 7·width/8 further on.
    private func table(_ width: Int) -> UnsafePointer<Float> {
        var (place, wide) = (0, count)
        while wide > width { (place, wide) = (place + 14 * wide / 8, wide / 8) }
        return UnsafePointer(stages.pointer + place)
    }

    /// Numbers `range` of the signal in the complex domain: `earlier` and `later` are the halves of its 2N samples.
    func twist(
        _ earlier: UnsafePointer<Float>, _ later: UnsafePointer<Float>, to spectrum: UnsafeMutablePointer<Float>,
        _ range: PartitionRange
    ) {
        let from = range.from
        ossicle_twist(
            earlier + from, later + from, twist.pointer + from, twist.pointer + count + from, spectrum + from,
            spectrum + count + from, range.count)
    }

    /// Frames `range` of the second half of the product; the first is what wraps around.
    func untwist(
        _ spectrum: UnsafePointer<Float>, to output: UnsafeMutablePointer<Float>, _ range: PartitionRange
    ) {
        let from = range.from
        ossicle_untwist(
            spectrum + from, spectrum + count + from, twist.pointer + from, twist.pointer + count + from, output + from,
            range.count)
    }

    /// Columns `range` of a stage of radix eight on the `width` numbers from `start` on.
    func forwardStage(
        _ spectrum: UnsafeMutablePointer<Float>, start: Int, width: Int, _ range: PartitionRange
    ) {
        let table = table(width)
        ossicle_eighths_apart(
            spectrum + start, spectrum + count + start, table, table + 7 * width / 8, width / 8, range.from, range.count
        )
    }

    func inverseStage(
        _ spectrum: UnsafeMutablePointer<Float>, start: Int, width: Int, _ range: PartitionRange
    ) {
        let table = table(width)
        ossicle_eighths_together(
            spectrum + start, spectrum + count + start, table, table + 7 * width / 8, width / 8, range.from, range.count
        )
    }

    func forwardLeaf(_ spectrum: UnsafeMutablePointer<Float>, start: Int) {
        leafTransform.forward(spectrum + start, spectrum + count + start)
    }

    /// 128 times as large as the inverse: `responseScale` makes up for it.
    func inverseLeaf(_ spectrum: UnsafeMutablePointer<Float>, start: Int) {
        leafTransform.forward(spectrum + count + start, spectrum + start)
    }

    /// What a response is scaled by, for inverse stages and leaves that do not divide.
    var responseScale: Float { 1 / Float(count) }

    /// The whole forward transform at once.
    func forward(
        _ earlier: UnsafePointer<Float>, _ later: UnsafePointer<Float>, to spectrum: UnsafeMutablePointer<Float>
    ) {
        twist(earlier, later, to: spectrum, PartitionRange(0, count))
        var width = count
        while width > Self.leaf {
            for start in stride(from: 0, to: count, by: width) {
                forwardStage(spectrum, start: start, width: width, PartitionRange(0, width / 8))
            }
            width /= 8
        }
        for start in stride(from: 0, to: count, by: Self.leaf) { forwardLeaf(spectrum, start: start) }
    }
}

/// Some of the numbers of a partition: `count` from `from` on, multiples of 16.
struct PartitionRange: BitwiseCopyable {
    let from: Int
    let count: Int

    init(_ from: Int, _ count: Int) { (self.from, self.count) = (from, count) }
}
