import OssicleAcoustics
import OssicleCore
import OssicleDSP
@testable import OssiclePHASE
import OssicleSpatial
import PHASE
import Testing

@Suite struct ReverbZoneTests {
    private let engine = PHASEEngine(updateMode: .manual)

    private func box(_ size: SIMD3<Float>, _ engine: PHASEEngine? = nil) -> PHASEShape {
        let mesh = MDLMesh.newBox(
            withDimensions: size, segments: [1, 1, 1], geometryType: .triangles, inwardNormals: false, allocator: nil)
        return PHASEShape(engine: engine ?? self.engine, mesh: mesh)
    }

    private func zone(_ shapes: PHASEShape...) -> PHASEReverbZone { PHASEReverbZone(engine: engine, shapes: shapes) }

    private func moved(_ x: Float, scale: Float = 1) -> simd_float4x4 {
        simd_float4x4(SIMD4(scale, 0, 0, 0), SIMD4(0, scale, 0, 0), SIMD4(0, 0, scale, 0), SIMD4(x, 0, 0, 1))
    }

    @Test func `a zone is computed, one metre wide at its border and of no special rank until told otherwise`() {
        let plain = zone(box([4, 4, 4]))
        #expect(
            plain.reverb == .computed && plain.borderWidth == 1 && plain.priority == 0 && plain.level == 0
                && plain.shapes.count == 1)
        #expect(plain.name.hasPrefix("Reverb zone") && engine.recordedErrors.isEmpty)
    }

    @Test func `settings out of range are clamped and recorded with their object, value and range`() {
        let odd = zone(box([4, 4, 4]))
        odd.borderWidth = -3
        odd.level = 90
        #expect(odd.borderWidth == 0.01 && odd.level == 20)
        odd.level = .nan
        #expect(odd.level == 20 && engine.recordedErrors.count == 3)
        #expect(
            engine.recordedErrors.allSatisfy {
                PHASEError.invalidObject ~= $0 && $0.localizedDescription.contains(odd.name)
            })
        #expect(engine.recordedErrors.first?.localizedDescription.contains("0.01…100") == true)
        (odd.borderWidth, odd.level, odd.priority) = (100, -60, .min)
        #expect(engine.recordedErrors.count == 3)
    }

    @Test func `no shape is nowhere, a shape with a hole counts as its box, and both are recorded`() throws {
        #expect(zone().snapshot.reverbZone(traced: nil).signedDistance(to: .zero) == .infinity)
        #expect(engine.recordedErrors.count == 1)
        let plane = MDLMesh.newPlane(
            withDimensions: [2, 2], segments: [1, 1], geometryType: .triangles, allocator: nil)
        let sheet = zone(box([4, 4, 4]), PHASEShape(engine: engine, mesh: plane))
        #expect(engine.recordedErrors.count == 2)
        #expect(engine.recordedErrors.last?.localizedDescription.contains("Shape 1 of \(sheet.reportedName)") == true)
    }

    @Test func `the pure zone stands where its object stands, in metres`() throws {
        let hall = zone(box([4, 4, 4]))
        let parent = PHASEObject(engine: engine)
        try engine.rootObject.addChild(parent)
        try parent.addChild(hall)
        parent.transform = moved(10)
        hall.transform = moved(5, scale: 2)
        let value = hall.snapshot.reverbZone(traced: nil)
        #expect(abs(value.signedDistance(to: Vector(15, 0, 0)) + 4) < 1e-6)
        #expect(abs(value.signedDistance(to: Vector(20, 0, 0)) - 1) < 1e-6)
        engine.unitsPerMeter = 10
        #expect(abs(hall.snapshot.reverbZone(traced: nil).signedDistance(to: Vector(2, 0, 0)) - 0.1) < 1e-6)
        #expect(abs(hall.snapshot.reverbZone(traced: nil).borderWidth - 0.1) < 1e-12)
    }

    @Test func `a computed zone sounds as it was traced, a preset one as its preset, each by its level`() {
        let hall = zone(box([4, 4, 4]))
        let traced = LateField(
            t60: OctaveBands(repeating: 1), energy: OctaveBands(repeating: 0.5), mixingTime: 0.04, meanFreeTime: 0.02)
        #expect(hall.snapshot.reverbZone(traced: nil).field == nil)
        #expect(hall.snapshot.reverbZone(traced: traced).field == traced)
        hall.reverb = .preset(.largeHall)
        #expect(hall.snapshot.reverbZone(traced: traced).field?.t60 == ReverbPreset.largeHall.room.t60)
        let before = hall.snapshot.reverbZone(traced: nil).field?.energy[5] ?? 0
        hall.level = -10
        let after = hall.snapshot.reverbZone(traced: nil).field?.energy[5] ?? 0
        #expect(abs(after / before - 0.1) < 1e-5)
        hall.reverb = .preset(.none)
        #expect(hall.snapshot.reverbZone(traced: nil).field?.energy == .zeros)
    }

    @Test(arguments: [
        PHASEReverbPreset.smallRoom, .mediumRoom, .largeRoom, .largeRoom2, .mediumChamber, .largeChamber, .mediumHall,
        .mediumHall2,
        .mediumHall3, .largeHall, .largeHall2, .cathedral,
    ])
    func `a preset's late field has the preset's level in the middle bands and its network's energy in all`(
        preset: PHASEReverbPreset
    ) throws {
        let field = LateField(preset.room)
        let room = try #require(ReverbPreset.allCases.first { $0.room.t60 == field.t60 }).room
        let middle = Decibels.of(energy: Double(field.energy[4] + field.energy[5]) / 2)
        #expect(abs(middle - room.lateLevel) < 0.05)
        #expect(field.mixingTime == room.mixingTime && field.meanFreeTime == room.meanFreeTime)
        // ∫ e₀ 10^(−6 t/T) dt from the mixing time on, summed in steps.
        let density = FeedbackDelayNetwork.Parameters(t60: room.t60, lateLevel: room.lateLevel, start: room.mixingTime)
            .energyDensity
        for band in [0, 5, 9] {
            let t60 = Double(field.t60[band])
            let step = 5e-4
            let sum = (0..<40_000).reduce(0.0) { sum, index in
                sum + step * density
                    * DeterministicMath.pow(10, -6 * (room.mixingTime + (Double(index) + 0.5) * step) / t60)
            }
            #expect(abs(Double(field.energy[band]) / sum - 1) < 0.002)
        }
    }

    @Test func `a copy has the same shapes and settings and no parent`() throws {
        let hall = zone(box([4, 4, 4]))
        (hall.reverb, hall.borderWidth, hall.priority, hall.level) = (.preset(.cathedral), 0.5, 3, -6)
        try engine.rootObject.addChild(hall)
        let copy = try #require(hall.copy() as? PHASEReverbZone)
        #expect(copy.reverb == .preset(.cathedral) && copy.borderWidth == 0.5 && copy.priority == 3 && copy.level == -6)
        #expect(copy.shapes.first === hall.shapes.first && copy.parent == nil)
    }

    @Test func `a zone in the scene changes nothing for an engine that renders without it`() throws {
        func rendered(_ withZone: Bool) throws -> [[Float]] {
            let stage = try Stage(channels: 2)
            if withZone {
                let zone = PHASEReverbZone(engine: stage.engine, shapes: [box([4, 4, 4], stage.engine)])
                zone.transform = moved(500)
                try stage.engine.rootObject.addChild(zone)
            }
            return try Ride(stage, at: SIMD3(0, 0, -3)).go(4096) { _ in }
        }
        let isSame = try rendered(true) == rendered(false)
        #expect(isSame)
    }
}

extension PHASEObject {
    fileprivate var reportedName: String { "“\(name)”" }
}
