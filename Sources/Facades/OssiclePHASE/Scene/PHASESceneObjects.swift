import OssicleAcoustics
import OssicleCore
import OssicleSIMD
import OssicleSpatial

/// Where sound comes from: a point, or the surface of one or more shapes.
open class PHASESource: PHASEObject, @unchecked Sendable {
    @exclusivity(unchecked) private final var requestedGain = 1.0
    /// What the simulation works with. Under the engine's lock.
    @exclusivity(unchecked) private(set) final var currentGain = 1.0
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
            control.record(
                PHASEError(
                    .invalidObject,
                    "\(reportName) was given an empty list of shapes and became a point source; pass at least one shape."
                ))
        }
    }

    init(control: EngineControl, shapes: [PHASEShape]) {
        sourceShapes = shapes
        super.init(control: control)
    }

    override var kind: String { "Source" }
    override var recordedKind: PHASECommand.Kind { .source }
    override var recordedShapes: [PHASEShape] { sourceShapes }

    /// Linear gain. Default 1; clamped to 0…1 (NaN is taken as 0).
    open var gain: Double {
        get { control.requested { requestedGain } }
        set {
            control.post(self) {
                requestedGain = newValue.clamped(0, 1)
                control.note(.gain(number, requestedGain))
            }
        }
    }

    override func applyRequested(_ control: EngineControl) {
        currentGain = requestedGain
        super.applyRequested(control)
    }

    override var placement: BoundObjects.Placement { BoundObjects.Placement(pose: worldPose, gain: currentGain) }

    override var movesAlone: Bool { isLeaf }

    /// The shapes given at creation; empty for a point source.
    open var shapes: [PHASEShape] { sourceShapes }

    override func makeCopy() -> PHASEObject {
        let copy = PHASESource(control: control, shapes: sourceShapes)
        copy.gain = gain
        return copy
    }
}

/// The ears: where the scene is heard from. Looks along −Z of its transform.
open class PHASEListener: PHASEObject, @unchecked Sendable {
    private struct Settings {
        var gain = 1.0
        var headTrackingFlags: PHASEAutomaticHeadTrackingFlags = []
    }

    private var requestedSettings = Settings()
    /// What the simulation works with. Under the engine's lock.
    private var currentSettings = Settings()

    public override init(engine: PHASEEngine) { super.init(engine: engine) }
    override init(control: EngineControl) { super.init(control: control) }

    override var kind: String { "Listener" }
    override var recordedKind: PHASECommand.Kind { .listener }

    /// Linear gain of everything heard through this listener. Default 1; clamped to 0…1 (NaN is taken as 0).
    open var gain: Double {
        get { control.requested { requestedSettings.gain } }
        set {
            control.post(self) {
                requestedSettings.gain = newValue.clamped(0, 1)
                control.note(.gain(number, requestedSettings.gain))
            }
        }
    }

    /// What of the real head this listener follows, on top of its own transform, which stays as it is. Default: none.
    ///
    /// The head is that of `engine.headTracking` (an addition of Ossicle), read once per update. Without one the flags
    /// have no effect, which is recorded once as the engine's `lastError`.
    open var automaticHeadTrackingFlags: PHASEAutomaticHeadTrackingFlags {
        get { control.requested { requestedSettings.headTrackingFlags } }
        set {
            control.post(self) {
                requestedSettings.headTrackingFlags = newValue
                control.note(.headFlags(number, newValue.rawValue))
            }
        }
    }

    override func applyRequested(_ control: EngineControl) {
        let joins = requestedSettings.headTrackingFlags != currentSettings.headTrackingFlags
        currentSettings = requestedSettings
        super.applyRequested(control)
        guard joins else { return }
        control.trackedHead.join(self)
        control.poseChanged(of: self)
    }

    // MARK: What the simulation works with, under the engine's lock

    var currentGain: Double { currentSettings.gain }
    var followedFlags: PHASEAutomaticHeadTrackingFlags { currentSettings.headTrackingFlags }

    /// Where the head is and how it is turned: the object's pose, and on top of it what a head tracker says.
    var headPose: Pose { control.trackedHead.pose.map { worldPose.applying($0, followedFlags) } ?? worldPose }

    override var placement: BoundObjects.Placement { BoundObjects.Placement(pose: headPose, gain: currentGain) }

    override var movesAlone: Bool { isLeaf }

    override func makeCopy() -> PHASEObject {
        let copy = PHASEListener(control: control)
        copy.gain = gain
        copy.automaticHeadTrackingFlags = automaticHeadTrackingFlags
        return copy
    }
}

/// Something that stands in the way of sound: shapes of some material.
open class PHASEOccluder: PHASEObject, @unchecked Sendable {
    private let occluderShapes: [PHASEShape]

    /// An occluder that takes part once it hangs below the engine's `rootObject`.
    ///
    /// - Parameters:
    ///   - engine: whose scene it belongs to.
    ///   - shapes: at least one. An empty list is recorded as the engine's `lastError`; the occluder then occludes
    ///     nothing.
    public init(engine: PHASEEngine, shapes: [PHASEShape]) {
        occluderShapes = shapes
        super.init(engine: engine)
        if shapes.isEmpty {
            control.record(
                PHASEError(
                    .invalidObject,
                    "\(reportName) was given an empty list of shapes and occludes nothing; pass at least one shape."))
        }
    }

    init(control: EngineControl, shapes: [PHASEShape]) {
        occluderShapes = shapes
        super.init(control: control)
    }

    override var kind: String { "Occluder" }
    override var recordedKind: PHASECommand.Kind { .occluder }
    override var recordedShapes: [PHASEShape] { occluderShapes }

    /// The shapes given at creation.
    open var shapes: [PHASEShape] { occluderShapes }

    override func makeCopy() -> PHASEObject { PHASEOccluder(control: control, shapes: occluderShapes) }
}

extension PHASEObject: OssicleAdditions {}

extension OssicleAdditions where Self: PHASEObject {
    /// What reports and error messages call this object (an addition of Ossicle). Default: its kind and number, as
    /// “Source 3”.
    public var name: String {
        get { control.requested { control.objects.names[number] } ?? "\(kind) \(number)" }
        set { control.requested { control.objects.names[number] = newValue } }
    }

    var reportName: String { "“\(name)”" }
}
