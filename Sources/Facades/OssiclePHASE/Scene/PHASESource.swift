import OssicleAcoustics
import OssicleCore

/// Where sound comes from: a point, or the surface of one or more shapes.
open class PHASESource: PHASEObject, @unchecked Sendable {
    private var requestedGain = 1.0
    /// What the simulation works with. Under the engine's lock.
    private(set) var currentGain = 1.0
    private let sourceShapes: [PHASEShape]

    /// A point source.
    public override init(engine: PHASEEngine) {
        sourceShapes = []
        super.init(engine: engine)
    }

    /// A volumetric source: sound leaves the whole surface of the shapes.
    ///
    /// An empty list is recorded as the engine's `lastError` and gives a point source.
    public init(engine: PHASEEngine, shapes: [PHASEShape]) {
        sourceShapes = shapes
        super.init(engine: engine)
        if shapes.isEmpty {
            core.record(PHASEError(.invalidObject, "\(reportName) was given an empty list of shapes and became a point source; pass at least one shape."))
        }
    }

    init(core: EngineCore, shapes: [PHASEShape]) {
        sourceShapes = shapes
        super.init(core: core)
    }

    override var kind: String { "Source" }

    /// Linear gain. Default 1; clamped to 0…1 (NaN is taken as 0).
    open var gain: Double {
        get { core.requested { requestedGain } }
        set { core.post(self) { requestedGain = newValue.clamped(0, 1) } }
    }

    override func applyRequested(_ core: EngineCore) {
        super.applyRequested(core)
        currentGain = requestedGain
    }

    /// The shapes given at creation; empty for a point source.
    open var shapes: [PHASEShape] { sourceShapes }

    override func makeCopy() -> PHASEObject {
        let copy = PHASESource(core: core, shapes: sourceShapes)
        copy.gain = gain
        return copy
    }
}
