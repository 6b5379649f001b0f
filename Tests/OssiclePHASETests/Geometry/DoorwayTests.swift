import Foundation
import OssicleTestSupport
import PHASE
import Testing

/// A wall with a doorway, and a listener who walks through it.
@Suite struct DoorwayTests {
    /// In the plane z = 0, 6 m high, 41 m wide, with a doorway of 1 × 2.1 m around x = 0, on a floor.
    private func wall(_ box: BoxStage) throws {
        let material = box.material(absorption: 0.1, loss: 50)
        try box.add(SIMD3(60, 0.2, 60), at: SIMD3(0, -0.1, 0), material, named: "floor")
        try box.add(SIMD3(20, 6, 0.2), at: SIMD3(-10.5, 3, 0), material, named: "left")
        try box.add(SIMD3(20, 6, 0.2), at: SIMD3(10.5, 3, 0), material, named: "right")
        try box.add(SIMD3(1, 3.9, 0.2), at: SIMD3(0, 4.05, 0), material, named: "lintel")
    }

    /// Hidden until the listener is 2 m in front of the doorway.
    private static let place = SIMD3<Float>(-3, 1.5, -7)

    private func walk(
        _ sound: [Float], seconds: Double, mode: PHASESpatializationMode, channels: AVAudioChannelCount = 2
    ) throws -> [[Float]] {
        let box = try BoxStage(
            channels: channels, mode: mode, quality: PHASEAcousticsQuality(rays: 64, bounces: 4, reflectionOrder: 0))
        try wall(box)
        box.stage.listener.transform = .translation(SIMD3(0.3, 1.6, 4.5))
        try box.play(sound, at: Self.place, flags: [.directPathTransmission])
        _ = try box.stage.render(9600)
        var heard = [[Float]](repeating: [], count: Int(channels))
        for step in 0..<Int(seconds * 48_000 / 512) {
            box.stage.listener.transform = .place(SIMD3(0.3, 1.6, 4.5 - 1.5 * Double(step) * 512 / 48_000))
            for (channel, samples) in try box.stage.render(512).enumerated() { heard[channel] += samples }
        }
        return heard
    }

    // Harmonics of 20 Hz: in 50 ms their level is that of their octave, exactly.
    @Test func `band levels move by less than 1.5 dB in 50 ms`() throws {
        let period = 2400
        let sound = (0..<period).map { frame in
            (3...560).reduce(Float(0)) { sum, harmonic in
                // Phases of a slow chirp keep the peaks low; equal energy per octave.
                let angle =
                    2 * Double.pi * (Double(harmonic * frame) / Double(period) + Double(harmonic * harmonic) / 1200)
                return sum + Float(0.05 / Double(harmonic).squareRoot() * cos(angle))
            }
        }
        let heard = try walk(sound, seconds: 3.6, mode: .alwaysUseChannelBased, channels: 1)[0]
        var worst = (0.0, 0, 0)
        for band in 2...8 {
            var last: Double?
            for window in 0..<(heard.count / period) {
                let level = Measure.octaveEnergies(of: Array(heard[window * period..<(window + 1) * period]))[band]
                if let last, abs(level - last) > worst.0 { worst = (abs(level - last), band, window) }
                last = level
            }
        }
        #expect(worst.0 < 1.5, "\(worst.0) dB in band \(worst.1) at \(Double(worst.2) * 0.05) s")
    }

    @Test(arguments: [PHASESpatializationMode.alwaysUseChannelBased, .alwaysUseBinaural])
    func `nothing clicks on the way through`(mode: PHASESpatializationMode) throws {
        let heard = try walk(sine(1000, 48_000), seconds: 3.6, mode: mode)
        // Doppler of 1.5 m/s is 4.4 Hz, and ways give way to others within 40 ms.
        for channel in heard {
            let splatter = Measure.energyOutside(850, 1150, in: channel)
            #expect(splatter < -70, "\(splatter) dB")
        }
    }

    @Test func `what is hidden sounds from the doorway`() throws {
        func sides(_ flags: PHASEEngine.AcousticsMode) throws -> Double {
            let box = try BoxStage(
                mode: .alwaysUseChannelBased, quality: PHASEAcousticsQuality(rays: 64, bounces: 4, reflectionOrder: 0))
            try wall(box)
            box.engine.acousticsMode = flags
            // The doorway is on the right of this listener, the source behind the wall on the left.
            box.stage.listener.transform = .translation(SIMD3(-3, 1.6, 3))
            try box.play(sine(1000, 48_000), at: SIMD3(-4.5, 1.5, -2), flags: [.directPathTransmission])
            let heard = try box.stage.render(19_200)
            return decibels(rms(heard[1][9600...]) / rms(heard[0][9600...]))
        }
        #expect(try sides(.geometry) > 3)
        #expect(try sides(.preset) < 0)
    }

    @Test func `a door that closes takes the sound away, and gives it back`() throws {
        let box = try BoxStage(channels: 1, quality: PHASEAcousticsQuality(rays: 64, bounces: 4, reflectionOrder: 0))
        try wall(box)
        let door = try box.add(
            SIMD3(1, 2.1, 0.05), at: SIMD3(0, 1.05, 5), box.material(absorption: 0.1, loss: 30), named: "door")
        box.stage.listener.transform = .translation(SIMD3(0, 1.5, 2))
        try box.play(sine(1000, 48_000), at: SIMD3(0, 1.5, -2), flags: [.directPathTransmission])
        func level() throws -> Double { decibels(rms(try box.stage.render(19_200)[0][9600...])) }
        door.transform = .translation(SIMD3(3, 1.05, 8))
        let open = try level()
        door.transform = .translation(SIMD3(0, 1.05, 0))
        let closed = try level()
        door.transform = .translation(SIMD3(3, 1.05, 8))
        let reopened = try level()
        // Through the door 30 dB; around it, over the lintel and past the ends of the wall, less than that.
        #expect(open - closed > 15 && abs(reopened - open) < 0.1, "\(open), \(closed), \(reopened) dB")
    }

    @Test func `hostile scenes give finite sound`() throws {
        for (index, place) in [SIMD3<Float>(-3, 1.5, 0), SIMD3(-0.5, 1.5, 0.1), SIMD3(0, 6, 0)].enumerated() {
            let box = try BoxStage(quality: .low)
            try wall(box)
            // A sheet without area, and one triangle.
            let flat = MDLMesh.newBox(
                withDimensions: SIMD3(2, 0, 0), segments: vector_uint3(1, 1, 1), geometryType: .triangles,
                inwardNormals: false, allocator: nil)
            let plane = MDLMesh.newPlane(
                withDimensions: SIMD2(1, 1), segments: vector_uint2(1, 1), geometryType: .triangles, allocator: nil)
            for mesh in [flat, plane] {
                try box.engine.rootObject.addChild(
                    PHASEOccluder(engine: box.engine, shapes: [PHASEShape(engine: box.engine, mesh: mesh)]))
            }
            // The listener inside a wall, on a jamb, on top.
            box.stage.listener.transform = .translation(place)
            let (source, event) = try box.play(
                Signal.noise(count: 4800, amplitude: 0.2), at: index == 0 ? place : SIMD3(3.25, 1.5, 0),
                flags: [.directPathTransmission, .earlyReflections, .lateReverb])
            let heard = try box.stage.render(9600)
            source.transform = .translation(place)
            let more = try box.stage.render(9600)
            #expect((heard + more).allSatisfy { Measure.isFinite($0) } && !"\(box.engine.explain(event))".isEmpty)
        }
    }
}
