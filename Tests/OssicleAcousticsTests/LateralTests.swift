@testable import OssicleAcoustics
import OssicleCore
import OssicleTestSupport
import Testing

/// Lateral quantities of energies against closed forms.
@Suite struct LateralTests {
    private static let nothing = EnergyResponse(binWidth: 0.004, binCount: 0)

    @Test("Of a frontal sound and one from 50° to the side LF is E cos² θ over both, LFC E |cos θ|")
    func pair() {
        let cosine = DeterministicMath.sincos(50 * DeterministicMath.pi / 180).sin
        let response = SquaredResponse(
            arrivals: [(0.01, .ones), (0.04, OctaveBands(repeating: 0.4)), (0.2, OctaveBands(repeating: 0.1))],
            cosines: [0, -cosine, 1], late: Self.nothing)
        let metrics = RoomMetrics(response)
        #expect(abs(Double(metrics.lateralFraction[5]) - 0.4 * cosine * cosine / 1.4) < 1e-6)
        #expect(abs(Double(metrics.lateralFractionCosine[5]) - 0.4 * cosine / 1.4) < 1e-6)
        // All of the third sound is lateral and late: −10 dB at 1 m.
        #expect(abs(Double(metrics.lateLateralStrength[5]) - 10) < 1e-5)
    }

    @Test("A sound from the side within 5 ms of the first is none of the early lateral energy")
    func direct() {
        let response = SquaredResponse(
            arrivals: [(0.01, .ones), (0.0138, .ones)], cosines: [1, 1], late: Self.nothing)
        let metrics = RoomMetrics(response)
        #expect(metrics.lateralFraction[5] == 0 && metrics.lateralFractionCosine[5] == 0)
    }

    @Test("A response without directions has no lateral quantities")
    func unknown() {
        let metrics = RoomMetrics(SquaredResponse(arrivals: [(0.01, .ones), (0.05, .ones)], late: Self.nothing))
        #expect(metrics.lateralFraction == .zeros && metrics.lateLateralStrength == OctaveBands(repeating: -120))
    }

    /// Around a listener who hears as much from everywhere cos² θ is 1/3 on average and |cos θ| a half. 4,096 rays
    /// scatter by 1 %, late ones by more.
    @Test("Rays of a diffuse room: sides have a third of the energy, products half of it; any axis, any workers")
    func diffuse() {
        let tracer = LateRooms.box(Vector(7, 5, 6), walls: LateRooms.wall(0.1, scattering: .ones))
        for ears in [Vector(1, 0, 0), Vector(0.6, 0, 0.8)] {
            var settings = RaySettings(rays: 4096, bounces: 128, specularFrom: 1, duration: 1, hearsRoom: false)
            settings.ears = ears
            let late = LateTracer(tracer: tracer, settings: settings, seed: 1)
            let source = LateRooms.place(5.1, 2.2, 4.3), listener = LateRooms.place(2, 3.1, 1.7)
            let found = late.trace(sources: [source], listener: listener).sources[0]
            func sum(_ bins: [OctaveBands]) -> Double { bins[20..<100].reduce(0) { $0 + Double($1[5]) } }
            #expect(abs(sum(found.sides) / sum(found.bins) - 1.0 / 3) < 0.02)
            #expect(abs(sum(found.products) / sum(found.bins) - 0.5) < 0.02)
            let alone = late.trace(sources: [source], listener: listener, workers: WorkerPool(workers: 1))
            #expect(alone.sources[0] == found)
            settings.ears = nil
            let plain = LateTracer(tracer: tracer, settings: settings, seed: 1).trace(
                sources: [source], listener: listener
            ).sources[0]
            #expect(plain.bins == found.bins && plain.sides.isEmpty)
        }
    }
}
