import Foundation
import OssicleSIMD

/// Vertices in buffers, and submeshes that join them to faces.
///
/// A mesh never reads beyond its buffers: what its counts and offsets promise but its buffers do not hold is left out.
open class MDLMesh: MDLObject {
    /// What makes the buffers of this mesh.
    public let allocator: any MDLMeshBufferAllocator
    /// The number of vertices.
    open var vertexCount: Int { didSet { vertexCount = max(0, vertexCount) } }
    /// The vertices, as the descriptor says.
    open var vertexBuffers: [any MDLMeshBuffer]
    /// The layout in force; `vertexDescriptor` hands out copies.
    var layout: MDLVertexDescriptor
    private var parts: NSMutableArray

    /// A mesh without vertices. Without an allocator its buffers lie in ordinary memory.
    public required init(bufferAllocator: (any MDLMeshBufferAllocator)?) {
        allocator = bufferAllocator ?? MDLMeshBufferDataAllocator()
        (vertexCount, vertexBuffers, layout, parts) = (0, [], MDLVertexDescriptor(), NSMutableArray())
        super.init()
    }

    /// A mesh without vertices in ordinary memory.
    public convenience override init() { self.init(bufferAllocator: nil) }

    /// A mesh from one buffer.
    public convenience init(
        vertexBuffer: any MDLMeshBuffer, vertexCount: Int, descriptor: MDLVertexDescriptor, submeshes: [MDLSubmesh]
    ) {
        self.init(vertexBuffers: [vertexBuffer], vertexCount: vertexCount, descriptor: descriptor, submeshes: submeshes)
    }

    /// A mesh from buffers, which it keeps. A negative vertex count counts as 0.
    public init(
        vertexBuffers: [any MDLMeshBuffer], vertexCount: Int, descriptor: MDLVertexDescriptor, submeshes: [MDLSubmesh]
    ) {
        allocator = vertexBuffers.first?.allocator ?? MDLMeshBufferDataAllocator()
        self.vertexCount = max(0, vertexCount)
        self.vertexBuffers = vertexBuffers
        layout = MDLVertexDescriptor(vertexDescriptor: descriptor)
        parts = NSMutableArray(array: submeshes)
        super.init()
    }

    /// How vertices are stored, as a copy. Setting another one moves the data: attributes are found by name and
    /// converted; those that are new get their initialisation value, those it lacks are dropped.
    open var vertexDescriptor: MDLVertexDescriptor {
        get { MDLVertexDescriptor(vertexDescriptor: layout) }
        set {
            if vertexBuffers.isEmpty {
                layout = MDLVertexDescriptor(vertexDescriptor: newValue)
            } else {
                store(
                    VertexTable(reading: newValue.usedAttributes.map { $0.duplicate() }, from: self, stored: layout),
                    by: newValue)
            }
        }
    }

    /// The `MDLSubmesh`es. A list that is set is copied; nil empties it.
    open var submeshes: NSMutableArray? {
        get { parts }
        set { parts = NSMutableArray(array: newValue.map { Array($0) } ?? []) }
    }

    /// The box around all positions; at the origin if there are none.
    open var boundingBox: MDLAxisAlignedBoundingBox { ownBox ?? MDLAxisAlignedBoundingBox() }

    override var ownBox: MDLAxisAlignedBoundingBox? { MDLAxisAlignedBoundingBox(of: positions) }

    /// Puts a table's vertices in the place of the mesh's own. Changes nothing and says so if they do not fit into
    /// buffers.
    @discardableResult
    func store(_ table: VertexTable, by descriptor: MDLVertexDescriptor) -> Bool {
        guard let buffers = table.buffers(for: descriptor, allocator: allocator) else { return false }
        (layout, vertexBuffers, vertexCount) = (MDLVertexDescriptor(vertexDescriptor: descriptor), buffers, table.count)
        return true
    }

    var allSubmeshes: [MDLSubmesh] { parts.compactMap { $0 as? MDLSubmesh } }

    func view(of name: String) -> AttributeView? {
        layout.attributeNamed(name).flatMap { AttributeView($0, of: self, descriptor: layout) }
    }
}

extension MDLMesh {
    /// The position of every vertex, in whatever format they are stored.
    var positions: [SIMD3<Float>] {
        guard let view = view(of: MDLVertexAttributePosition) else { return [] }
        return (0..<view.count).map { index in
            let position = SIMD4<Float>(view[index])
            return SIMD3(position.x, position.y, position.z)
        }
    }

    /// A submesh as triangles into `positions`, three indices each. Points, lines and triangles that reach beyond the
    /// vertices are left out.
    func triangles(of submesh: MDLSubmesh) -> [UInt32] {
        let (all, count) = (submesh.polygons?.triangles ?? [], view(of: MDLVertexAttributePosition)?.count ?? 0)
        var kept: [UInt32] = []
        kept.reserveCapacity(all.count)
        for first in stride(from: 0, to: all.count, by: 3) where all[first..<first + 3].allSatisfy({ $0 < count }) {
            kept += all[first..<first + 3]
        }
        return kept
    }
}
