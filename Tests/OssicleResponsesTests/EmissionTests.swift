import Foundation
import OssicleAcoustics
import OssicleCore
@testable import OssicleResponses
import Testing

@Suite("Sources with a directivity") struct EmissionTests {
    private static let source = Vector(1.5, 1.2, 2), listener = Vector(4.2, 1.7, 3.3), size = Vector(6, 3, 5)

    private static func box(_ absorptions: [Float], scattering: Float = 0) -> Occluder {
        let mesh = Self.mesh
        return Occluder(
            id: 1, name: "box", geometry: MeshGeometry(mesh),
            materials: absorptions.map {
                AcousticMaterial(
                    name: "a", absorption: OctaveBands(repeating: $0), scattering: OctaveBands(repeating: scattering),
                    transmissionLoss: OctaveBands(repeating: 200))
            })
    }

    private static var mesh: TriangleMesh {
        let corners = (0..<8).map {
            Vector($0 & 1 == 0 ? 0 : size.x, $0 & 2 == 0 ? 0 : size.y, $0 & 4 == 0 ? 0 : size.z)
        }
        let walls: [[Int32]] = [
            [0, 2, 6, 4], [1, 5, 7, 3], [0, 4, 5, 1], [2, 3, 7, 6], [0, 1, 3, 2], [4, 6, 7, 5],
        ]
        return TriangleMesh(
            vertices: corners, triangles: walls.flatMap { [SIMD3($0[0], $0[1], $0[2]), SIMD3($0[0], $0[2], $0[3])] },
            elements: (0..<12).map { Int32($0 / 2) }, elementCount: 6)
    }

    private static func result(
        _ absorptions: [Float], scattering: Float = 0, order: Int, rays: Int = 0, emission: SourceEmission? = nil,
        medium: Medium = Medium()
    ) throws -> RirResult {
        let tracer = SceneTracer(AcousticScene(occluders: [box(absorptions, scattering: scattering)], medium: medium))
        let quality = AcousticQuality(
            rays: rays, bounces: 128, reflectionOrder: order, reflections: 10_000, edges: 0, bendsReflections: false)
        let solver = RirSolver(
            tracer: tracer, quality: quality, seed: 1,
            synthesiser: try ResponseSynthesiser(sampleRate: 48_000, medium: medium), length: nil,
            workers: WorkerPool(workers: 2))
        return try solver.result(for: RirPair(source: source, listener: Pose(listenerAt: listener), emission: emission))
    }

    @Test("each path of a cardioid is weaker by what its image's angle says, order and front-to-back ratio included")
    func paths() throws {
        let aim = Pose(listenerAt: Self.source, yaw: -50, pitch: 10)
        let ratio = OctaveBands((0..<10).map { Float($0 * 3) })
        let emission = SourceEmission(pose: aim, shape: .axial(Directivity(order: 2, frontToBack: ratio)))
        let plain = try Self.result([0.1, 0.2, 0.3, 0.1, 0.2, 0.3], order: 2)
        let aimed = try Self.result([0.1, 0.2, 0.3, 0.1, 0.2, 0.3], order: 2, emission: emission)
        let known = Dictionary(uniqueKeysWithValues: plain.acoustics[0].reflections.map { ($0.identity, $0) })
        #expect(known.count == 24 && aimed.acoustics[0].reflections.count == 24)
        func gain(_ direction: Vector, _ band: Int) -> Double {
            let p = (1 - pow(10, -Double(ratio[band]) / 40)) / 2
            return pow(1 - p + p * direction.dot(aim.forward), 2)
        }
        for path in aimed.acoustics[0].reflections {
            let other = try #require(known[path.identity])
            for band in 0..<10 {
                let wanted = Double(other.bandGains[band]) * gain(path.departure, band)
                #expect(abs(Double(path.bandGains[band]) / wanted - 1) < 1e-4)
            }
        }
        let straight = (Self.listener - Self.source).direction ?? .zero
        #expect(abs(Double(aimed.acoustics[0].direct.bandGains[9]) / gain(straight, 9) - 1) < 1e-4)
    }

