import Foundation
import OssicleAcoustics
import OssicleCore
import OssicleModelIO
import Synchronization

/// The surface of a volumetric source or an occluder. May be shared by many of them.
///
/// The mesh is read when the shape is made; later edits of it are not seen.
open class PHASEShape: NSObject, NSCopying {
    /// A part of the surface with a material of its own: one per submesh.
    open class Element: NSObject {
        private weak var control: EngineControl?
        private var kept: PHASEMaterial?
        fileprivate weak var shape: PHASEShape?

        /// Default nil; an occluder without a material is taken to be of concrete. May be changed at any time, also
        /// while something plays behind it.
        open var material: PHASEMaterial? {
            get { control?.locked { kept } ?? kept }
            set {
                guard let control else { return kept = newValue }
                control.locked {
                    kept = newValue; control.spatial.sceneChanged()
                    noteMaterial(control)
                }
            }
        }

        /// Of a shape that a recording knows; of others it is written down when they are used.
        private func noteMaterial(_ control: EngineControl) {
            guard let shape, let index = shape.elements.firstIndex(where: { $0 === self }),
                let known = control.recorder.number(of: shape, givesOne: false)
            else { return }
            control.note(
                .material(shape: known.number, element: index, kept.map(PHASECommand.Material.init)))
        }

        init(material: PHASEMaterial?, control: EngineControl?) {
            (kept, self.control) = (material, control)
            super.init()
        }
    }

    /// One per submesh, in order.
    open private(set) var elements: [PHASEShape.Element]

    /// Triangles in the mesh's own coordinates; their elements are those of `elements`.
    let mesh: TriangleMesh
    private weak var control: EngineControl?
    private let tree = Mutex<MeshGeometry?>(nil)

    /// The triangles made ready for rays, the first time someone asks.
    var geometry: MeshGeometry {
        tree.withLock { tree in
            let geometry = tree ?? MeshGeometry(mesh)
            tree = geometry
            return geometry
        }
    }

    /// A mesh that cannot be read, in part or at all, gives a shape of what could be read, and the engine records an
    /// error.
    public convenience init(engine: PHASEEngine, mesh: MDLMesh) {
        let reading = MeshReading(mesh)
        reading.complaints.forEach(engine.record)
        self.init(
            mesh: reading.mesh, materials: Array(repeating: nil, count: reading.submeshCount), control: engine.control)
    }

    /// A shape whose elements have materials; as `init(engine:mesh:)`.
    ///
    /// - Parameters:
    ///   - engine: whose scene it belongs to.
    ///   - mesh: its surface.
    ///   - materials: given to the elements in turn, from the first again when they run out. An empty list leaves the
    ///     elements without material, and the engine records an error.
    public convenience init(engine: PHASEEngine, mesh: MDLMesh, materials: [PHASEMaterial]) {
        self.init(engine: engine, mesh: mesh)
        guard !materials.isEmpty else {
            engine.record(
                PHASEAssetError(
                    .badParameters, object: "PHASEShape of mesh “\(mesh.name)”",
                    value: "the list of materials is empty",
                    rule: "A shape with materials has at least one.",
                    cure: "Pass a material, or use init(engine:mesh:)."))
            return
        }
        for (index, element) in elements.enumerated() { element.material = materials[index % materials.count] }
    }

    init(mesh: TriangleMesh, materials: [PHASEMaterial?], control: EngineControl?) {
        self.mesh = mesh
        self.control = control
        elements = materials.map { Element(material: $0, control: control) }
        super.init()
        for element in elements { element.shape = self }
    }

    /// A shape of its own with the same surface; its elements have the same materials.
    @discardableResult
    open func copy(with zone: NSZone? = nil) -> Any {
        PHASEShape(mesh: mesh, materials: elements.map(\.material), control: control)
    }
}
