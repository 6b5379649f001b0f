import OssicleCore
import OssicleScenes

/// The objects that the nodes of a scene become.
///
/// A node is one object: the source, the listener, the zone or the occluder that it is, in this order; what else it is
/// hangs below it in the same place.
struct SceneNodeObjects {
    private let engine: PHASEEngine
    private let placements: [ScenePoses.Placement]
    /// One for each placement.
    private var objects: [PHASEObject] = []
    private(set) var named: [String: PHASEObject] = [:]
    private(set) var sources: [String: PHASESource] = [:]
    private(set) var listeners: [String: PHASEListener] = [:]

    init(_ scene: SceneDocument, engine: PHASEEngine) throws {
        self.engine = engine
        placements = ScenePoses(scene).placements
        var shapes = try SceneShapes(scene, placements, engine: engine)
        var repeated: Set<String> = []
        for placement in placements {
            let node = scene.nodes[placement.node]
            let roles = self.roles(of: node, shape: node.mesh.map { shapes.shape(of: $0, stretch: placement.stretch) })
            let object = roles.first ?? PHASEObject(engine: engine)
            object.transform = simd_float4x4(placement.transform)
            for role in roles.dropFirst() { try object.addChild(role) }
            if let parent = placement.parent { try objects[parent].addChild(object) }
            objects.append(object)
            guard let name = node.name else { continue }
            for role in [object] + roles.dropFirst() { role.name = name }
            if named.updateValue(object, forKey: name) != nil { repeated.insert(name) }
            for role in roles {
                if let source = role as? PHASESource { sources[name] = source }
                if let listener = role as? PHASEListener { listeners[name] = listener }
            }
        }
        for name in repeated { named[name] = nil }
    }

    private func roles(of node: SceneNode, shape: PHASEShape?) -> [PHASEObject] {
        var roles: [PHASEObject] = []
        if let described = node.roles.source {
            let body = described.shape == .mesh ? shape : nil
            let source = body.map { PHASESource(engine: engine, shapes: [$0]) } ?? PHASESource(engine: engine)
            source.gain = described.gain
            roles.append(source)
        }
        if let described = node.roles.listener {
            let listener = PHASEListener(engine: engine)
            listener.gain = described.gain
            roles.append(listener)
        }
        guard let shape else { return roles }
        if let described = node.roles.zone {
            let zone = PHASEReverbZone(engine: engine, shapes: [shape])
            zone.reverb = PHASEReverbZone.Reverb(described.reverb)
            zone.borderWidth = described.borderWidth
            zone.priority = described.priority
            zone.level = described.level
            roles.append(zone)
        }
        if node.isOccluder { roles.append(PHASEOccluder(engine: engine, shapes: [shape])) }
        return roles
    }

    private var roots: [PHASEObject] { zip(placements, objects).filter { $0.0.parent == nil }.map(\.1) }

    func addToScene() throws {
        for object in roots { try engine.rootObject.addChild(object) }
    }

    func removeFromScene() { roots.forEach(engine.rootObject.removeChild) }

    /// The scene with its nodes where their objects are now.
    func updated(_ scene: SceneDocument) -> SceneDocument {
        var scene = scene
        for (placement, object) in zip(placements, objects) {
            let now = SceneTransform(object.transform)
            if now != placement.transform {
                let above = placement.parent.flatMap { placements[$0].stretch }
                scene.nodes[placement.node].transform = now.stretched(by: placement.stretch, below: above)
            }
            let roles = [object] + object.children
            if let source = roles.lazy.compactMap({ $0 as? PHASESource }).first,
                scene.nodes[placement.node].roles.source != nil
            {
                scene.nodes[placement.node].roles.source?.gain = source.gain
            }
            if let listener = roles.lazy.compactMap({ $0 as? PHASEListener }).first,
                scene.nodes[placement.node].roles.listener != nil
            {
                scene.nodes[placement.node].roles.listener?.gain = listener.gain
            }
        }
        return scene
    }
}

/// The shapes of a scene's meshes: one for each mesh and each way it is stretched.
private struct SceneShapes {
    private struct Key: Hashable {
        let mesh: Int
        let stretch: ScenePoses.Stretch?
    }

    private let scene: SceneDocument
    private let engine: PHASEEngine
    private let materials: [PHASEMaterial?]
    private var shapes: [Key: PHASEShape] = [:]
    /// Triangles of stretched copies at the most.
    private static let mostCopied = 1 << 22

    init(_ scene: SceneDocument, _ placements: [ScenePoses.Placement], engine: PHASEEngine) throws {
        (self.scene, self.engine) = (scene, engine)
        materials = scene.materials.map { $0.material.map(PHASEMaterial.init) }
        let copies = Set(
            placements.compactMap { placement in
                scene.nodes[placement.node].mesh.map { Key(mesh: $0, stretch: placement.stretch) }
            })
        let copied = copies.reduce(0) { $0 + ($1.stretch == nil ? 0 : scene.meshes[$1.mesh].triangleCount) }
        guard copied <= Self.mostCopied else {
            throw SceneFileError(
                scene.name, "its stretched nodes show \(copied) triangles",
                rule: "a mesh is copied for each way it is stretched, up to \(Self.mostCopied) triangles in all",
                cure: "apply scales to the meshes before exporting")
        }
    }

    mutating func shape(of mesh: Int, stretch: ScenePoses.Stretch?) -> PHASEShape {
        let key = Key(mesh: mesh, stretch: stretch)
        if let shape = shapes[key] { return shape }
        let primitives = scene.meshes[mesh].primitives
        let shape = PHASEShape(
            mesh: scene.meshes[mesh].triangles(stretch),
            materials: primitives.map { $0.material.flatMap { materials[$0] } }, control: engine.control)
        shapes[key] = shape
        return shape
    }
}

extension simd_float4x4 {
    init(_ transform: SceneTransform) { self.init(transform.columns) }
}

extension SceneTransform {
    init(_ matrix: simd_float4x4) {
        self.init(columns: [matrix.columns.0, matrix.columns.1, matrix.columns.2, matrix.columns.3])
    }
}