    @Test("the diffuse late field has the mean of the pattern's energy over all directions, within 0.5 dB")
    func late() throws {
        // A figure of eight sends a third of the energy of a source that is 1 all around; its rays find the first
        // reflection at full strength, so that the last half of a hard room's decay is compared.
        let eight = SourceEmission(
            pose: Pose(listenerAt: Self.source, yaw: 20, pitch: 30),
            shape: .axial(Directivity(.cardioid(pattern: 1, sharpness: 1))))
        let absorptions = [Float](repeating: 0.1, count: 6)
        let energies = try [nil, eight].map { emission in
            try Self.result(absorptions, scattering: 0.9, order: 0, rays: 2048, emission: emission).late
        }
        let sums = energies.map { $0.bins[50..<200].reduce(0.0) { $0 + Double($1[5]) } }
        #expect(abs(10 * log10(sums[1] / sums[0] * 3)) < 0.5, "\(sums)")
    }

    @Test(
        "a balloon is exact at its nodes and by straight lines between them, with up, left and behind in their places")
    func balloon() {
        let balloon = DirectivityBalloon { polar, around in
            OctaveBands((0..<10).map { Float(-polar / 10 - Double($0) * sin(around * .pi / 180)) })
        }
        func level(_ direction: Vector, _ band: Int) -> Double {
            20 * log10(Double(balloon.gains(towards: direction)[band]))
        }
        #expect(abs(level(Vector(0, 0, -1), 9)) < 1e-4 && abs(level(Vector(0, 0, 1), 9) + 18) < 1e-4)
        #expect(abs(level(Vector(0, 1, 0), 9) + 9) < 1e-4)
        // Left is 90° from up, right 270°.
        #expect(abs(level(Vector(-1, 0, 0), 9) + 18) < 1e-4 && abs(level(Vector(1, 0, 0), 9)) < 1e-4)
        let between = HeadDirection.vector(azimuth: 12.5, elevation: 0)
        #expect(abs(level(between, 0) + 1.25) < 1e-4)
    }

    @Test("two hard walls keep the crest of their flutter echo to the twentieth, 1/distance and nothing else")
    func flutter() throws {
        let result = try Self.result([0, 0, 1, 1, 1, 1], order: 20, medium: Medium(humidity: 50))
        let reflections = result.acoustics[0].reflections.sorted { $0.length < $1.length }
        #expect(reflections.count == 40)
        let offset = Self.listener - Self.source
        for n in 1...20 {
            // Images at 2kL ± x.
            for isUpper in [true, false] {
                let index = isUpper ? n : -n
                let image = n % 2 == 0 ? Double(index) * 6 + 1.5 : Double(index + 1) * 6 - 1.5
                let length = Vector(image - Self.listener.x, offset.y, offset.z).magnitude
                let found = reflections.first { abs($0.length - length) < 1e-9 }
                #expect(found?.kind == .reflection(order: n) && found?.bandGains == .ones)
                #expect(found?.corners.count == n)
            }
        }
        // In the response every echo is at its place, and sums up to 1/distance: the air takes nothing at 0 Hz.
        let speed = Medium().speedOfSound, sound = result.response.channels[0]
        for path in reflections.suffix(30) {
            let place = Int((path.length / speed * 48_000).rounded())
            let sum = sound[max(place - 33, 0)...min(place + 45, sound.count - 1)].reduce(0, +)
            #expect(abs(Double(sum) * path.length - 1) < 0.15, "\(path.length) m: \(Double(sum) * path.length)")
        }
    }

    @Test(
        "in a box every image of an order is there, and an order that cannot be reached is refused with the highest that can"
    )
    func orders() throws {
        let result = try Self.result([0.1, 0.2, 0.3, 0.1, 0.2, 0.3], order: 6)
        #expect(result.acoustics[0].reflections.count == BoxRoom.count(upTo: 6) - 1)
        #expect { try Self.result([Float](repeating: 0.1, count: 6), order: 400) } throws: {
            "\($0)".contains("at most 113")
        }
    }
}

