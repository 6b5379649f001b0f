import OssicleCore
import Testing
@testable import ossicle

@Suite("The demo scene")
struct DemoSceneTests {
    let scene = DemoScene()

    @Test("the walk is even: equal shares of time are equal lengths of way")
    func evenWalk() {
        // Chords of a curved way are a little shorter than the way: 1 %.
        let steps = (0..<100).map {
            (scene.walk.position(at: Double($0 + 1) / 100) - scene.walk.position(at: Double($0) / 100)).magnitude
        }
        for step in steps { #expect(abs(step - scene.walk.length / 100) < 0.01 * scene.walk.length / 100) }
    }

    @Test("the walker keeps clear of everything solid by 20 cm and stays inside")
    func clearWalk() {
        for share in stride(from: 0.0, through: 1, by: 0.005) {
            let place = scene.walk.position(at: share)
            for box in scene.boxes {
                let nearest = pointwiseMin(pointwiseMax(place, box.low), box.high)
                #expect((place - nearest).magnitude > 0.2, "\(box.name) at \(share)")
            }
        }
    }

    @Test("the way leads from behind the partition through the open door and behind the cardboard box")
    func story() throws {
        var stage = PlainStage(scene, sound: [1])
        let obstacles = stride(from: 0.0, through: 1, by: 0.01).map { share in
            stage.render(1, voiceAt: scene.walk.position(at: share)).paths[0].obstacles.map(\.name)
        }
        #expect(obstacles.first == ["south partition"])
        let stations = obstacles.reduce(into: [[String]]()) { if $0.last != $1 { $0.append($1) } }
        #expect(stations == [["south partition"], [], ["cardboard box"], []])
    }

    @Test("a walk through no points and one point stands still")
    func degenerate() {
        #expect(Walk(through: []).position(at: 0.5) == .zero)
        #expect(Walk(through: [Vector(1, 2, 3)]).position(at: 0.5) == Vector(1, 2, 3))
    }
}
