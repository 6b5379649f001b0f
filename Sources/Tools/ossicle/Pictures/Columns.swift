/// A stretch of sound in brief, to be joined with the one behind it.
protocol Joinable {
    mutating func join(_ later: Self)
}

/// What happens over time in a limited number of columns, however long it lasts: when they are full, neighbours are
/// joined, and each column stands for twice the time from then on.
struct Columns<Element: Joinable> {
    /// All are of the same width, but the last may stand for less.
    private(set) var elements: [Element] = []
    private let capacity: Int
    /// How many of the appended elements a column joins, and how many the last one has.
    private var span = 1, filled = 0

    /// - Parameter capacity: columns at most, at least 2; half of that at least, once there have been as many.
    init(capacity: Int) { self.capacity = max(capacity, 2) / 2 * 2 }

    mutating func append(_ element: Element) {
        if filled == span, elements.count == capacity { halve() }
        if elements.isEmpty || filled == span {
            elements.append(element)
            filled = 1
        } else {
            elements[elements.count - 1].join(element)
            filled += 1
        }
    }

    private mutating func halve() {
        for index in 0..<capacity / 2 {
            var joined = elements[2 * index]
            joined.join(elements[2 * index + 1])
            elements[index] = joined
        }
        elements.removeLast(capacity / 2)
        span *= 2
        filled = span
    }
}
