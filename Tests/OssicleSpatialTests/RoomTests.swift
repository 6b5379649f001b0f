import OssicleAcoustics
import OssicleCore
import OssicleDSP
import Testing
@testable import OssicleSpatial

@Suite struct RoomTests {
    private func conditions(_ preset: ReverbPreset?) -> RoomFields.Conditions {
        RoomFields.Conditions(preset: preset, usesGeometry: false, isOffline: true, seed: 0, sampleRate: 48_000)
    }

    @Test func `without zones and geometry the preset is the room of all`() {
        let rooms = RoomFields()
        #expect(rooms.update(ScenePaths(), conditions(.largeHall), at: 0) == .largeHall)
        #expect(rooms.fields.isEmpty && rooms.share(of: 1, at: 2) == nil)
    }

    @Test func `with a zone each listener has a field of its own`() {
        let rooms = RoomFields()
        rooms.setZones([
            SceneSnapshot.Zone(
                number: 9, bodies: [ZoneBody(.box(Vector(2, 2, 2)))], borderWidth: 1, priority: 0, level: 0,
                preset: LateField(ReverbPreset.cathedral))
        ])
        let paths = ScenePaths()
        paths.arrange([
            ScenePaths.Pair(
                source: SceneSnapshot.Source(
                    number: 1, pose: Pose(position: Vector(0.5, 0, 0)), gain: 1, meshes: [], isInScene: true),
                listener: SceneSnapshot.Listener(number: 2, head: .identity, gain: 1, isInScene: true))
        ])
        paths.trace(
            ScenePaths.Request(isStale: true, sceneIsStale: true, quality: nil, seed: 0),
            at: ScenePaths.Moment(
                position: 0, ahead: 512, sampleRate: 48_000, stepFrames: 512, slack: 0, medium: Medium(), delays: true),
            candidates: { _ in nil }, occluders: { [] })
        #expect(rooms.update(paths, conditions(.smallRoom), at: 0) == nil)
        #expect(rooms.field(at: 2)?.t60 == ReverbPreset.cathedral.room.t60)
        #expect(rooms.share(of: 1, at: 2) == .ones)
        #expect(rooms.field(at: 3) == nil)
    }

    @Test func `directions have the energy of the octants, turned into the head's axes, and add up to 1`() {
        var field = LateField(ReverbPreset.mediumRoom)
        field.octants = SIMD8(1, 0, 0, 0, 0, 0, 0, 0)
        // The first octant is left, below and in front; a head that looks to the left has it on its right.
        for (head, towards) in [
            (Pose.identity, Vector(-1, -1, -1)),
            (Pose(right: Vector(0, 0, -1), back: Vector(1, 0, 0)), Vector(1, -1, -1)),
        ] {
            let shares = RoomField(listener: 1, head: head, field: field).directions
            #expect(abs(shares.sum() - 1) < 1e-6)
            let middle = zip(DiffuseDirections.all, 0...).reduce(Vector.zero) { $0 + $1.0 * Double(shares[$1.1]) }
            #expect(middle.dot(towards / towards.magnitude) / middle.magnitude > 0.95)
        }
        field.octants = SIMD8(repeating: 0.125)
        let even = RoomField(listener: 1, head: .identity, field: field).directions
        #expect((0..<16).allSatisfy { abs(even[$0] - 0.0625) < 1e-6 })
    }

    @Test func `filters that were replaced are kept for 8192 frames`() {
        final class Owner {}
        var filters = SentFilters()
        filters.add(Owner(), at: 0)
        filters.add(Owner(), at: 1000)
        let early = filters.release(at: 9191)
        #expect(!early && filters.alive.count == 2)
        let late = filters.release(at: 9192)
        #expect(late && filters.alive.count == 1)
        let present = filters.release(at: .max)
        #expect(!present)
    }
}
