import COssicle
import OssicleCore

/// Windows laid over one another, and the sum of their weights beside them, by which the result is divided: whatever
/// the hops and however windows were cut, a signal whose windows agree comes out at its own level.
///
/// Beside both lies the power that each window had, weighted alike: what the sum's power should be. Rings by stretched
/// frame. Audio thread.
struct OverlapSum: ~Copyable {
    /// Where windows hardly reach, what they hold there is not blown up.
    private static let leastWeight: Float = 0.1

    private let channelCount: Int
    private let size: Int
    private let sums: SampleMemory
    private let weights: SampleMemory
    private let powers: SampleMemory

    init(channelCount: Int, window: Int) {
        self.channelCount = channelCount
        size = 2 * window
        sums = SampleMemory(count: channelCount * size)
        weights = SampleMemory(count: size)
        powers = SampleMemory(count: size)
    }

    func clear() {
        sums.clear()
        weights.clear()
        powers.clear()
    }

    private func slot(_ frame: Int64) -> Int { Int(truncatingIfNeeded: frame) & (size - 1) }

    /// Calls with pieces that lie in one run: first slot, first index, count.
    @inline(__always)
    private func pieces(_ frame: Int64, _ range: Range<Int>, _ body: (Int, Int, Int) -> Void) {
        var i = range.lowerBound
        while i < range.upperBound {
            let start = slot(frame + Int64(i))
            let count = min(range.upperBound - i, size - start)
            body(start, i, count)
            i += count
        }
    }

    /// sums[frame + i] += signal[i]·gain·shape[i] for i in `range`.
    func add(
        _ channel: Int, _ signal: UnsafePointer<Float>, gain: Float, shape: UnsafePointer<Float>, at frame: Int64,
        _ range: Range<Int>
    ) {
        let ring = sums.pointer + channel * size
        pieces(frame, range) { start, first, count in
            ossicle_add_window(signal + first, gain, shape + first, ring + start, count)
        }
    }

    /// weights[frame + i] += a[i]·b[i] for i in `range`, and `power` with the same weight.
    func addWeights(
        _ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>, power: Float, at frame: Int64, _ range: Range<Int>
    ) {
        pieces(frame, range) { start, first, count in
            ossicle_add_weights(a + first, b + first, power, weights.pointer + start, powers.pointer + start, count)
        }
    }

    /// Energy of finished frames, as their windows had it and as it has become, all channels together.
    func energies(at frame: Int64, _ count: Int) -> (expected: Double, found: Double) {
        var (expected, found) = (0.0, 0.0)
        for i in 0..<count {
            let place = slot(frame + Int64(i))
            let scale = 1 / max(weights[place], Self.leastWeight)
            expected += Double(powers[place] * scale)
            for channel in 0..<channelCount {
                let value = Double(sums[channel * size + place] * scale)
                found += value * value
            }
        }
        return (expected, found)
    }

    /// Takes everything from `frame` on away, and over `fade` frames before it moves over to another signal, whose
    /// frames up to `frame` are given.
    func end(_ channel: Int, at frame: Int64, fade: Int, into other: UnsafePointer<Float>) {
        let ring = sums.pointer + channel * size
        for i in 0..<fade {
            let place = slot(frame - Int64(fade - i))
            let weight = max(weights[place], Self.leastWeight)
            let value = ring[place] / weight
            let share = (Float(i) + 0.5) * (1 / Float(fade))
            ring[place] = (value + (other[i] - value) * share) * weight
        }
        pieces(frame, 0..<(size / 2)) { start, _, count in (ring + start).update(repeating: 0, count: count) }
    }

    func endWeights(at frame: Int64) {
        pieces(frame, 0..<(size / 2)) { start, _, count in
            (weights.pointer + start).update(repeating: 0, count: count)
            (powers.pointer + start).update(repeating: 0, count: count)
        }
    }

    /// Moves finished frames out, and leaves silence.
    func take(_ frame: Int64, _ count: Int, to outputs: UnsafePointer<UnsafeMutablePointer<Float>>, offset: Int) {
        pieces(frame, 0..<count) { start, first, count in
            let weights = weights.pointer + start
            for channel in 0..<channelCount {
                let (ring, output) = (sums.pointer + channel * size + start, outputs[channel] + offset + first)
                ossicle_divide_by_weights(ring, weights, Self.leastWeight, output, count)
                ring.update(repeating: 0, count: count)
            }
            weights.update(repeating: 0, count: count)
            (powers.pointer + start).update(repeating: 0, count: count)
        }
    }
}
