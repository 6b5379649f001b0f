import OssicleTestSupport
import Testing

@testable import OssicleInspector

/// What a page makes of the changes is what the engine has: here the page's rules, written once more.
struct PathChangesTests {
    /// Rows by source and listener, as the page keeps them.
    private typealias Table = [[Float]: [Float]]

    private func row(_ source: Float, _ listener: Float, level: Float, points: Int = 2) -> [Float] {
        [1, source, listener, level, Float(points)] + [Float](repeating: source + level, count: 3 * points)
    }

    private func pairs(_ numbers: [Float]) -> [(key: [Float], rows: [Float])] {
        var found: [(key: [Float], rows: [Float])] = [], place = 0
        while place < numbers.count {
            let end = place + 5 + 3 * Int(numbers[place + 4]), key = Array(numbers[place + 1...place + 2])
            if found.last?.key == key {
                found[found.count - 1].rows += numbers[place..<end]
            } else {
                found.append((key, Array(numbers[place..<end])))
            }
            place = end
        }
        return found
    }

    private func apply(_ update: PathChanges.Update, _ all: [Float], to table: inout Table) {
        switch update {
        case .nothing: break
        case .all: table = Dictionary(pairs(all).map { ($0.key, $0.rows) }, uniquingKeysWith: +)
        case .pairs(let changes):
            for pair in pairs(changes) { table[pair.key] = pair.rows[0] < 0 ? nil : pair.rows }
        }
    }

    @Test func onlyWhatChangedIsTold() {
        var changes = PathChanges()
        let (first, second, third) = (row(1, 9, level: -3), row(2, 9, level: -4), row(3, 9, level: -5, points: 4))
        #expect(changes.update([]) == .nothing && changes.version == 0)
        #expect(changes.update(first + second + third) == .all && changes.version == 1)
        #expect(changes.update(first + second + third) == .nothing && changes.version == 1)
        let moved = row(2, 9, level: -6) + row(2, 9, level: -20, points: 3)
        #expect(changes.update(first + moved + third) == .pairs(moved) && changes.version == 2)
        #expect(changes.update(first + third) == .pairs([-1, 2, 9, -200, 0]))
        #expect(changes.update(first + row(1, 10, level: -1) + third) == .pairs(row(1, 10, level: -1)))
        #expect(changes.numbers == first + row(1, 10, level: -1) + third)
        #expect(changes.update([]) == .all && changes.version == 5)
    }

    /// An environment's sources may come in any order.
    @Test func pairsOutOfOrderAreSentWhole() {
        var changes = PathChanges()
        let many = (0..<20).flatMap { row(Float($0), 1, level: -3) }
        _ = changes.update(many + row(0, 1, level: -4))
        #expect(changes.update(many + row(0, 1, level: -5)) == .all)
    }

    @Test func changesAddUpToTheWhole() {
        var random = SeededRandom(state: 19)
        var changes = PathChanges(), table = Table(), kinds: Set<String> = []
        var levels = [Float?](repeating: nil, count: 40)
        for round in 0..<500 {
            for _ in 0..<Int.random(in: 0...(round % 50 == 0 ? 40 : 4), using: &random) {
                let place = Int.random(in: 0..<40, using: &random)
                levels[place] = Bool.random(using: &random) ? Float.random(in: -60...0, using: &random) : nil
            }
            let numbers = levels.enumerated().flatMap { place, level in
                level.map { level in
                    (0...place % 3).flatMap {
                        row(Float(place / 4), Float(place % 4), level: level, points: 2 + $0)
                    }
                } ?? []
            }
            let update = changes.update(numbers)
            apply(update, numbers, to: &table)
            kinds.insert("\(update)".prefix { $0.isLetter }.description)
            #expect(table == Dictionary(pairs(numbers).map { ($0.key, $0.rows) }, uniquingKeysWith: +))
        }
        #expect(kinds == ["nothing", "pairs", "all"])
    }
}
