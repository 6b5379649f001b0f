import Foundation
import OssicleCore
import OssicleTestSupport
import PHASE
import Testing

@Suite struct SpatialMixerTests {
    /// Steady level of a 1 kHz tone from a source, both ears' energies summed.
    private func level(rolloff: Double?, at position: SIMD3<Float>, cull: Double? = nil) throws -> Double {
        let stage = try Stage()
        try stage.register("tone", [sine(1000, 48_000, amplitude: 0.01)])
        let mixer = try stage.spatialMixer(rolloff: rolloff)
        if let cull {
            mixer.distanceModelParameters?.fadeOutParameters = PHASEDistanceModelFadeOutParameters(cullDistance: cull)
        }
        let event = try stage.registerEvent("tone", into: mixer, loops: true) { $0.cullOption = .doNotCull }
        try stage.start()
        try stage.event(event, mixer, stage.source(at: position)).start()
        let out = try stage.render(48_000)
        let (left, right) = (rms(out[0][24_000...]), rms(out[1][24_000...]))
        return (left * left + right * right).squareRoot()
    }

    @Test(arguments: [0.25, 0.5, 1, 2])
    func `rolloff follows the table within a tenth of a decibel`(rolloff: Double) throws {
        let reference = try level(rolloff: rolloff, at: SIMD3(0, 0, -1))
        for distance: Float in [0.25, 0.5, 2, 5, 10, 50] {
            let measured = try level(rolloff: rolloff, at: SIMD3(0, 0, -distance))
            let expected = -20 * rolloff * log10(Double(distance))
            #expect(abs(decibels(measured / reference) - expected) < 0.1, "at \(distance) m")
        }
    }

    @Test func `the distance table itself is met`() throws {
        let rows = try Table.load("distance-check.csv").rows.filter { $0["model"] == "phase_geometric" }
        #expect(rows.count >= 20)
        for (label, rolloff) in [("rolloff=1 ", 1.0), ("rolloff=0.5", 0.5), ("rolloff=2", 2.0)] {
            let reference = try level(rolloff: rolloff, at: SIMD3(0, 0, -1))
            for row in rows where row["parameters"].hasPrefix(label) && [0.5, 3, 10].contains(row.number("distance_m"))
            {
                let measured = try level(rolloff: rolloff, at: SIMD3(0, 0, -Float(row.number("distance_m"))))
                #expect(abs(decibels(measured / reference) - decibels(row.number("gain"))) < 0.1)
            }
        }
    }

    @Test func `without a distance model the level does not depend on distance`() throws {
        let near = try level(rolloff: nil, at: SIMD3(0, 0, -1))
        let far = try level(rolloff: nil, at: SIMD3(0, 0, -30))
        #expect(abs(decibels(far / near)) < 0.01)
    }

    @Test func `beyond the cull distance there is silence, before it a fade`() throws {
        let open = try level(rolloff: 1, at: SIMD3(0, 0, -9.75))
        let fading = try level(rolloff: 1, at: SIMD3(0, 0, -9.75), cull: 10)
        let beyond = try level(rolloff: 1, at: SIMD3(0, 0, -10.5), cull: 10)
        #expect(beyond == 0)
        // Three quarters through the raised cosine from 9 m to 10 m.
        #expect(abs(fading / open - 0.5 * (1 + cos(.pi * 0.75))) < 0.005)
    }

    /// A click from a source, as both ears hear it.
    private func click(at position: SIMD3<Float>) throws -> [[Float]] {
        let stage = try Stage()
        var sound = [Float](repeating: 0, count: 4096)
        sound[100] = 0.5
        try stage.register("click", [sound])
        let mixer = try stage.spatialMixer()
        let event = try stage.registerEvent("click", into: mixer)
        try stage.start()
        try stage.event(event, mixer, stage.source(at: position)).start()
        return try stage.render(4096)
    }

