import COssicle
@testable import OssicleDSP
import OssicleTestSupport
import Testing

/// The network's inner steps in C against the plain Swift beside them.
@Suite struct NetworkStepsTests {
    typealias Lanes = SIMD16<Float>

    private static func vectors(_ count: Int, seed: UInt64) -> [Lanes] {
        let values = Signal.noise(count: 16 * count, seed: seed)
        return (0..<count).map { frame in Lanes(values[(16 * frame)..<(16 * frame + 16)]) }
    }

    /// Runs `body` with a table of pointers to rows of 64 frames, and returns the rows.
    private static func rows(
        _ count: Int, seed: UInt64, _ body: (UnsafeMutablePointer<UnsafeMutablePointer<Float>>) -> Void
    ) -> [[Float]] {
        let memory = TestMemory(count: 64 * count, Float(0))
        for (index, value) in Signal.noise(count: 64 * count, seed: seed).enumerated() { memory.pointer[index] = value }
        let table = TestMemory(count: count, memory.pointer)
        for row in 0..<count { table.pointer[row] = memory.pointer + 64 * row }
        body(table.pointer)
        return (0..<count).map { row in (0..<64).map { memory.pointer[64 * row + $0] } }
    }

    @Test("gathers the same bytes in C and in Swift", arguments: [1, 3, 4, 31, 63, 64])
    func gather(frames: Int) {
        let (c, swift) = (TestMemory(count: 64, Lanes.zero), TestMemory(count: 64, Lanes.zero))
        _ = Self.rows(16, seed: 1) { ends in
            ossicle_fdn_gather(ends, c.floats, frames)
            NetworkSteps.gather(ends, swift.pointer, frames)
        }
        for frame in 0..<64 { #expect(c.pointer[frame] == swift.pointer[frame], "frame \(frame)") }
    }

    @Test("filters to the same bytes in C and in Swift", arguments: [1, 3, 32, 64])
    func filter(frames: Int) {
        let numbers: [Lanes] = Self.vectors(60, seed: 2).map { $0 * Float(0.3) }
        let sections: [StateVariableSection<Lanes>] = (0..<10).map { (j: Int) -> StateVariableSection<Lanes> in
            let n = Array(numbers[(6 * j)..<(6 * j + 6)])
            return StateVariableSection(alpha: n[0], beta: n[1], gamma: n[2], d: n[3], p: n[4], q: n[5])
        }
        let (c, swift) = (TestMemory(count: 84, Lanes.zero), TestMemory(count: 84, Lanes.zero))
        for (index, vector) in Self.vectors(84, seed: 3).enumerated() {
            (c.pointer[index], swift.pointer[index]) = (vector, vector)
        }
        sections.withUnsafeBufferPointer { sections in
            guard let base = sections.baseAddress else { return }
            let floats = UnsafeRawPointer(base).assumingMemoryBound(to: Float.self)
            ossicle_fdn_filter(floats, c.floats, 10, c.floats + 20 * 16, frames)
            NetworkSteps.filter(base, swift.pointer, count: 10, swift.pointer + 20, frames)
        }
        for index in 0..<84 { #expect(c.pointer[index] == swift.pointer[index], "vector \(index)") }
    }

    @Test("mixes to the same bytes in C and in Swift", arguments: [1, 7, 8, 33, 64], [8, 16])
    func mix(frames: Int, outputs: Int) {
        let input = TestMemory(count: 66, Lanes.zero)
        for (index, vector) in Self.vectors(66, seed: 4).enumerated() { input.pointer[index] = vector }
        let mono = TestMemory(count: 64, Float(0))
        for (index, value) in Signal.noise(count: 64, seed: 5).enumerated() { mono.pointer[index] = value }
        let c = Self.rows(32, seed: 6) { rows in
            ossicle_fdn_mix(
                input.floats, mono.pointer, input.floats + 64 * 16, input.floats + 65 * 16, rows, outputs, rows + 16,
                frames)
        }
        let swift = Self.rows(32, seed: 6) { rows in
            NetworkSteps.mix(
                input.pointer, mono.pointer, output: input.pointer[64], input: input.pointer[65], to: rows, outputs,
                rows + 16, frames)
        }
        for row in 0..<32 { #expect(Measure.sameBytes(c[row], swift[row]), "row \(row)") }
    }
}
