/// Connections grouped by the end they have at a node or port, in the order in which they were made: what a dictionary
/// of arrays would hold, in two arrays.
package struct Links: Sendable {
    /// Where each end's part of `values` begins; one more at the end.
    private var starts: [Int]
    private var values: [Int]

    /// - Parameters:
    ///   - ends: of each connection, 0..<`count`.
    ///   - values: what is kept of each connection, such as its other end; nil for its number.
    package init(of ends: [Int], values: [Int]? = nil, count: Int) {
        starts = Array(repeating: 0, count: count + 1)
        self.values = Array(repeating: 0, count: ends.count)
        for end in ends { starts[end + 1] += 1 }
        for end in 0..<count { starts[end + 1] += starts[end] }
        var next = starts
        if let values {
            for (connection, end) in ends.enumerated() {
                self.values[next[end]] = values[connection]
                next[end] += 1
            }
        } else {
            for (connection, end) in ends.enumerated() {
                self.values[next[end]] = connection
                next[end] += 1
            }
        }
    }

    /// Ends.
    package var count: Int { starts.count - 1 }

    package subscript(end: Int) -> ArraySlice<Int> { values[starts[end]..<starts[end + 1]] }

    /// The number of an end's values.
    func count(of end: Int) -> Int { starts[end + 1] - starts[end] }

    /// Where an end has its values: to go over these costs no reference count, which a slice does.
    func places(of end: Int) -> Range<Int> { starts[end]..<starts[end + 1] }

    /// Of neighbours.
    func places(of ends: Range<Int>) -> Range<Int> { starts[ends.lowerBound]..<starts[ends.upperBound] }

    /// The value at one of `places`.
    func value(at place: Int) -> Int { values[place] }

    /// Of neighbours.
    package subscript(ends: Range<Int>) -> ArraySlice<Int> {
        values[starts[ends.lowerBound]..<starts[ends.upperBound]]
    }
}