    @Test func `a source at the left reaches the left ear 0·6 to 0·8 ms earlier and louder`() throws {
        let out = try click(at: SIMD3(-2, 0, 0))
        // Below 1.5 kHz the delay between the ears is what the ear reads: cross-correlate the low-passed clicks.
        let delay = Measure.delay(of: out[1], after: out[0], range: 96) / 48_000
        #expect((0.0006...0.0008).contains(delay), "\(delay * 1e6) µs")
        #expect(rms(out[0][...]) > 2 * rms(out[1][...]))
    }

    @Test func `sound takes its time`() throws {
        let (near, far) = (try click(at: SIMD3(0, 0, -2)), try click(at: SIMD3(0, 0, -5)))
        let delay = Measure.delay(of: far[0], after: near[0], range: 1000)
        #expect(abs(delay - 3 / 343.2 * 48_000) < 0.2)
        // The click leaves at frame 100; head and filters add less than a millisecond to the way.
        let peak = near[0].indices.max { near[0][$0].magnitude < near[0][$1].magnitude } ?? 0
        #expect(abs(Double(peak) - 100 - 2 / 343.2 * 48_000) < 48)
    }

    @Test func `left and right mirror to −120 dB`() throws {
        func areAlike(_ a: [Float], _ b: [Float]) -> Bool {
            Measure.rms(zip(a, b).map { $0 - $1 }) <= 1e-6 * Measure.rms(a)
        }
        for position: SIMD3<Float> in [SIMD3(-2, 0, 0), SIMD3(-1, 0.5, -1.5), SIMD3(-0.3, -0.2, 2)] {
            let left = try click(at: position)
            let right = try click(at: position * SIMD3(-1, 1, 1))
            #expect(areAlike(left[0], right[1]) && areAlike(left[1], right[0]))
        }
        let front = try click(at: SIMD3(0, 0, -2))
        #expect(areAlike(front[0], front[1]))
    }

    @Test func `the listener's own turn is the source's turn the other way`() throws {
        let stage = try Stage()
        var sound = [Float](repeating: 0, count: 4096)
        sound[100] = 0.5
        try stage.register("click", [sound])
        let mixer = try stage.spatialMixer()
        let event = try stage.registerEvent("click", into: mixer)
        // Looking to the right (−X is behind the left shoulder): what was in front is now at the left.
        stage.listener.transform = simd_float4x4(simd_quatf(angle: -.pi / 2, axis: simd_float3(0, 1, 0)))
        try stage.start()
        try stage.event(event, mixer, stage.source(at: SIMD3(0, 0, -2))).start()
        let turned = try stage.render(4096)
        let direct = try click(at: SIMD3(-2, 0, 0))
        let error = zip(turned[0], direct[0]).map { abs($0 - $1) }.max() ?? 1
        #expect(error < 1e-4)
    }

    @Test func `a cardioid source facing away is quieter as the formula says`() throws {
        func level(facing angle: Float) throws -> Double {
            let stage = try Stage()
            try stage.register("tone", [sine(1000, 24_000, amplitude: 0.05)])
            let mixer = try stage.spatialMixer(rolloff: 1)
            let band = PHASECardioidDirectivityModelSubbandParameters()
            band.pattern = 0.5
            mixer.sourceDirectivityModelParameters = PHASECardioidDirectivityModelParameters(subbandParameters: [band])
            let event = try stage.registerEvent("tone", into: mixer, loops: true)
            let source = try stage.source(at: SIMD3(0, 0, -2))
            source.transform =
                .translation(SIMD3(0, 0, -2)) * simd_float4x4(simd_quatf(angle: angle, axis: simd_float3(0, 1, 0)))
            try stage.start()
            try stage.event(event, mixer, source).start()
            return rms(try stage.render(24_000)[0][12_000...])
        }
        // Turned by 180° the source looks at the listener.
        let facing = try level(facing: .pi)
        let (sideways, away) = (try level(facing: .pi / 2), try level(facing: 0))
        #expect(abs(decibels(sideways / facing) + 6.02) < 0.1)
        #expect(decibels(away / facing) < -55)
    }

