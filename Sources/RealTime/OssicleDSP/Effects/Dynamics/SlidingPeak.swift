import OssicleCore

/// The largest of the last `window` values, exactly, in a handful of steps per value (Lemire, "Streaming maximum–minimum filter using no
/// more than three comparisons per element", 2006).
///
/// It keeps only the values that no later one has reached, the largest first, each with the frame it came in. Audio thread; not shared.
struct SlidingPeak: ~Copyable {
    /// Frames looked back on, 1 … `longest`. A window that grows has forgotten what lay outside the smaller one.
    var window: Int { didSet { window = min(max(window, 1), longest) } }
    private let longest: Int
    private let values: SampleMemory
    private let births: OwnedMemory<Int>
    private let mask: Int
    private var frame = 0
    private var first = 0
    private var end = 0

    /// Starts with the whole of `longest` as its window.
    init(longest: Int) {
        self.longest = max(longest, 1)
        window = self.longest
        var capacity = 1
        while capacity < self.longest + 1 { capacity *= 2 }
        mask = capacity - 1
        values = SampleMemory(count: capacity)
        births = OwnedMemory(count: capacity, 0)
    }

    mutating func reset() { (frame, first, end) = (0, 0, 0) }

    /// Takes in one value, 0 or above, and gives the largest of the window that ends with it.
    @inline(__always)
    mutating func next(_ value: Float) -> Float {
        while end > first, values.pointer[(end - 1) & mask] <= value { end -= 1 }
        values.pointer[end & mask] = value
        births.pointer[end & mask] = frame
        end += 1
        while births.pointer[first & mask] <= frame - window { first += 1 }
        frame += 1
        return values.pointer[first & mask]
    }
}
