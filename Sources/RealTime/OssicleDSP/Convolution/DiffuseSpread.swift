import OssicleCore

/// One or two signals of a measured room, from all around: eight signals that are alike in spectrum and level and unlike in
/// phase, one for each corner of a cube.
///
/// Left goes to the corners on the left, right to those on the right, one alone to all; each passes two allpasses of its own
/// lengths, 1.1 to 5.3 ms, which keep energy and spectrum and delay nothing. All eight together have the mean energy of the
/// signals. Audio thread, but for `init`.
package struct DiffuseSpread: ~Copyable {
    package static let cornerCount = 8
    /// Milliseconds: no two have a common multiple within a tail's reach.
    private static let lengths: InlineArray<16, Double> = [
        1.13, 1.37, 1.57, 1.79, 2.03, 2.27, 2.53, 2.77, 3.07, 3.31, 3.67, 3.89, 4.21, 4.57, 4.93, 5.27,
    ]
    /// 1/√8.
    private static let share: Float = 0.353_553_4

    private let allpasses: UnsafeMutablePointer<Diffuser>
    private let inputCount: Int

    /// - Parameter inputCount: 1 or 2.
    package init(sampleRate: Double, inputCount: Int) {
        self.inputCount = inputCount
        allpasses = .allocate(capacity: 16)
        for number in 0..<16 {
            (allpasses + number).initialize(to: Diffuser(length: max(Int(Self.lengths[number] * sampleRate / 1000), 1)))
        }
    }

    deinit { allpasses.deinitialize(count: 16).deallocate() }

    package mutating func reset() { for number in 0..<16 { allpasses[number].reset() } }

    /// Corner k lies to the right where k & 1 (overwritten).
    package mutating func process(
        _ inputs: UnsafePointer<UnsafeMutablePointer<Float>>, to corners: UnsafePointer<UnsafeMutablePointer<Float>>,
        _ n: Int
    ) {
        for corner in 0..<Self.cornerCount {
            let (from, to) = (inputs[inputCount == 1 ? 0 : corner & 1], corners[corner])
            for i in 0..<n { to[i] = from[i] * Self.share }
            allpasses[corner].process(to, n)
            allpasses[15 - corner].process(to, n)
        }
    }
}
