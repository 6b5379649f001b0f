import OssicleInspection

/// The paths that pages have, from look to look, and what is other than it was: of thousands of paths those of a few
/// sources change, and a page keeps the rest.
///
/// The paths of one source and one listener are neighbours in `InspectedScene.paths`: a pair.
struct PathChanges {
    /// What a page that has the paths of the last version lacks.
    enum Update: Equatable {
        case nothing
        /// All rows of each pair that is new or has changed, in order; of a pair without paths by now one row of the
        /// kind −1, without points.
        case pairs([Float])
        /// Everything: nearly all is other, or pairs are not in order of source and listener.
        case all
    }

    /// Every path of the last look, as `InspectedScene.paths`.
    private(set) var numbers: [Float] = []
    /// Counts the looks that found something to have changed.
    private(set) var version = 0

    /// Share of `numbers` above which pages are sent everything.
    private static let largestShare = 0.75

    /// Another look.
    mutating func update(_ new: [Float]) -> Update {
        let old = numbers
        guard new != old else { return .nothing }
        numbers = new
        version += 1
        var changes: [Float] = []
        let most = Int(Double(new.count) * Self.largestShare)
        return old.withUnsafeBufferPointer { old in
            new.withUnsafeBufferPointer { new in
                var (before, now) = (Pairs(old), Pairs(new))
                var (was, pair) = (before.next(), now.next())
                while was != nil || pair != nil {
                    guard before.isInOrder, now.isInOrder, changes.count <= most else { return .all }
                    if let gone = was, pair.map({ gone.key < $0.key }) ?? true {
                        changes += [-1, gone.key.source, gone.key.listener, -200, 0]
                        was = before.next()
                        continue
                    }
                    guard let there = pair else { break }
                    let isKnown = was?.key == there.key
                    if !isKnown || !(was?.rows.elementsEqual(there.rows) ?? false) { changes += there.rows }
                    if isKnown { was = before.next() }
                    pair = now.next()
                }
                return before.isInOrder && now.isInOrder && changes.count <= most ? .pairs(changes) : .all
            }
        }
    }

    /// Goes through rows pair by pair.
    private struct Pairs {
        struct Key: Comparable {
            let source, listener: Float

            static func < (a: Key, b: Key) -> Bool { (a.source, a.listener) < (b.source, b.listener) }
        }

        private let numbers: UnsafeBufferPointer<Float>
        private var place = 0
        private var last: Key?
        /// Whether all pairs so far came in order, each once.
        private(set) var isInOrder = true

        init(_ numbers: UnsafeBufferPointer<Float>) { self.numbers = numbers }

        mutating func next() -> (key: Key, rows: Slice<UnsafeBufferPointer<Float>>)? {
            guard place + 5 <= numbers.count else { return nil }
            let start = place, key = Key(source: numbers[place + 1], listener: numbers[place + 2])
            while place + 5 <= numbers.count, numbers[place + 1] == key.source, numbers[place + 2] == key.listener {
                place += 5 + 3 * Int(numbers[place + 4])
            }
            place = min(place, numbers.count)
            if let last, key <= last { isInOrder = false }
            last = key
            return (key, numbers[start..<place])
        }
    }
}
