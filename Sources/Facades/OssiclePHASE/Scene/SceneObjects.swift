import OssicleAcoustics
import OssicleSpatial
import Synchronization

/// The client's objects, and the scene that the engine takes from them in an update. Under the engine's lock.
final class SceneObjects: SceneSource {
    weak var control: EngineControl?
    /// The engine keeps it; every object keeps its control.
    weak var root: PHASEObject?
    /// What clients call their objects, by number. Under the mailbox's lock.
    var names: [UInt64: String] = [:]
    private let count = Atomic<UInt64>(0)
    /// Sources and listeners that sound events are bound to, by number.
    private var bound: [UInt64: WeakObject] = [:]

    private struct WeakObject {
        weak var object: PHASEObject?
    }

    /// Any thread.
    func nextNumber() -> UInt64 { count.wrappingAdd(1, ordering: .relaxed).newValue }

    func bind(_ objects: [PHASEObject]) {
        for object in objects { bound[object.number] = WeakObject(object: object) }
    }

    func source(_ number: UInt64) -> PHASESource? { bound[number]?.object as? PHASESource }
    func listener(_ number: UInt64) -> PHASEListener? { bound[number]?.object as? PHASEListener }

    /// The engine is going away.
    func forget() { bound = [:] }

    func snapshot(of events: [EventInstance]) -> SceneSnapshot {
        var scene = SceneSnapshot()
        guard let control else { return scene }
        scene.medium = control.settings.current.medium?.medium ?? Medium()
        scene.absorbs = control.settings.current.medium?.absorbs ?? false
        scene.delays = control.settings.current.medium?.delays ?? true
        scene.unitsPerMeter = control.settings.current.unitsPerMeter
        scene.unitsPerSecond = control.settings.current.unitsPerSecond
        bound = bound.filter { $0.value.object != nil }
        for binding in events.flatMap(\.parts.bindings) {
            if case .spatial(let number, _) = binding, scene.sources[number] == nil {
                scene.sources[number] = source(number)?.snapshot
            }
            if let number = binding.listener, scene.listeners[number] == nil {
                scene.listeners[number] = listener(number)?.snapshot
            }
        }
        return scene
    }

    func occluders() -> [Occluder] {
        let occluders: [PHASEOccluder] = objectsInScene()
        return occluders.flatMap(\.snapshots)
    }

    func zones() -> [SceneSnapshot.Zone] {
        let zones: [PHASEReverbZone] = objectsInScene()
        return zones.map(\.snapshot)
    }

    func name(of object: UInt64) -> String? { control?.requested { names[object] } }

    /// In order of their numbers.
    private func objectsInScene<Kind: PHASEObject>() -> [Kind] {
        var found: [Kind] = []
        var open: [PHASEObject] = [root].compactMap(\.self)
        while let object = open.popLast() {
            if let object = object as? Kind { found.append(object) }
            open.append(contentsOf: object.current.children)
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
    fileprivate var snapshot: SceneSnapshot.Listener {
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
