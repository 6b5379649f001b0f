/// The state of IMA ADPCM for one channel: the last sample and the size of the next step. Four bits tell a sample: a sign and the difference in
/// quarters of the step ("Recommended Practices for Enhancing Digital Audio Compatibility", Interactive Multimedia Association, 1992).
struct IMAPredictor: Sendable {
    /// On the scale of 16 bits.
    var sample: Int32 = 0
    /// Where in the table of steps, 0 ... 88.
    var index: Int32 = 0

    static let highestIndex: Int32 = 88

    /// The sample a code stands for.
    mutating func expand(_ code: UInt8) -> Int32 {
        let step = Self.steps[Int(index)]
        var difference = step >> 3
        if code & 4 != 0 { difference += step }
        if code & 2 != 0 { difference += step >> 1 }
        if code & 1 != 0 { difference += step >> 2 }
        sample = min(max(code & 8 != 0 ? sample - difference : sample + difference, -32_768), 32_767)
        index = min(max(index + Self.indexChanges[Int(code & 7)], 0), Self.highestIndex)
        return sample
    }

    /// The code that comes nearest to `target`, and the step to it.
    mutating func compress(_ target: Int32) -> UInt8 {
        let step = Self.steps[Int(index)]
        let difference = target - sample
        let quarters = min(Int32(7), (4 * abs(difference)) / step)
        let code = UInt8(quarters) | (difference < 0 ? 8 : 0)
        _ = expand(code)
        return code
    }

    private static let indexChanges: [Int32] = [-1, -1, -1, -1, 2, 4, 6, 8]
    private static let steps: [Int32] = [
        7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 19, 21, 23, 25, 28, 31, 34, 37, 41, 45, 50, 55, 60, 66, 73, 80, 88, 97, 107, 118, 130, 143, 157, 173,
        190, 209, 230, 253, 279, 307, 337, 371, 408, 449, 494, 544, 598, 658, 724, 796, 876, 963, 1060, 1166, 1282, 1411, 1552, 1707, 1878, 2066,
        2272, 2499, 2749, 3024, 3327, 3660, 4026, 4428, 4871, 5358, 5894, 6484, 7132, 7845, 8630, 9493, 10_442, 11_487, 12_635, 13_899, 15_289,
        16_818, 18_500, 20_350, 22_385, 24_623, 27_086, 29_794, 32_767,
    ]
}
