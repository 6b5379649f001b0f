import Foundation

/// The sizes of the faces of a submesh with faces of any size.
open class MDLSubmeshTopology: NSObject {
    /// One byte per face: the number of its corners.
    open var faceTopology: (any MDLMeshBuffer)?
    /// How many faces there are.
    open var faceCount: Int

    /// The topology of a submesh: a copy of what it has, or else the sizes that follow from its kind of geometry.
    public init(submesh: MDLSubmesh) {
        faceTopology = submesh.topology?.faceTopology
        faceCount = submesh.topology?.faceCount ?? 0
        super.init()
        guard faceTopology == nil, submesh.geometryType != .variableTopology, let sizes = submesh.polygons?.sizes else { return }
        faceTopology = submesh.indexBuffer.allocator.newBuffer(with: Data(sizes), type: .custom)
        faceCount = sizes.count
    }
}
