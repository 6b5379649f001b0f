/// Reads a glTF document: version and extensions, then meshes, materials and nodes.
struct GLTFDocument {
    private let document: JSONObject
    private let folder: SceneFolder
    private let buffers: GLTFBuffers
    private var warnings: [String] = []

    /// Nodes of a scene at the most, instances counted.
    static let mostNodes = 65_536
    /// Levels of its tree at the most.
    static let mostLevels = 1000
    /// Extensions that change nothing for sound, or that are read.
    private static let read: Set<String> = [
        SceneAudio.extensionName, "KHR_mesh_quantization", "EXT_mesh_gpu_instancing", "KHR_texture_transform",
        "KHR_texture_basisu", "KHR_lights_punctual", "EXT_texture_webp", "EXT_texture_avif", "MSFT_texture_dds",
        "KHR_xmp_json_ld", "KHR_animation_pointer", KhronosDraft.emitter, KhronosDraft.environment,
    ]

    init(_ document: JSONObject, binary: [UInt8]?, folder: SceneFolder) throws {
        (self.document, self.folder) = (document, folder)
        try GLTFDocument.checkVersion(document)
        try GLTFDocument.checkExtensions(document)
        buffers = try GLTFBuffers(document, binary: binary, folder: folder)
    }

    private static func checkVersion(_ document: JSONObject) throws {
        let version = try document.required("asset").object().required("version"), text = try version.text()
        guard text.split(separator: ".").first == "2" else {
            throw version.fault(rule: "version 2 is read", cure: "export the scene as glTF 2.0")
        }
    }

    private static func checkExtensions(_ document: JSONObject) throws {
        for cursor in try document.list("extensionsRequired") {
            let name = try cursor.text()
            guard !read.contains(name), !name.hasPrefix("KHR_materials_") else { continue }
            let isCompression = name.contains("draco") || name.contains("meshopt")
            throw cursor.fault(
                rule: isCompression ? "compressed meshes are not read" : "required extensions have to be known",
                cure: isCompression
                    ? "export the scene without mesh compression" : "export the scene without this extension")
        }
    }

    func scene() throws -> SceneDocument {
        var scene = SceneDocument(name: document.file, folder: folder)
        scene.materials = try document.list("materials").map { try SceneMaterial(gltf: try $0.object()) }
        var reader = GLTFMeshes(try GLTFAccessors(document, buffers), materialCount: scene.materials.count)
        scene.meshes = try document.list("meshes").map { try reader.mesh($0) }
        var nodes = GLTFNodes(document, meshCount: scene.meshes.count)
        try nodes.read(&reader.accessors)
        (scene.nodes, scene.roots) = (nodes.nodes, nodes.roots)
        scene.warnings = reader.warnings + nodes.warnings
        if let audio = try document.extension(SceneAudio.extensionName) { scene.audio = try SceneAudio(audio) }
        return scene
    }
}

/// Reads the nodes of a glTF document and checks that they are a forest.
struct GLTFNodes {
    private let document: JSONObject
    private let meshCount: Int
    private(set) var nodes: [SceneNode] = []
    private(set) var roots: [Int] = []
    private(set) var warnings: [String] = []

    init(_ document: JSONObject, meshCount: Int) { (self.document, self.meshCount) = (document, meshCount) }

    mutating func read(_ accessors: inout GLTFAccessors) throws {
        let cursors = try document.list("nodes", atMost: GLTFDocument.mostNodes)
        nodes = try cursors.map { try node(try $0.object(), count: cursors.count) }
        try checkForest(cursors)
        roots = try rootNumbers()
        for (index, cursor) in cursors.enumerated() {
            guard let instancing = try cursor.object().extension("EXT_mesh_gpu_instancing") else { continue }
            try addInstances(of: index, instancing, &accessors)
        }
    }

    private mutating func node(_ object: JSONObject, count: Int) throws -> SceneNode {
        if object.members["skin"] != nil {
            warnings.append("\(object.path) has a skin; its shape at rest counts.")
        }
        var node = SceneNode(
            name: try object["name"]?.text(), transform: try GLTFNodes.transform(object),
            children: try object.list("children").map { try $0.index(of: "nodes", count: count) },
            mesh: try object["mesh"]?.index(of: "meshes", count: meshCount))
        if node.name?.isEmpty == true { node.name = nil }
        if let roles = try object.extension(SceneAudio.extensionName) { node.roles = try SceneRoles(roles) }
        return node
    }

    private static func transform(_ object: JSONObject) throws -> SceneTransform {
        let range = -1e7...1e7
        if let matrix = object["matrix"] {
            let values = try matrix.numbers([16], in: range).map(Float.init)
            let columns = (0..<4).map {
                SIMD4(values[4 * $0], values[4 * $0 + 1], values[4 * $0 + 2], values[4 * $0 + 3])
            }
            guard columns[0].w == 0, columns[1].w == 0, columns[2].w == 0, columns[3].w == 1 else {
                throw matrix.fault(
                    rule: "the last row of a matrix is 0, 0, 0, 1", cure: "export position, rotation and scale")
            }
            return SceneTransform(columns: columns)
        }
        let place = try object["translation"]?.numbers([3], in: range).map(Float.init) ?? [0, 0, 0]
        let translation = SIMD3(place[0], place[1], place[2])
        guard object.members["rotation"] != nil || object.members["scale"] != nil else {
            return SceneTransform(translation: translation)
        }
        let rotation = try object["rotation"]?.numbers([4], in: -2...2) ?? [0, 0, 0, 1]
        let scale = try object["scale"]?.numbers([3], in: range) ?? [1, 1, 1]
        guard rotation.contains(where: { abs($0) > 1e-6 }) else {
            throw try object.required("rotation").fault(
                rule: "a quaternion has a length of 1", cure: "give [0, 0, 0, 1] for no rotation")
        }
        return SceneTransform(
            translation: translation, rotation: SIMD4(rotation[0], rotation[1], rotation[2], rotation[3]),
            scale: SIMD3(scale[0], scale[1], scale[2]))
    }