@Suite("Loudspeaker files") struct LoudspeakerFileTests {
    private static func file(
        _ bands: [Int], arcs: Int = 36, polar: Int = 19, tags: [String] = [],
        level: (_ polar: Int, _ arc: Int, _ band: Int) -> Double
    ) -> [UInt8] {
        var lines = ["<CLF1>", "<VERSION>\t1"] + tags
        for band in bands {
            lines.append("<BAND>\t\(band)")
            for arc in 0..<arcs {
                lines.append((0..<polar).map { "\(level($0 * 10, arc * 10, band))" }.joined(separator: "\t"))
            }
        }
        return Array((lines + ["<CLF1END>"]).joined(separator: "\r\n").utf8)
    }

    private static func level(_ file: LoudspeakerFile, _ direction: Vector, _ band: Int) -> Double {
        20 * log10(Double(file.balloon.gains(towards: direction)[band]))
    }

    @Test(
        "levels are re ahead, by octave, between nodes on straight lines, and the nearest octave's where there are none"
    )
    func levels() throws {
        let file = try LoudspeakerFile(
            Self.file([250, 1000]) { polar, _, band in 90 - Double(polar) / (band == 250 ? 20 : 10) }, name: "a.txt")
        #expect(abs(Self.level(file, Vector(0, 0, -1), 5)) < 1e-4)
        #expect(abs(Self.level(file, Vector(0, 1, 0), 5) + 9) < 1e-4)
        #expect(
            abs(Self.level(file, Vector(0, 0, 1), 0) + 9) < 1e-4
                && abs(Self.level(file, Vector(0, 0, 1), 9) + 18) < 1e-4)
    }

    @Test("arcs begin at the top and turn left, or right where they are reversed")
    func arcs() throws {
        for (order, left) in [("<normal>", -9.0), ("<reversed>", -27)] {
            let bytes = Self.file([1000], tags: ["<BALLOON-ARC-ORDER>\t\(order)"]) { polar, arc, _ in
                polar == 90 ? -Double(arc) / 10 : 0
            }
            let file = try LoudspeakerFile(bytes, name: "a.txt")
            #expect(abs(Self.level(file, Vector(-1, 0, 0), 5) - left) < 1e-3)
            #expect(abs(Self.level(file, Vector(0, -1, 0), 5) + 18) < 1e-3)
        }
    }

    @Test("one arc, a quarter and a half of them stand for all, and half a sphere sends nothing behind")
    func symmetry() throws {
        let one = try LoudspeakerFile(Self.file([1000], arcs: 1) { polar, _, _ in -Double(polar) / 10 }, name: "a")
        #expect(
            abs(Self.level(one, Vector(1, 0, 0), 5) + 9) < 1e-4 && abs(Self.level(one, Vector(0, -1, 0), 5) + 9) < 1e-4)
        for arcs in [10, 19] {
            let part = try LoudspeakerFile(
                Self.file([1000], arcs: arcs) { polar, arc, _ in polar == 90 ? -Double(min(arc, 180 - arc)) / 10 : 0 },
                name: "a")
            for side in [Vector(1, 0, 0), Vector(-1, 0, 0)] { #expect(abs(Self.level(part, side, 5) + 9) < 1e-3) }
            #expect(abs(Self.level(part, Vector(0, -1, 0), 5)) < 1e-3)
        }
        let half = try LoudspeakerFile(
            Self.file([1000], polar: 10, tags: ["<RADIATION>\t<halfsphere>"]) { _, _, _ in 0 }, name: "a")
        #expect(Self.level(half, Vector(0, 1, 0), 5).magnitude < 1e-3 && Self.level(half, Vector(0, 0, 1), 5) < -59)
    }

    @Test(
        "what is no loudspeaker is refused in words",
        arguments: [
            ("", "neither <CLF1> nor <CLF2>"), ("<CLF1>\n", "no levels"), ("<CLF1>\n<BAND>\tx\n", "band of “x”"),
            ("<CLF1>\n<BAND>\t1000\n1\t2\n", "arcs of 2 levels"),
            ("<CLF2>\n<BAND>\t1000\n1\tnan\n", "among the levels"),
        ])
    func refusals(text: String, words: String) {
        #expect { try LoudspeakerFile(Array(text.utf8), name: "a.txt") } throws: { "\($0)".contains(words) }
    }
}
