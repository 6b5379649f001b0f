import OssicleCore

/// Everything one render cycle does, laid out ahead: steps in order, buffers assigned, renderers kept alive.
///
/// Immutable once made. The control side makes it, a command carries its `view` across the line, and the executor keeps
/// it until the render side has taken the next one; only then may it, and the renderers that only it holds, go.
package final class RenderPlan: @unchecked Sendable {
    /// What the executor needs of a plan, without a reference count.
    package struct View: BitwiseCopyable, @unchecked Sendable {
        package let steps: UnsafePointer<RenderStep>
        package let stepCount: Int
        package let outputs: UnsafePointer<UnsafeMutablePointer<Float>>
        package let outputCount: Int
    }

    private let arena: RenderArena
    private let owners: [AnyObject]
    /// In the arena; valid as long as the plan.
    package let view: UnsafePointer<View>

    package init(steps: [RenderStep], outputs: [UnsafeMutablePointer<Float>], arena: RenderArena, owners: [AnyObject]) {
        self.arena = arena
        self.owners = owners
        let (steps, outputs) = (arena.copy(steps), arena.copy(outputs))
        let view = View(
            steps: UnsafePointer(arena.base(of: steps)), stepCount: steps.count,
            outputs: UnsafePointer(arena.base(of: outputs)), outputCount: outputs.count)
        self.view = UnsafePointer(arena.base(of: arena.copy([view])))
    }

    package var stepCount: Int { view.pointee.stepCount }
}

/// Memory that lives exactly as long as one plan: its block buffers and its tables of pointers.
package final class RenderArena: @unchecked Sendable {
    private var blocks: [UnsafeMutableRawPointer] = []

    package init() {}

    deinit {
        for block in blocks { block.deallocate() }
    }

    /// `count` zeroed buffers of one quantum each, in one piece.
    package func buffers(_ count: Int) -> [UnsafeMutablePointer<Float>] {
        guard count > 0 else { return [] }
        let raw = allocate(byteCount: count * Grid.quantum * MemoryLayout<Float>.stride)
        let samples = raw.initializeMemory(as: Float.self, repeating: 0, count: count * Grid.quantum)
        return (0..<count).map { samples + $0 * Grid.quantum }
    }

    /// The elements in memory of this arena; plain values only, nothing is destroyed one by one.
    package func copy<Element: BitwiseCopyable>(_ elements: [Element]) -> UnsafeMutableBufferPointer<Element> {
        guard !elements.isEmpty else { return UnsafeMutableBufferPointer(start: nil, count: 0) }
        let raw = allocate(byteCount: elements.count * MemoryLayout<Element>.stride)
        let typed = raw.bindMemory(to: Element.self, capacity: elements.count)
        let buffer = UnsafeMutableBufferPointer(start: typed, count: elements.count)
        _ = buffer.initialize(from: elements)
        return buffer
    }

    /// The first element's address; for an empty table a valid address that is not read.
    package func base<Element>(of buffer: UnsafeMutableBufferPointer<Element>) -> UnsafeMutablePointer<Element> {
        buffer.baseAddress
            ?? allocate(byteCount: MemoryLayout<Element>.stride).bindMemory(to: Element.self, capacity: 1)
    }

    private func allocate(byteCount: Int) -> UnsafeMutableRawPointer {
        let block = UnsafeMutableRawPointer.allocate(byteCount: max(byteCount, 64), alignment: 64)
        blocks.append(block)
        return block
    }
}