    /// Level of a tone from a source 2 m away that looks `angle` degrees past the listener.
    private func level(
        _ frequency: Double, _ directivity: PHASEDirectivityModelParameters?, angle: Double
    ) throws -> Double {
        let stage = try Stage(channels: 1)
        try stage.register("tone", [sine(frequency, 24_000, amplitude: 0.1)])
        let mixer = try stage.spatialMixer()
        mixer.sourceDirectivityModelParameters = directivity
        let event = try stage.registerEvent("tone", into: mixer, loops: true)
        let source = try stage.source(at: .zero)
        source.transform = .translation(SIMD3<Float>(0, 0, -2)) * .turn(Double.pi - angle * Double.pi / 180)
        try stage.start()
        try stage.event(event, mixer, source).start(completion: nil)
        return rms(try stage.render(12_000)[0][6000...])
    }

    @Test(arguments: [0, 30, 75, 110, 150] as [Double])
    func `each sub-band has its own directivity`(angle: Double) throws {
        let cardioid = PHASECardioidDirectivityModelParameters(
            subbandParameters: [(250, 0.25, 1), (1000, 0.5, 1), (4000, 0.5, 3)].map { frequency, pattern, sharpness in
                let band = PHASECardioidDirectivityModelSubbandParameters()
                (band.frequency, band.pattern, band.sharpness) = (frequency, pattern, sharpness)
                return band
            })
        let cone = PHASEConeDirectivityModelParameters(
            subbandParameters: [(250, 360, 360, 1), (1000, 90, 215, 0.3), (4000, 40, 160, 0.1)].map {
                frequency, inner, outer, gain in
                let band = PHASEConeDirectivityModelSubbandParameters()
                (band.frequency, band.outerGain) = (frequency, gain)
                band.setAngles(innerAngle: inner, outerAngle: outer)
                return band
            })
        let cosine = cos(angle * Double.pi / 180)
        func funnel(_ inner: Double, _ outer: Double, _ gain: Double) -> Double {
            1 + (gain - 1) * min(max((angle - inner / 2) / (outer / 2 - inner / 2), 0), 1)
        }
        let expected: [(Double, Double, Double)] = [
            (250, 0.75 + 0.25 * cosine, 1), (1000, 0.5 + 0.5 * cosine, funnel(90, 215, 0.3)),
            (4000, pow(0.5 + 0.5 * cosine, 3), funnel(40, 160, 0.1)),
        ]
        for (frequency, heart, opening) in expected {
            let open = try level(frequency, nil, angle: angle)
            #expect(
                abs(decibels(try level(frequency, cardioid, angle: angle) / open) - decibels(max(heart, 1e-3))) < 0.5,
                "cardioid, \(frequency) Hz")
            #expect(
                abs(decibels(try level(frequency, cone, angle: angle) / open) - decibels(opening)) < 0.5,
                "cone, \(frequency) Hz")
        }
    }

    @Test func `an envelope gives the level over distance, its ends held`() throws {
        let envelope = try TestFailure.unwrap(
            PHASEEnvelope(
                startPoint: simd_double2(1, 1),
                segments: [
                    PHASEEnvelopeSegment(endPoint: simd_double2(5, 0.5), curveType: .linear),
                    PHASEEnvelopeSegment(endPoint: simd_double2(20, 0.1), curveType: .squared),
                ]))
        func level(at distance: Float) throws -> Double {
            let stage = try Stage(channels: 1)
            try stage.register("tone", [sine(1000, 24_000, amplitude: 0.1)])
            let mixer = try stage.spatialMixer()
            mixer.distanceModelParameters = PHASEEnvelopeDistanceModelParameters(envelope: envelope)
            let event = try stage.registerEvent("tone", into: mixer, loops: true)
            try stage.start()
            try stage.event(event, mixer, stage.source(at: SIMD3(0, 0, -distance))).start(completion: nil)
            return rms(try stage.render(16_384)[0][8192...])
        }
        let reference = try level(at: 0.5)
        for (distance, gain) in [(1.0, 1.0), (3, 0.75), (5, 0.5), (12.5, 0.4), (20, 0.1), (45, 0.1)] {
            #expect(
                abs(decibels(try level(at: Float(distance)) / reference) - decibels(gain)) < 0.05, "at \(distance) m")
        }
    }

    @Test func `a source that leaves fades to nothing before the cull distance, without a step`() throws {
        let stage = try Stage(channels: 1)
        try stage.register("tone", [sine(1000, 48_000, amplitude: 0.1)])
        let mixer = try stage.spatialMixer(rolloff: 0)
        mixer.distanceModelParameters?.fadeOutParameters = PHASEDistanceModelFadeOutParameters(cullDistance: 10)
        let event = try stage.registerEvent("tone", into: mixer, loops: true) { $0.cullOption = .doNotCull }
        let source = try stage.source(at: SIMD3(0, 0, -8))
        try stage.start()
        try stage.event(event, mixer, source).start(completion: nil)
        var out: [Float] = []
        for position in stride(from: 0, to: 72_192, by: 512) {
            source.transform = .place(SIMD3(0, 0, -8 - 2 * Double(position) / 48_000))
            out += try stage.render(512)[0]
        }
        let levels = stride(from: 8192, to: 70_000, by: 480).map { rms(out[$0..<($0 + 480)]) }
        for (before, after) in zip(levels, levels.dropFirst()) {
            #expect(after <= before * 1.01 && before - after < 0.004)
        }
        // 10 m are reached after a second; the sound of that, and of the step it takes to be moved, 1,900 frames later.
        let isSilent = out[51_000...].allSatisfy { $0 == 0 }
        #expect(isSilent)
        #expect(
            levels[0] > 0.07
                && Measure.largestKink(Array(out[4096...])) < 0.1 * Float(pow(2 * Double.pi / 48, 2)) * 1.05)
    }

    @Test func `panned for 5·1 the power goes to the loudspeakers around the source`() throws {
        let stage = try Stage(layout: kAudioChannelLayoutTag_MPEG_5_1_A)
        try stage.register("tone", [sine(1000, 24_000, amplitude: 0.1)])
        let mixer = try stage.spatialMixer()
        let event = try stage.registerEvent("tone", into: mixer, loops: true)
        try stage.start()
        // 70° to the left: halfway between L (30°) and Ls (110°).
        let angle: Float = 70 * .pi / 180
        try stage.event(event, mixer, stage.source(at: SIMD3(-sin(angle), 0, -cos(angle)) * 2)).start()
        let out = try stage.render(24_000)
        let levels = out.map { rms($0[12_000...]) / (0.1 / 2.0.squareRoot()) }
        #expect(abs(levels[0] - 0.7071) < 0.002 && abs(levels[4] - 0.7071) < 0.002)
        #expect(levels[1] < 1e-4 && levels[2] < 1e-4 && levels[3] == 0 && levels[5] < 1e-4)
    }

    @Test func `an object outside the scene is not heard`() throws {
        let stage = try Stage()
        try stage.register("tone", [sine(1000, 4800)])
        let mixer = try stage.spatialMixer()
        let event = try stage.registerEvent("tone", into: mixer, loops: true) { $0.cullOption = .doNotCull }
        let source = PHASESource(engine: stage.engine)
        try stage.start()
        try stage.event(event, mixer, source).start()
        let before = try stage.render(4800)[0]
        #expect(before.allSatisfy { $0 == 0 })
        try stage.engine.rootObject.addChild(source)
        let after = try stage.render(4800)[0]
        #expect(rms(after[2400...]) > 0.05)
    }
}
