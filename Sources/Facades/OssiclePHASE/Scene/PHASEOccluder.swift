/// Something that stands in the way of sound: shapes of some material.
open class PHASEOccluder: PHASEObject, @unchecked Sendable {
    private let occluderShapes: [PHASEShape]

    /// - Parameter shapes: at least one. An empty list is recorded as the engine's `lastError`; the occluder then occludes nothing.
    public init(engine: PHASEEngine, shapes: [PHASEShape]) {
        occluderShapes = shapes
        super.init(engine: engine)
        if shapes.isEmpty {
            core.record(PHASEError(.invalidObject, "\(reportName) was given an empty list of shapes and occludes nothing; pass at least one shape."))
        }
    }

    init(core: EngineCore, shapes: [PHASEShape]) {
        occluderShapes = shapes
        super.init(core: core)
    }

    override var kind: String { "Occluder" }

    /// The shapes given at creation.
    open var shapes: [PHASEShape] { occluderShapes }

    override func makeCopy() -> PHASEObject { PHASEOccluder(core: core, shapes: occluderShapes) }
}
