import OssicleModelIO
import Testing

@Suite("Objects")
struct MDLObjectTests {
    private func named(_ name: String) -> MDLObject {
        let object = MDLObject()
        object.name = name
        return object
    }

    @Test("A path names everything from the root down")
    func path() {
        let (house, room, chair) = (named("house"), named("room"), named("chair"))
        house.addChild(room)
        room.addChild(chair)
        #expect(chair.path == "/house/room/chair")
        #expect(chair.parent === room)
        #expect(house.children.objects.map(\.name) == ["room"])
    }

    @Test("A child has one parent, and nothing belongs to itself")
    func oneParent() {
        let (a, b, child) = (named("a"), named("b"), named("child"))
        a.addChild(child)
        b.addChild(child)
        b.addChild(child)
        #expect(a.children.count == 0)
        #expect(b.children.count == 1)
        child.addChild(b)
        child.addChild(child)
        #expect(child.children.count == 0)
    }

    @Test("A ring made by hand ends")
    func ring() {
        let (a, b) = (named("a"), named("b"))
        (a.parent, b.parent) = (b, a)
        a.children.add(b)
        b.children.add(a)
        #expect(a.path == "/b/a")
        #expect(a.boundingBox(atTime: 0).maxBounds == .zero)
        a.children.remove(b)
    }

    @Test("A bounding box holds the meshes below")
    func bounds() {
        let root = named("root")
        let mesh = MDLMesh.newBox(
            withDimensions: SIMD3(2, 4, 6), segments: SIMD3(1, 1, 1), geometryType: .quads, inwardNormals: false,
            allocator: nil)
        mesh.addChild(MDLMesh.newIcosahedron(withRadius: 9, inwardNormals: false, allocator: nil))
        root.addChild(mesh)
        #expect(mesh.boundingBox.maxBounds == SIMD3(1, 2, 3))
        #expect(root.boundingBox(atTime: 0).maxBounds.x > 7)
    }
}
