import OssicleCore

/// Finds where sounds set in: where the energy of the signal's first difference, which favours the high frequencies
/// that attacks have, over four blocks exceeds that of the sixteen blocks before by 8 dB.
///
/// A block is a 64th of the window (1.3 ms). Sixteen of them outlast half a period of any audible tone, so neither a
/// steady tone nor noise nor a slow beat passes for an onset. Found onsets wait in a short queue. Audio thread.
struct OnsetDetector: ~Copyable {
    private static let before = 16
    private static let after = 4
    private static let queueLength = 32
    private static let ratio: Float = 6
    /// Mean square below which a block is silent (−100 dB).
    private static let floor: Float = 1e-10
    /// Stands for blocks before the first; no onset follows them.
    private static let unknown: Float = 1e30

    let blockFrames: Int
    private let spacing: Int64
    /// Energies of the last 32 blocks, by block number.
    private let energies: OwnedMemory<Float>
    private let queue: OwnedMemory<Int64>
    private var queued = 0
    /// Everything before this frame has been looked at.
    private var scanned: Int64 = 0
    private var earliest: Int64 = 0

    init(window: Int) {
        blockFrames = window / 64
        spacing = Int64(window / 4)
        energies = OwnedMemory(count: 32, 0)
        queue = OwnedMemory(count: Self.queueLength, 0)
    }

    /// Frames behind an onset that have to be known to find it.
    var lookAhead: Int { (Self.after + 2) * blockFrames }

    mutating func reset() {
        energies.fill(0)
        (queued, scanned, earliest) = (0, 0, 0)
    }

    /// The first two onsets found behind `frame`; those up to it are forgotten.
    mutating func next(after frame: Int64) -> (Int64?, Int64?) {
        var gone = 0
        while gone < queued, queue.pointer[gone] <= frame { gone += 1 }
        if gone > 0 {
            for i in gone..<queued { queue.pointer[i - gone] = queue.pointer[i] }
            queued -= gone
        }
        return (queued > 0 ? queue.pointer[0] : nil, queued > 1 ? queue.pointer[1] : nil)
    }

    /// Looks at everything up to `end`, but not at what lies before `start`.
    mutating func scan(_ ring: borrowing FrameRing, from start: Int64, to end: Int64) {
        let size = Int64(blockFrames)
        if scanned < start {
            scanned = (start + size - 1) / size * size
            energies.fill(Self.unknown)
        }
        while scanned + size <= end {
            let block = scanned / size
            energies.pointer[Int(block & 31)] = energy(ring, at: scanned)
            scanned += size
            judge(block - Int64(Self.after), ring)
        }
    }

    private mutating func judge(_ block: Int64, _ ring: borrowing FrameRing) {
        guard block >= 0, block * Int64(blockFrames) >= earliest, queued < Self.queueLength else { return }
        func energy(_ block: Int64) -> Float { energies.pointer[Int(block & 31)] }
        var (before, after, peak) = (Float.zero, Float.zero, energy(block + Int64(Self.after)))
        for i in 1...Int64(Self.before) { before += energy(block - i) }
        for i in 0..<Int64(Self.after) {
            after += energy(block + i)
            peak = max(peak, energy(block + i))
        }
        let scale = Float(Self.before / Self.after)
        guard after * scale > before * Self.ratio + Self.floor * Float(Self.before * blockFrames) else { return }
        var first = block
        while first < block + Int64(Self.after), energy(first) < 0.3 * peak { first += 1 }
        queue.pointer[queued] = attack(ring, from: max(first - 1, 0) * Int64(blockFrames))
        queued += 1
        earliest = first * Int64(blockFrames) + spacing
    }

    /// The frame before which an attack somewhere in the next three blocks begins.
    private func attack(_ ring: borrowing FrameRing, from start: Int64) -> Int64 {
        var peak: Float = 0
        for i in 0..<Int64(3 * blockFrames) { peak = max(peak, step(ring, start + i)) }
        var frame = start
        while frame < start + Int64(2 * blockFrames), step(ring, frame) < 0.02 * peak { frame += 1 }
        return max(frame - Int64(blockFrames / 8), 0)
    }

    private func step(_ ring: borrowing FrameRing, _ frame: Int64) -> Float {
        var sum: Float = 0
        for channel in 0..<ring.channelCount {
            let change = ring.sample(channel, at: frame) - ring.sample(channel, at: frame - 1)
            sum += change * change
        }
        return sum
    }

    /// Of one block's first difference.
    private func energy(_ ring: borrowing FrameRing, at frame: Int64) -> Float {
        var total: Float = 0
        for channel in 0..<ring.channelCount {
            let block = UnsafeRawPointer(ring.block(channel, at: frame))
            let first = block.load(as: Float.self) - ring.sample(channel, at: frame - 1)
            var sum = SIMD8<Float>.zero
            // The last step within a block is the first of the next.
            for i in stride(from: 0, to: blockFrames - 8, by: 8) {
                let change =
                    block.loadUnaligned(fromByteOffset: 4 * i + 4, as: SIMD8<Float>.self)
                    - block.loadUnaligned(fromByteOffset: 4 * i, as: SIMD8<Float>.self)
                sum += change * change
            }
            total += sum.pairwiseSum + first * first
        }
        return total
    }
}

/// Keeps noise at its level. Windows of a steady tone agree where they overlap, those of noise do not quite, and their
/// sum falls short by up to a few decibels, depending on speed and overlap. The gain makes the energy that comes out
/// that of the windows that went in.
///
/// A slow loop: energies are averaged over two windows, the gain follows over four. For tones it stays at 1. Audio
/// thread.
struct LevelBalance: BitwiseCopyable {
    private static let gains = 1.0...2.5
    /// Energy per frame below which nothing is learned.
    private static let silence = 1e-12

    private var expected = 0.0
    private var found = 0.0
    private var square = 1.0

    var gain: Float { Float(square.squareRoot()) }

    /// - Parameters:
    ///   - expected: energy of a hop by its windows. - found: by the frames themselves. - hop, window: frames.
    mutating func learn(expected: Double, found: Double, hop: Int, window: Int) {
        guard expected.isFinite, found.isFinite else { return }
        let share = Double(hop) / Double(2 * window)
        self.expected += (expected - self.expected) * share
        self.found += (found - self.found) * share
        guard self.found > LevelBalance.silence * Double(hop) else { return }
        let ratio = min(max(self.expected / self.found, 0.5), 2)
        square *= 1 + 0.5 * share * (ratio - 1)
        let (least, most) = (LevelBalance.gains.lowerBound, LevelBalance.gains.upperBound)
        square = min(max(square, least * least), most * most)
    }
}
