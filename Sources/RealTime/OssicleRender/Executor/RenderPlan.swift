import OssicleCore

/// Everything one render cycle does, laid out ahead: steps in order, buffers assigned, renderers kept alive.
///
/// Steps stand in stages, one after the other, and within a stage in strands, which may run at the same time on several
/// threads or one after the other on one: the bytes are the same.
///
/// Immutable once made. The control side makes it, a command carries its `view` across the line, and the executor keeps
/// it until the render side has taken the next one; only then may it, and the renderers that only it holds, go.
package final class RenderPlan: @unchecked Sendable {
    /// What the executor needs of a plan, without a reference count.
    package struct View: BitwiseCopyable, @unchecked Sendable {
        package let steps: UnsafePointer<RenderStep>
        package let stepCount: Int
        let stages: UnsafePointer<RenderStage>
        let stageCount: Int
        /// Blocks in a row that it has memory for: `RenderPlan.mostBlocks`, or 1.
        package let blockCount: Int
        /// Of the first block, then of the next.
        package let outputs: UnsafePointer<UnsafeMutablePointer<Float>>
        /// Of one block.
        package let outputCount: Int
        /// Sum of `RendererReference.cost` of its steps.
        let cost: Float
        /// Whether code of the client's runs in it.
        let runsClientCode: Bool
        /// Whether there are stages of several strands in it, or in a plan inside it.
        package let isDivided: Bool

        /// Audio thread.
        /// - Parameter span: `blockCount` blocks at most.
        @inline(__always)
        func run(_ span: RenderSpan) {
            for index in 0..<stageCount { stages[index].run(span) }
        }
    }

    /// Blocks in a row that a plan of many voices renders at once: 512 frames.
    package static var mostBlocks: Int { 4 }

    private let arena: RenderArena
    private let owner: AnyObject
    /// In the arena; valid as long as the plan.
    package let view: UnsafePointer<View>

    /// - Parameters:
    ///   - steps: of the first block, in the arena, and so are the strands' tables; the stages' strands are these steps
    ///     in order.
    ///   - outputs: by block, as many of each.
    ///   - owner: keeps the renderers.
    package init(
        steps: UnsafePointer<RenderStep>, count: Int, stages: [RenderStage], outputs: [[UnsafeMutablePointer<Float>]],
        arena: RenderArena, owner: AnyObject
    ) {
        self.arena = arena
        self.owner = owner
        let (blockCount, outputCount) = (outputs.count, outputs.first?.count ?? 0)
        let outputs = arena.copy(Array(outputs.joined()))
        let renderers = (0..<count).lazy.map { steps[$0].renderer }
        let view = View(
            steps: steps, stepCount: count, stages: UnsafePointer(arena.base(of: arena.copy(stages))),
            stageCount: stages.count, blockCount: blockCount,
            outputs: UnsafePointer(arena.base(of: outputs)), outputCount: outputCount,
            cost: renderers.reduce(0) { $0 + $1.cost }, runsClientCode: renderers.contains(where: \.runsClientCode),
            isDivided: stages.contains { $0.count > 1 } || renderers.contains(where: \.isDivided))
        self.view = UnsafePointer(arena.base(of: arena.copy([view])))
    }

    package var stepCount: Int { view.pointee.stepCount }
}

/// Memory that lives exactly as long as one plan: its block buffers and its tables of pointers. Plain values only,
/// nothing is destroyed one by one.
package final class RenderArena: @unchecked Sendable {
    private var chunks: [UnsafeMutableRawPointer] = []
    /// What is left of the last chunk.
    private var rest = UnsafeMutableRawBufferPointer(start: nil, count: 0)

    private static let chunkSize = 1 << 14
    /// A cache line, which no two tables share.
    private static let alignment = 64

    package init() {}

    deinit {
        for chunk in chunks { chunk.deallocate() }
    }

    /// Samples, all zero.
    package func zeroed(count: Int) -> UnsafeMutablePointer<Float> { filled(with: 0, count: count) }

    /// Copies of one value.
    package func filled<Element: BitwiseCopyable>(
        with element: Element, count: Int
    ) -> UnsafeMutablePointer<Element> {
        allocate(byteCount: count * MemoryLayout<Element>.stride)
            .initializeMemory(as: Element.self, repeating: element, count: count)
    }

    /// Memory for elements, which the caller initializes.
    package func room<Element: BitwiseCopyable>(
        for type: Element.Type, count: Int
    ) -> UnsafeMutablePointer<Element> {
        allocate(byteCount: count * MemoryLayout<Element>.stride).bindMemory(to: type, capacity: max(count, 1))
    }

    /// The elements in memory of this arena.
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
        let count = (max(byteCount, 1) + Self.alignment - 1) / Self.alignment * Self.alignment
        if let place = rest.baseAddress, rest.count >= count {
            rest = UnsafeMutableRawBufferPointer(rebasing: rest[count...])
            return place
        }
        // What is larger than a chunk has one of its own.
        let size = max(count, Self.chunkSize)
        let chunk = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: Self.alignment)
        chunks.append(chunk)
        if size == Self.chunkSize {
            rest = UnsafeMutableRawBufferPointer(start: chunk + count, count: size - count)
        }
        return chunk
    }
}
