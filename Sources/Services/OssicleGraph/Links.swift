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
        for (connection, end) in ends.enumerated() {
            self.values[next[end]] = values?[connection] ?? connection
            next[end] += 1
        }
    }

    /// Ends.
    package var count: Int { starts.count - 1 }

    package subscript(end: Int) -> ArraySlice<Int> { values[starts[end]..<starts[end + 1]] }

    /// Of neighbours.
    package subscript(ends: Range<Int>) -> ArraySlice<Int> {
        values[starts[ends.lowerBound]..<starts[ends.upperBound]]
    }
}