    /// Every node has one parent at the most, and none is its own ancestor.
    private func checkForest(_ cursors: [JSONCursor]) throws {
        var parents = [Int](repeating: -1, count: nodes.count)
        for (index, node) in nodes.enumerated() {
            for (place, child) in node.children.enumerated() {
                guard parents[child] < 0 else {
                    throw try cursors[index].object().list("children")[place].fault(
                        rule: "a node has one parent, and node \(parents[child]) is that of node \(child) already",
                        cure: "copy the node")
                }
                parents[child] = index
            }
        }
        // With one parent each, what does not lead up to a root goes round in a circle.
        var isDone = [Bool](repeating: false, count: nodes.count)
        var open = nodes.indices.filter { parents[$0] < 0 }.map { (index: $0, level: 1) }
        while let (index, level) = open.popLast() {
            isDone[index] = true
            guard level <= GLTFDocument.mostLevels else {
                throw cursors[index].fault(
                    "lies on level \(level)", rule: "a scene has at most \(GLTFDocument.mostLevels) levels",
                    cure: "nest less deeply")
            }
            open += nodes[index].children.map { ($0, level + 1) }
        }
        if let odd = isDone.firstIndex(of: false) {
            throw cursors[odd].fault(
                "is its own ancestor", rule: "nodes form a tree", cure: "take it out of the children below it")
        }
    }

    private func rootNumbers() throws -> [Int] {
        let scenes = try document.list("scenes")
        guard !scenes.isEmpty else {
            let children = Set(nodes.flatMap(\.children))
            return nodes.indices.filter { !children.contains($0) }
        }
        let index = try document["scene"]?.index(of: "scenes", count: scenes.count) ?? 0
        let cursors = try scenes[index].object().list("nodes")
        var seen: Set<Int> = []
        let children = Set(nodes.flatMap(\.children))
        return try cursors.map { cursor in
            let root = try cursor.index(of: "nodes", count: nodes.count)
            guard seen.insert(root).inserted, !children.contains(root) else {
                throw cursor.fault(
                    rule: "a scene lists nodes without a parent, each once", cure: "list the topmost node only")
            }
            return root
        }
    }

    /// Each instance becomes a child with the mesh of its node.
    private mutating func addInstances(
        of index: Int, _ instancing: JSONObject, _ accessors: inout GLTFAccessors
    ) throws {
        let attributes = try instancing.required("attributes").object()
        let places = try attributes["TRANSLATION"].map { try accessors.floats($0, width: 3) }
        let turns = try attributes["ROTATION"].map { try accessors.floats($0, width: 4) }
        let scales = try attributes["SCALE"].map { try accessors.floats($0, width: 3) }
        let counts = [places.map { $0.count / 3 }, turns.map { $0.count / 4 }, scales.map { $0.count / 3 }].compactMap {
            $0
        }
        guard let count = counts.first, counts.allSatisfy({ $0 == count }),
            ((places ?? []) + (turns ?? []) + (scales ?? [])).allSatisfy(\.isFinite)
        else {
            throw attributes.cursor.fault(
                "names accessors of \(counts.map(String.init).joined(separator: ", ")) elements",
                rule: "each instance has a place, a rotation and a scale that are finite",
                cure: "export the scene again")
        }
        guard nodes.count + count <= GLTFDocument.mostNodes else {
            throw attributes.cursor.fault(
                "makes \(count) instances", rule: "a scene has at most \(GLTFDocument.mostNodes) nodes",
                cure: "export fewer instances")
        }
        guard let mesh = nodes[index].mesh else { return }
        for instance in 0..<count {
            let place = places.map { SIMD3($0[3 * instance], $0[3 * instance + 1], $0[3 * instance + 2]) }
            let turn = turns.map { turns in SIMD4((0..<4).map { Double(turns[4 * instance + $0]) }) }
            let scale = scales.map { scales in SIMD3((0..<3).map { Double(scales[3 * instance + $0]) }) }
            nodes[index].children.append(nodes.count)
            nodes.append(
                SceneNode(
                    transform: SceneTransform(
                        translation: place ?? .zero,
                        rotation: turn.flatMap { ($0 * $0).sum() > 1e-12 ? $0 : nil } ?? SIMD4(0, 0, 0, 1),
                        scale: scale ?? SIMD3(1, 1, 1)), mesh: mesh, roles: nodes[index].roles))
        }
        (nodes[index].mesh, nodes[index].roles) = (nil, SceneRoles())
    }
}
