/// How far a sequence has come.
struct SequenceTurns {
    /// The children that make sound, in order.
    let children: [Int]
    /// When those that have been told begin: engine frames, `Int64.max` while that is not known.
    var begins: [Int64]

    init(of children: [Int], from time: Int64) {
        self.children = children
        begins = children.isEmpty ? [] : [time]
    }

    /// The child to be told next; nil if all have been.
    var next: Int? { begins.count < children.count ? begins.count : nil }
}
