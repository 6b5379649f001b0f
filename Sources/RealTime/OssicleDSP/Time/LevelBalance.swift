/// Keeps noise at its level. Windows of a steady tone agree where they overlap, those of noise do not quite, and their sum falls short by
/// up to a few decibels, depending on speed and overlap. The gain makes the energy that comes out that of the windows that went in.
///
/// A slow loop: energies are averaged over two windows, the gain follows over four. For tones it stays at 1. Audio thread.
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
