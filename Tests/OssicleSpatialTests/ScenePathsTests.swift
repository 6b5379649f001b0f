import OssicleAcoustics
import OssicleCore
import Testing
@testable import OssicleSpatial

@Suite struct ScenePathsTests {
    private let paths = ScenePaths()

    private func pair(_ position: Vector, number: UInt64 = 1) -> ScenePaths.Pair {
        ScenePaths.Pair(
            source: SceneSnapshot.Source(
                number: number, pose: Pose(position: position), gain: 1, meshes: [], isInScene: true),
            listener: SceneSnapshot.Listener(number: 100, head: .identity, gain: 1, isInScene: true))
    }

    private func trace(_ pairs: [ScenePaths.Pair], at position: Int64 = 0, delays: Bool = true) {
        paths.arrange(pairs)
        paths.trace(
            ScenePaths.Request(isStale: true, sceneIsStale: position == 0, quality: nil, seed: 0),
            at: ScenePaths.Moment(
                position: position, ahead: 512, sampleRate: 48_000, stepFrames: 512, slack: 0, medium: Medium(),
                delays: delays), candidates: { _ in nil }, occluders: { [] })
    }

    @Test func `a path has the distance between the centres, and only pairs that were traced have one`() throws {
        trace([pair(Vector(0, 0, -5))])
        let path = try #require(paths.heard(1, 100))
        #expect(abs(path.direct.centreDistance - 5) < 1e-9 && path.isAtRest)
        #expect(paths.heard(2, 100) == nil)
        trace([pair(Vector(1, 0, 0), number: 2)], at: 512)
        #expect(paths.heard(1, 100) == nil && paths.heard(2, 100) != nil)
    }

    @Test func `paths come in the order of source and listener`() {
        trace([3, 1, 2].map { pair(Vector(0, 0, -2), number: $0) })
        #expect(paths.receivedPaths.map(\.key.source) == [1, 2, 3])
    }

    @Test func `a detour takes time at the speed of sound, also where direct sound takes none`() {
        let framesPerMetre = 48_000 / Medium().speedOfSound
        trace([pair(Vector(0, 0, -5))])
        #expect(abs(paths.delay(of: 9, besides: 5) - 9 * framesPerMetre) < 1e-6)
        trace([pair(Vector(0, 0, -5))], at: 512, delays: false)
        #expect(abs(paths.delay(of: 9, besides: 5) - 4 * framesPerMetre) < 1e-3)
    }

    @Test func `a path at rest is found once, and again when an end moves`() throws {
        trace([pair(Vector(0, 0, -5))])
        trace([pair(Vector(0, 0, -5))], at: 512)
        let place = try #require(paths.place(of: 1, 100))
        #expect(paths.restsSince(place) == 0)
        trace([pair(Vector(0.1, 0, -5))], at: 1024)
        #expect(paths.restsSince(place) == nil)
    }

    @Test func `what nothing needs that plays is received every fourth time, and whenever something does`() throws {
        func step(_ number: Int) { trace([pair(Vector(0.01 * Double(number), 0, -5))], at: Int64(512 * number)) }
        for number in 0..<3 { step(number) }
        let place = try #require(paths.place(of: 1, 100))
        paths.skipsUnattended = true
        let turns = (3..<35).filter { number in
            step(number)
            return paths.isFresh(place)
        }
        #expect(turns.count == 8 && zip(turns, turns.dropFirst()).allSatisfy { $1 - $0 == 4 })
        for number in 35..<40 {
            paths.attend(place)
            step(number)
            #expect(paths.isFresh(place))
        }
        // It rests where it is, which is found out at its turn at the latest.
        for number in 40..<60 { trace([pair(Vector(0.39, 0, -5))], at: Int64(512 * number)) }
        #expect(paths.restsSince(place) != nil && paths.isFresh(place))
        #expect(try #require(paths.heard(1, 100)).body.position.x == 0.39)
    }

    @Test func `a move is received over the next update, a leap is another path`() throws {
        trace([pair(Vector(0, 0, -5))])
        let leaps = try #require(paths.heard(1, 100)).leaps
        trace([pair(Vector(0.1, 0, -5))], at: 512)
        let moved = try #require(paths.heard(1, 100))
        #expect(moved.leaps == leaps && !moved.isAtRest)
        trace([pair(Vector(80, 0, -5))], at: 1024)
        #expect(paths.heard(1, 100)?.leaps == leaps &+ 1)
    }
}

@Suite struct PathSlotsTests {
    private func path(_ identity: UInt64, gain: Float) -> SoundPath {
        SoundPath(
            kind: .reflection(order: 1), identity: identity, length: 10, bandGains: OctaveBands(repeating: gain),
            arrival: Vector(0, 0, -1), departure: Vector(0, 0, 1), corners: [])
    }

    @Test func `the loudest paths have slots, and keep them until one is twice as loud`() {
        var slots = PathSlots(count: 2)
        let first = slots.assign([path(1, gain: 1), path(2, gain: 0.5), path(3, gain: 0.1)])
        #expect(Set(first.map(\.?.identity)) == [1, 2])
        let kept = slots.assign([path(3, gain: 0.6), path(2, gain: 0.5), path(1, gain: 1)])
        #expect(Set(kept.map(\.?.identity)) == [1, 2])
        let before = [slots[0].generation, slots[1].generation]
        let changed = slots.assign([path(3, gain: 0.8), path(2, gain: 0.5), path(1, gain: 1)])
        #expect(Set(changed.map(\.?.identity)) == [1, 3])
        #expect(zip(before, [slots[0].generation, slots[1].generation]).map { $1 &- $0 }.sorted() == [0, 1])
    }

    @Test func `a path keeps its slot while others come and go`() throws {
        var slots = PathSlots(count: 3)
        let first = slots.assign([path(1, gain: 1), path(2, gain: 1)])
        let slot = try #require(first.firstIndex { $0?.identity == 2 })
        let alone = slots.assign([path(2, gain: 1)])
        #expect(alone[slot]?.identity == 2)
        let others = slots.assign([path(4, gain: 1), path(5, gain: 1), path(2, gain: 1)])
        #expect(others[slot]?.identity == 2)
    }
}
