import OssicleCore
import OssicleDSP

/// A field without direction for two ears: eight uncorrelated signals, one from
/// each corner of a cube around the head.
///
///     S = x + x̄,   D = x − x̄                 x from a corner on the left, x̄ from the one opposite on the right: four pairs
///     ear = Σ M ∗ S + Σ N ∗ D                 M, N = (h ± h̄)/2,  h and h̄ the ear's filters for the two corners
///
/// In a symmetric head h of the right ear is h̄ of the left: the same two sums serve both ears, N's with the other
/// sign, and half the work is saved. The filters contain the ears' delays, in whole frames, which is inaudible in a
/// diffuse field. Audio thread, but for `init`.
package struct DiffuseBinaural: FieldBinaural, ~Copyable {
    static let cornerCount = 8
    private static let pairCount = 4

    private let tapCount: Int
    /// Frames that a signal is kept for: what all corners are late by, and what the filters need.
    let history: Int
    private let isSymmetric: Bool
    /// Per ear and pair: M, then N.
    private let filters: SampleMemory
    /// Per pair: S, then D; each its history, then the block.
    private let signals: SampleMemory
    private let sums = SampleMemory(count: 3 * Grid.quantum)

    /// In time with the voices, as the engine's rooms need it.
    package init(head: HRTFTable) { self.init(head: head, latency: Int(FractionalDelayLine.minimumDelay)) }

    /// - Parameter latency: frames before the first sound, apart from the head's own delay.
    init(head: HRTFTable, latency: Int) {
        let corners = (0..<Self.cornerCount).map { CornerFilters($0, head) }
        let delays = corners.flatMap { [$0.leftDelay, $0.rightDelay] }
        let (least, most) = (delays.min() ?? 0, delays.max() ?? 0)
        tapCount = (head.tapCount + most - least + 15) / 16 * 16
        history = tapCount - 1 + latency + least
        isSymmetric = (0..<Self.pairCount).allSatisfy { corners[2 * $0].mirrors(corners[2 * $0 + 1]) }
        filters = SampleMemory(count: 2 * Self.pairCount * 2 * tapCount)
        signals = SampleMemory(count: 2 * Self.pairCount * (history + Grid.quantum + HRTFConvolution.group))
        for pair in 0..<Self.pairCount {
            let (left, right) = (corners[2 * pair], corners[2 * pair + 1])
            fill(0, pair, left.left, left.leftDelay - least, right.left, right.leftDelay - least)
            fill(1, pair, left.right, left.rightDelay - least, right.right, right.rightDelay - least)
        }
    }

    private func fill(_ ear: Int, _ pair: Int, _ near: [Float], _ nearDelay: Int, _ far: [Float], _ farDelay: Int) {
        let (m, n) = (filter(ear, pair, 0), filter(ear, pair, 1))
        for (k, tap) in near.enumerated() {
            m[nearDelay + k] += tap * 0.5
            n[nearDelay + k] += tap * 0.5
        }
        for (k, tap) in far.enumerated() {
            m[farDelay + k] += tap * 0.5
            n[farDelay + k] -= tap * 0.5
        }
    }

    private func filter(_ ear: Int, _ pair: Int, _ part: Int) -> UnsafeMutablePointer<Float> {
        filters.pointer + ((ear * Self.pairCount + pair) * 2 + part) * tapCount
    }

    private func signal(_ pair: Int, _ part: Int) -> UnsafeMutablePointer<Float> {
        signals.pointer + (2 * pair + part) * (history + Grid.quantum + HRTFConvolution.group)
    }

    /// One signal per corner in, from frame `offset` on, the two ears out (overwritten). At most one quantum.
    func process(
        _ corners: UnsafePointer<UnsafeMutablePointer<Float>>, offset: Int = 0, left: UnsafeMutablePointer<Float>,
        right: UnsafeMutablePointer<Float>, _ frames: Int
    ) {
        for pair in 0..<Self.pairCount {
            let (x, other) = (corners[2 * pair] + offset, corners[2 * pair + 1] + offset)
            let (sum, difference) = (signal(pair, 0) + history, signal(pair, 1) + history)
            for i in 0..<frames { (sum[i], difference[i]) = (x[i] + other[i], x[i] - other[i]) }
        }
        let (middle, side) = (sums.pointer, sums.pointer + Grid.quantum)
        convolve(ear: 0, part: 0, to: middle, frames)
        convolve(ear: 0, part: 1, to: side, frames)
        for i in 0..<frames { left[i] = middle[i] + side[i] }
        if isSymmetric {
            for i in 0..<frames { right[i] = middle[i] - side[i] }
        } else {
            convolve(ear: 1, part: 0, to: middle, frames)
            convolve(ear: 1, part: 1, to: side, frames)
            for i in 0..<frames { right[i] = middle[i] + side[i] }
        }
        for pair in 0..<Self.pairCount {
            for part in 0..<2 { signal(pair, part).update(from: signal(pair, part) + frames, count: history) }
        }
    }

    /// Σ over the pairs of one part.
    private func convolve(ear: Int, part: Int, to sum: UnsafeMutablePointer<Float>, _ frames: Int) {
        let term = sums.pointer + 2 * Grid.quantum
        HRTFConvolution.run(signal(0, part), filter(ear, 0, part), tapCount, into: sum, frames)
        for pair in 1..<Self.pairCount {
            HRTFConvolution.run(signal(pair, part), filter(ear, pair, part), tapCount, into: term, frames)
            Mixing.add(term, into: sum, frames)
        }
    }
}

/// What the ears make of one corner of the cube.
private struct CornerFilters {
    let left, right: [Float]
    /// Whole frames.
    let leftDelay, rightDelay: Int

    init(_ corner: Int, _ head: HRTFTable) {
        var (left, right) = ([Float](repeating: 0, count: head.tapCount), [Float](repeating: 0, count: head.tapCount))
        var delays: (left: Float, right: Float) = (0, 0)
        left.withUnsafeMutableBufferPointer { left in
            right.withUnsafeMutableBufferPointer { right in
                guard let left = left.baseAddress, let right = right.baseAddress else { return }
                delays = head.interpolate(CubeCorner.direction(corner), left: left, right: right)
            }
        }
        (self.left, self.right) = (left, right)
        leftDelay = Self.whole(delays.left)
        rightDelay = Self.whole(delays.right)
    }

    func mirrors(_ other: CornerFilters) -> Bool {
        left == other.right && right == other.left && leftDelay == other.rightDelay && rightDelay == other.leftDelay
    }

    /// No head is larger than a few hundred frames at any sample rate.
    private static func whole(_ delay: Float) -> Int { delay > 0 ? Int(min(delay, 4096).rounded()) : 0 }
}

/// The corners of a cube around the head, numbered by bits: right, up, behind.
enum CubeCorner {
    static func direction(_ index: Int) -> SIMD3<Float> {
        SIMD3(index & 1 == 0 ? -1 : 1, index & 2 == 0 ? -1 : 1, index & 4 == 0 ? -1 : 1)
    }
}
