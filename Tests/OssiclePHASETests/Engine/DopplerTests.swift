import Foundation
import OssicleTestSupport
import PHASE
import Testing

/// The pitch of moving sources and listeners, against the closed forms.
@Suite struct DopplerTests {
    /// Mono: one loudspeaker has no direction, so the output is the sound as it was when it was sent, and nothing else.
    private func ride(
        _ pace: Pace, from start: SIMD3<Double> = SIMD3(0, 0, -2), temperature: Double? = nil
    ) throws -> Ride {
        let ride = try Ride(Stage(updateMode: pace.mode, channels: 1), step: pace.step, at: SIMD3<Float>(start))
        if let temperature {
            ride.stage.engine.defaultMedium = PHASEMedium(
                engine: ride.stage.engine, temperature: temperature, absorbs: false)
        }
        return ride
    }

    @Test(arguments: 0..<8, Pace.all)
    func `the table is met within a cent`(row: Int, pace: Pace) throws {
        let row = try TestFailure.unwrap(Table.load("doppler-check.csv").rows.dropFirst(row).first)
        let (c, source, listener) = (
            row.number("c"), row.number("source_speed_towards_listener"), row.number("listener_speed_towards_source")
        )
        let gap = source + listener > 0 ? 40.0 : 5.0
        // The speed of sound is set by the temperature.
        let ride = try ride(pace, from: SIMD3(0, 0, -gap), temperature: 293.15 * (c / 343.2) * (c / 343.2) - 273.15)
        let out = try ride.go(36_000) { time in
            ride.source.transform = .place(SIMD3(0, 0, source * time - gap))
            ride.stage.listener.transform = .place(SIMD3(0, 0, -listener * time))
        }[0]
        let tone = Measure.pitch(near: 1000 * row.number("frequency_ratio"), in: Array(out[20_000..<32_000]))
        #expect(abs(1200 * log2(tone.frequency / 1000) - row.number("cents")) < 1)
        #expect(tone.signalToNoise > 60)
    }

    /// When what arrives at `time` was sent: bisection for c (t − s) = distance(s), which falls faster on the left than
    /// anything moves.
    private func sent(_ time: Double, _ distance: (Double) -> Double) -> Double {
        var (low, high) = (time - 1, time)
        for _ in 0..<60 {
            let middle = (low + high) / 2
            if 343.2 * (time - middle) > distance(middle) { low = middle } else { high = middle }
        }
        return (low + high) / 2
    }

    @Test(arguments: Pace.all)
    func `what passes by is heard sample by sample as it was sent`(pace: Pace) throws {
        // 20 m/s at 2 m, and the listener walks to meet it.
        let ride = try ride(pace, from: SIMD3(-12, 0, -2))
        let out = try ride.go(57_600) { time in
            ride.source.transform = .place(SIMD3(20 * time - 12, 0, -2))
            ride.stage.listener.transform = .place(SIMD3(-1.5 * time, 0.5 * time, 0))
        }[0]
        // Motion is heard one step late: only then the client has said where it leads.
        let late = Double(pace.step) / 48_000
        let range = 12_000..<55_000
        let expected = range.map { frame in
            let time = Double(frame) / 48_000
            let left = sent(time) { s in
                let d = SIMD3(20 * (s - late) - 12, 0, -2) - SIMD3(-1.5 * (time - late), 0.5 * (time - late), 0)
                return (d.x * d.x + d.y * d.y + d.z * d.z).squareRoot()
            }
            return Float(0.25 * sin(2 * .pi * 1000 * left))
        }
        let error = zip(out[range], expected).map { $0 - $1 }
        // Between grid lines the delay moves in straight pieces of h = 128 frames, off the true one by v²h²/8rc at
        // most: 1 µs, or 0.006 rad, at the closest point (−47 dB) and much less elsewhere.
        #expect(decibels(rms(error[...]) / rms(expected[...])) < -55)
    }

    @Test func `a source that has stopped is still heard coming until its last sound has arrived`() throws {
        let ride = try ride(Pace(mode: .automatic, step: 512), from: SIMD3(0, 0, -102))
        let out = try ride.go(57_344) { time in ride.source.transform = .place(SIMD3(0, 0, 30 * min(time, 0.5) - 102))
        }[0]
        // It stops at 0.5 s, 87 m away: that is heard at 0.753 s, or frame 36,168, and a step later at that.
        let coming = Measure.pitch(near: 1095.8, in: Array(out[26_000..<36_000]))
        #expect(abs(1200 * log2(coming.frequency / 1000) - 158.358) < 1)
        let standing = Measure.pitch(near: 1000, in: Array(out[39_000..<49_000]))
        #expect(abs(1200 * log2(standing.frequency / 1000)) < 0.1)
    }

    @Test(arguments: Pace.all)
    func `what moves together keeps its pitch`(pace: Pace) throws {
        let ride = try ride(pace, from: SIMD3(0, 1, -3))
        ride.stage.engine.rootObject.removeChild(ride.source)
        try ride.stage.listener.addChild(ride.source)
        let out = try ride.go(36_000) { time in ride.stage.listener.transform = .place(SIMD3(5, 0, -30 * time)) }[0]
        let tone = Measure.pitch(near: 1000, in: Array(out[12_000..<32_000]))
        #expect(abs(1200 * log2(tone.frequency / 1000)) < 0.1)
        #expect(tone.signalToNoise > 60)
    }

    @Test(arguments: [1, 64, 127, 960], [PHASEEngine.UpdateMode.automatic, .manual])
    func `the pitch does not depend on how render calls are cut`(call: Int, mode: PHASEEngine.UpdateMode) throws {
        func render(_ call: Int) throws -> [[Float]] {
            let ride = try Ride(Stage(updateMode: mode), step: 960, at: SIMD3(-4, 0, -1), rolloff: 1)
            return try ride.go(9600, call: call) { time in
                ride.source.transform = .place(SIMD3(30 * time - 4, 0, -1))
                ride.stage.listener.transform = .turn(3 * time)
            }
        }
        let (cut, whole) = (try render(call), try render(960))
        #expect(cut == whole)
    }

    @Test func `sources faster than sound are cross-faded from place to place, and heard again when they slow down`()
        throws
    {
        let ride = try ride(Pace(mode: .automatic, step: 512), from: SIMD3(-200, 0, -5))
        let motion = try ride.go(24_576) { time in ride.source.transform = .place(SIMD3(500 * time - 200, 0, -5)) }[0]
        let isFinite = motion.allSatisfy { $0.isFinite }
        #expect(isFinite && Measure.peak(motion) <= 0.26)
        #expect(ride.stage.engine.lastError == nil)
        let out = try ride.go(36_864, from: 24_576) { _ in }[0]
        let tone = Measure.pitch(near: 1000, in: Array(out[20_000..<30_000]))
        #expect(abs(1200 * log2(tone.frequency / 1000)) < 0.1 && tone.signalToNoise > 60)
    }
}
