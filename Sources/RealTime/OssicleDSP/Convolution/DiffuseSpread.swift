import OssicleCore

/// One or two signals of a measured room, from all around: a signal for each of the `DiffuseDirections`, all alike in
/// spectrum and level and unlike in phase.
///
/// Left goes to the directions on the left, right to those on the right, one alone to all; each passes two allpasses, 1.1
/// to 5.3 ms long and no two pairs alike, which keep energy and spectrum and delay nothing. All together have the mean
/// energy of the signals. Audio thread, but for `init`.
package struct DiffuseSpread: ~Copyable {
    private static var count: Int { DiffuseDirections.count }
    /// Milliseconds: no two have a common multiple within a tail's reach.
    private static let lengths = [
        1.13, 1.37, 1.57, 1.79, 2.03, 2.27, 2.53, 2.77, 3.07, 3.31, 3.67, 3.89, 4.21, 4.57, 4.93, 5.27,
    ]
    /// 1/√16.
    private static let share: Float = 0.25

    /// Two for each direction.
    private let allpasses: UnsafeMutablePointer<Diffuser>
    /// Whether a direction is to the right.
    private let isRight: OwnedMemory<Bool>
    private let inputCount: Int

    /// - Parameter inputCount: 1 or 2.
    package init(sampleRate: Double, inputCount: Int) {
        self.inputCount = inputCount
        allpasses = .allocate(capacity: 2 * Self.count)
        isRight = OwnedMemory(count: Self.count, false)
        for number in 0..<Self.count {
            for (place, length) in [number, (number + 5) % Self.count].enumerated() {
                let frames = Int(Self.lengths[length] * sampleRate / 1000)
                (allpasses + 2 * number + place).initialize(to: Diffuser(length: max(frames, 1)))
            }
            isRight.pointer[number] = DiffuseDirections.all[number].x > 0
        }
    }

    deinit { allpasses.deinitialize(count: 2 * Self.count).deallocate() }

    package mutating func reset() { for number in 0..<2 * Self.count { allpasses[number].reset() } }

    /// A signal for each direction (overwritten).
    package mutating func process(
        _ inputs: UnsafePointer<UnsafeMutablePointer<Float>>,
        to directions: UnsafePointer<UnsafeMutablePointer<Float>>, _ n: Int
    ) {
        for number in 0..<Self.count {
            let (from, to) = (inputs[inputCount == 2 && isRight.pointer[number] ? 1 : 0], directions[number])
            for i in 0..<n { to[i] = from[i] * Self.share }
            allpasses[2 * number].process(to, n)
            allpasses[2 * number + 1].process(to, n)
        }
    }
}
