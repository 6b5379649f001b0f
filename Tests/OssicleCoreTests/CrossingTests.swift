import Foundation
import OssicleCore
import Testing

@Suite struct CrossingTests {
    @Test("A ring gives back in order what went in, and says when it is full or empty")
    func ringOrder() {
        let ring = Ring<Int>(capacity: 5)
        defer { ring.deallocate() }
        #expect(ring.capacity == 8 && ring.pop() == nil && ring.peek() == nil)
        for round in 0..<100 {
            for i in 0..<8 { #expect(ring.push(round * 8 + i)) }
            #expect(!ring.push(-1) && ring.count == 8 && ring.peek() == round * 8)
            for i in 0..<8 { #expect(ring.pop() == round * 8 + i) }
            #expect(ring.pop() == nil && ring.count == 0)
        }
    }

    @Test("Through a small ring two threads pass a million numbers without loss, doubling or disorder")
    func ringStress() async {
        let ring = Ring<SIMD4<Int>>(capacity: 16)
        defer { ring.deallocate() }
        let count = 1_000_000
        let writer = Task.detached {
            for i in 0..<count { while !ring.push(SIMD4(repeating: i)) { await Task.yield() } }
        }
        let intact = await Task.detached {
            var expected = 0
            var intact = true
            while expected < count {
                guard let element = ring.pop() else { await Task.yield(); continue }
                intact = intact && element == SIMD4(repeating: expected)
                expected += 1
            }
            return intact
        }.value
        await writer.value
        #expect(intact && ring.count == 0)
    }

    @Test("A cell hands over the newest value once, and keeps it as current")
    func cellNewest() {
        let cell = LatestValueCell(0)
        defer { cell.deallocate() }
        #expect(cell.current == 0 && cell.takeIfNew() == nil)
        for i in 1...5 { cell.write(i) }
        #expect(cell.current == 0 && cell.takeIfNew() == 5 && cell.takeIfNew() == nil && cell.current == 5)
    }

    @Test("Across two threads a cell never shows a torn or an older value, and the last one arrives")
    func cellStress() async {
        let cell = LatestValueCell(SIMD16<Int>.zero)
        defer { cell.deallocate() }
        let count = 1_000_000
        let writer = Task.detached { for i in 1...count { cell.write(SIMD16(repeating: i)) } }
        let intact = await Task.detached {
            var last = 0
            var intact = true
            while last < count {
                guard let value = cell.takeIfNew() else { await Task.yield(); continue }
                intact = intact && value == SIMD16(repeating: value[0]) && value[0] > last && cell.current == value
                last = value[0]
            }
            return intact
        }.value
        await writer.value
        #expect(intact && cell.takeIfNew() == nil)
    }
}
