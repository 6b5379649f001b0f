import OssicleAcoustics
import OssicleCore
import OssicleDSP
import OssicleSpatial

/// A part of the scene with a reverb of its own (an addition of Ossicle).
///
/// The shapes say where: within one of them, or within the border's width of it, the zone's reverb is received.
/// Where zones and what surrounds them meet, one reverb is made of theirs, whose decay, level and directions lie
/// between; there are never several at once.
///
/// - With `acousticsMode` `.preset` a zone takes the place of the engine's `defaultReverbPreset` around a listener that
///   is in it.
/// - With `.geometry` it takes the place of what rays find around the listener. Outside all zones the scene is as it
///   is.
///
/// A source in another zone than the listener is received through both: as its zone reverberates it, less what the path
/// between them takes, in the listener's zone. A zone takes part once it hangs below the engine's `rootObject`, and
/// moves with its transform. Any thread.
open class PHASEReverbZone: PHASEObject, @unchecked Sendable {
    /// Where the sound of a zone comes from.
    public enum Reverb: Sendable, Hashable {
        /// A reverb preset, whatever the shapes are made of. `.none` is a zone of silence.
        case preset(PHASEReverbPreset)
        /// Rays through the scene's occluders, from a position well inside the zone. Until they have been traced the
        /// zone counts as not there; one without occluders around it is as dry as the open.
        case computed
    }

    private struct Settings {
        var reverb = Reverb.computed
        var borderWidth = 1.0
        var priority = 0
        var level = 0.0
        /// In the reverb's place.
        var measuredRoom: MeasuredRoom?
    }

    private let zoneShapes: [PHASEShape]
    private var requestedSettings = Settings()
    /// What the simulation works with. Under the engine's lock.
    private var settings = Settings()

    /// A zone that takes part once it hangs below the engine's `rootObject`.
    ///
    /// - Parameters:
    ///   - engine: whose scene it belongs to.
    ///   - shapes: closed surfaces, at least one; several count as one volume, and their materials do not matter. Of a
    ///     shape with a hole in it its box counts, along the shape's own axes. An empty list gives a zone that is
    ///     nowhere; either is recorded as the engine's `lastError`.
    public init(engine: PHASEEngine, shapes: [PHASEShape]) {
        zoneShapes = shapes
        super.init(engine: engine)
        recordFaults()
    }

    init(control: EngineControl, shapes: [PHASEShape]) {
        zoneShapes = shapes
        super.init(control: control)
    }

    override var kind: String { "Reverb zone" }
    override var recordedKind: PHASECommand.Kind { .zone }
    override var recordedShapes: [PHASEShape] { zoneShapes }

    /// The shapes given at creation.
    open var shapes: [PHASEShape] { zoneShapes }

    /// Default `.computed`.
    open var reverb: Reverb {
        get { control.requested { requestedSettings.reverb } }
        set { change { $0.reverb = newValue } }
    }

    /// On each side of the border, how far the zone and what surrounds it reach into one another. In the client's unit
    /// of length (metres by default). Default 1; clamped to 0.01…100, which is recorded. At 1 and a walk of 1.5 m/s the
    /// level moves by less than 1.5 dB in 50 ms.
    open var borderWidth: Double {
        get { control.requested { requestedSettings.borderWidth } }
        set { set(\.borderWidth, newValue, within: 0.01...100, "border width", unit: "") }
    }

    /// Where zones overlap, the one of higher priority is heard; those of the same share the position. Default 0.
    open var priority: Int {
        get { control.requested { requestedSettings.priority } }
        set { change { $0.priority = newValue } }
    }

    /// dB added to the zone's reverb. Default 0; clamped to −60…20, which is recorded.
    open var level: Double {
        get { control.requested { requestedSettings.level } }
        set { set(\.level, newValue, within: -60...20, "level", unit: " dB") }
    }

    func setMeasuredRoom(_ room: MeasuredRoom?) { change { $0.measuredRoom = room } }
    var measuredRoomName: String? { control.requested { requestedSettings.measuredRoom?.name } }

    override func makeCopy() -> PHASEObject {
        let copy = PHASEReverbZone(control: control, shapes: zoneShapes)
        let settings = control.requested { requestedSettings }
        copy.change { $0 = settings }
        return copy
    }

    private func change(_ edit: (inout Settings) -> Void) {
        control.post(self) {
            edit(&requestedSettings)
            noteSettings()
        }
    }

    override func applyRequested(_ control: EngineControl) {
        super.applyRequested(control)
        settings = requestedSettings
        control.spatial.sceneChanged()
    }

    private func set(
        _ key: WritableKeyPath<Settings, Double>, _ value: Double, within range: ClosedRange<Double>, _ name: String,
        unit: String
    ) {
        let taken = control.post(self) {
            let taken =
                value.isNaN ? requestedSettings[keyPath: key] : value.clamped(range.lowerBound, range.upperBound)
            requestedSettings[keyPath: key] = taken
            noteSettings()
            return taken
        }
        if taken == value { return }
        control.record(
            PHASEError(
                .invalidObject,
                "The \(name) \(value)\(unit) of \(reportName) is outside "
                    + "\(range.lowerBound)…\(range.upperBound)\(unit); \(taken)\(unit) was taken instead. Set a value in range."
            ))
    }

    private func noteSettings() {
        let (settings, number) = (requestedSettings, number)
        let preset: Int? = if case .preset(let preset) = settings.reverb { preset.rawValue } else { nil }
        control.note(
            .zone(
                number,
                PHASECommand.Zone(
                    preset: preset, borderWidth: settings.borderWidth, level: settings.level,
                    priority: settings.priority)))
    }

    private func recordFaults() {
        if zoneShapes.isEmpty {
            control.record(
                PHASEError(
                    .invalidObject,
                    "\(reportName) was given an empty list of shapes and is nowhere; pass at least one shape."))
        }
        for (index, body) in zoneShapes.map({ ZoneBody(.mesh($0.geometry)) }).enumerated() where body.isStandIn {
            control.record(
                PHASEError(
                    .invalidObject,
                    "Shape \(index) of \(reportName) has a hole in its surface, so that nothing says what is inside; "
                        + "its box was taken instead. Close the mesh, or pass a box."))
        }
    }

    /// What the simulation takes of the zone. Under the engine's lock, or while no other thread changes the zone.
    var snapshot: SceneSnapshot.Zone {
        let pose = worldPose
        let preset: LateField? =
            switch settings.reverb {
            case .preset(let preset): LateField(preset.room)
            case .computed: nil
            }
        return SceneSnapshot.Zone(
            number: number, bodies: zoneShapes.map { ZoneBody(.mesh($0.geometry), at: pose) },
            borderWidth: settings.borderWidth / control.settings.current.unitsPerMeter, priority: settings.priority,
            level: settings.level,
            preset: preset, response: settings.measuredRoom)
    }
}
