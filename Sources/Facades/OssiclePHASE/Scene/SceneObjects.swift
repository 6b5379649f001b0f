import OssicleAcoustics
import OssicleSpatial
import Synchronization

/// The client's objects, and the scene that the engine takes from them in an update. Under the engine's lock.
final class SceneObjects: SceneSource {
    weak var control: EngineControl?
    /// The engine keeps it; every object keeps its control.
    weak var root: PHASEObject? {
        didSet { rootNumber = root?.number }
    }
    /// Its number, which is looked at with every move: a weak reference is slow.
    @exclusivity(unchecked) private(set) var rootNumber: UInt64?
    /// What clients call their objects, by number. Under the mailbox's lock.
    var names: [UInt64: String] = [:]
    private let count = Atomic<UInt64>(0)
    /// Sources and listeners that sound events are bound to.
    private var bound = BoundObjects()

    /// Any thread.
    /// Whether there is none but the root yet.
    var isNew: Bool { count.load(ordering: .relaxed) <= 1 }

    func nextNumber() -> UInt64 { count.wrappingAdd(1, ordering: .relaxed).newValue }

    func bind(_ objects: [PHASEObject]) {
        for object in objects { bound.add(object) }
    }

    func source(_ number: UInt64) -> PHASESource? { bound[number] as? PHASESource }
    func listener(_ number: UInt64) -> PHASEListener? { bound[number] as? PHASEListener }

    /// The engine is going away.
    func forget() { bound.removeAll() }

    func snapshot(of events: [EventInstance]) -> SceneSnapshot { snapshot(of: events) { _, _ in } }

    func scene(of events: [EventInstance]) -> SceneSnapshot {
        bound.settle()
        return snapshot(of: events) { object, place in bound.place(object, at: place) }
    }

    func follow(_ scene: inout SceneSnapshot) {
        scene.settle()
        bound.takeMoved(&scene)
    }

    /// A source or a listener, without others below it, is to be looked at in the next update.
    func noteMove(of object: PHASEObject) { bound.noteMove(of: object) }

    /// - Parameter placed: is given every object and its place in the scene.
    private func snapshot(
        of events: [EventInstance], _ placed: (PHASEObject, BoundObjects.Place) -> Void
    ) -> SceneSnapshot {
        var scene = SceneSnapshot()
        guard let control else { return scene }
        scene.medium = control.settings.current.medium?.medium ?? Medium()
        scene.absorbs = control.settings.current.medium?.absorbs ?? false
        scene.delays = control.settings.current.medium?.delays ?? true
        scene.unitsPerMeter = control.settings.current.unitsPerMeter
        scene.unitsPerSecond = control.settings.current.unitsPerSecond
        for event in events {
            for binding in event.parts.bindings {
                if case .spatial(let number, _) = binding, scene.place(ofSource: number) == nil,
                    let source = source(number)
                {
                    placed(source, .source(scene.add(source.snapshot)))
                }
                if let number = binding.listener, scene.place(ofListener: number) == nil,
                    let listener = listener(number)
                {
                    placed(listener, .listener(scene.add(listener.snapshot)))
                }
            }
        }
        return scene
    }

    func occluders() -> [Occluder] {
        let occluders: [PHASEOccluder] = objectsInScene()
        return occluders.flatMap(\.snapshots)
    }

    /// What had to be assumed about the occluders' sides, a sentence each.
    func windingAssumptions() -> [String] {
        let listeners: [PHASEListener] = objectsInScene()
        let heads = listeners.map(\.headPose.position)
        return occluders().compactMap { $0.windingAssumption(for: heads) }
    }

    func zones() -> [SceneSnapshot.Zone] {
        let zones: [PHASEReverbZone] = objectsInScene()
        return zones.map(\.snapshot)
    }

    func name(of object: UInt64) -> String? { control?.requested { names[object] } }

    /// In order of their numbers.
    func objectsInScene<Kind: PHASEObject>() -> [Kind] {
        var found: [Kind] = []
        var open: [PHASEObject] = [root].compactMap(\.self)
        while let object = open.popLast() {
            if let object = object as? Kind { found.append(object) }
            open.append(contentsOf: object.currentChildren)
        }
        return found.sorted { $0.number < $1.number }
    }
}

extension PHASESource {
    var snapshot: SceneSnapshot.Source {
        SceneSnapshot.Source(
            number: number, pose: worldPose, gain: currentGain, meshes: shapes.map(\.mesh), isInScene: isInScene)
    }
}

extension PHASEListener {
    var snapshot: SceneSnapshot.Listener {
        SceneSnapshot.Listener(number: number, head: headPose, gain: currentGain, isInScene: isInScene)
    }
}

extension PHASEOccluder {
    /// One for each shape.
    fileprivate var snapshots: [Occluder] {
        let pose = worldPose
        return shapes.map { shape in
            Occluder(
                id: number, name: name, geometry: shape.geometry, pose: pose,
                materials: shape.elements.map { $0.material?.material })
        }
    }
}
