/// The ears a field was given since it was made, and until when it may hear with them.
struct GivenEars {
    /// `until`: engine time; nil for the present ones.
    private var ears: [(box: AnyObject, until: Int64?)] = []

    /// - Parameter new: what holds their memory.
    mutating func give(_ new: AnyObject, at position: Int64) {
        for index in ears.indices where ears[index].until == nil { ears[index].until = position + WornHeads.lingering }
        ears.append((new, nil))
    }

    /// - Returns: whether there was anything to forget.
    mutating func forget(at position: Int64) -> Bool {
        let before = ears.count
        ears.removeAll { ears in ears.until.map { $0 <= position } ?? false }
        return ears.count != before
    }

    /// To be kept alive by the plan.
    var alive: [AnyObject] { ears.map(\.box) }
}
