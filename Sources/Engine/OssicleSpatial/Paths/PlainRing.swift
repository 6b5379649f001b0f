/// A queue of plain values in memory of its own: appended at the end, dropped from the front, read at any place.
/// Reading counts no references, and dropping moves nothing. It grows when it is full.
struct PlainRing<Element: BitwiseCopyable>: ~Copyable {
    private var base: UnsafeMutablePointer<Element>?
    /// A power of two less one; −1 without memory.
    private var mask = -1
    private var first = 0
    private(set) var count = 0

    init() {}

    deinit { base?.deallocate() }

    var isEmpty: Bool { count == 0 }
    /// Whether the next value makes it grow.
    var isFull: Bool { count > mask }

    /// Where the value at a place lies, until the next one is appended.
    /// - Parameter place: 0 is the oldest; less than `count`.
    @inline(__always)
    subscript(place: Int) -> UnsafePointer<Element>? {
        guard let base, place >= 0, place < count else { return nil }
        return UnsafePointer(base + ((first + place) & mask))
    }

    mutating func append(_ element: Element) {
        if isFull { grow() }
        guard let base else { return }
        (base + ((first + count) & mask)).initialize(to: element)
        count += 1
    }

    /// - Parameter number: no more than there are.
    mutating func removeFirst(_ number: Int = 1) {
        (first, count) = (first + number, count - number)
    }

    mutating func removeLast() { count -= 1 }

    private mutating func grow() {
        let capacity = max(2 * (mask + 1), 4)
        let new = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
        for place in 0..<count { if let old = self[place] { (new + place).initialize(to: old.pointee) } }
        base?.deallocate()
        (base, mask, first) = (new, capacity - 1, 0)
    }
}
