@testable import OssicleAcoustics
import OssicleCore
import Testing

/// A source in one zone, a listener in another.
@Suite struct ZoneCouplingTests {
    private let blend = ZoneBlend([ZoneFields.left(ZoneFields.hall), ZoneFields.right(ZoneFields.small)])

    private func heard(
        from source: Double, at listener: Double, coupling: Float, in blend: ZoneBlend? = nil
    ) -> LateField {
        let blend = blend ?? self.blend
        let (source, listener) = (blend.shares(at: Vector(source, 0, 0)), blend.shares(at: Vector(listener, 0, 0)))
        return blend.field(from: source, to: listener, coupling: OctaveBands(repeating: coupling), surroundings: .none)
    }

    @Test func inOneZoneTheFieldIsTheZonesWhateverTheWay() {
        #expect(heard(from: -4, at: -9, coupling: 0.001) == ZoneFields.hall)
        #expect(heard(from: 4, at: 9, coupling: 0) == ZoneFields.small)
    }

    @Test func fromAnotherZoneTheWayTakesItsLossAndTheLongerDecayRemains() {
        let open = heard(from: -10, at: 10, coupling: 1)
        let shut = heard(from: -10, at: 10, coupling: 0.01)
        for band in 0..<OctaveBands.count {
            #expect(abs(Decibels.of(energy: Double(open.energy[band] / shut.energy[band])) - 20) < 1e-3)
            #expect(open.t60[band] == ZoneFields.hall.t60[band])
        }
        #expect(open.energy[5] > ZoneFields.hall.energy[5] && open.energy[5] < ZoneFields.small.energy[5])
        #expect(heard(from: -10, at: 10, coupling: 0).energy == .zeros)
    }

    @Test func twoAlikeWithNothingBetweenThemAreOne() {
        let twins = ZoneBlend([ZoneFields.left(ZoneFields.hall), ZoneFields.right(ZoneFields.hall)])
        let field = heard(from: -10, at: 10, coupling: 1, in: twins)
        #expect(
            abs(field.energy[5] / ZoneFields.hall.energy[5] - 1) < 1e-5
                && abs(field.t60[5] / ZoneFields.hall.t60[5] - 1) < 1e-5)
    }

    @Test func aSourceThatWalksAcrossIsHeardWithoutJumps() {
        for way in [1, 0.1, 0.01] as [Float] {
            let fields = (-20...20).map { heard(from: 0.075 * Double($0), at: 8, coupling: way) }
            for (before, after) in zip(fields, fields.dropFirst()) {
                let rise = Decibels.of(energy: Double(after.energy[5] / before.energy[5]))
                let isAudible = Decibels.of(energy: Double(after.energy[5] / ZoneFields.small.energy[5])) > -15
                #expect(rise >= -1e-4 && (rise < 1.5 || !isAudible))
                #expect(abs(Decibels.of(energy: Double(after.t60[5] / before.t60[5]))) < 1.5)
            }
        }
    }

    @Test func outsideOneHearsTheHallThroughTheDoorAndNotTheOpen() {
        let alone = ZoneBlend([ZoneFields.left(ZoneFields.hall)])
        let field = heard(from: -10, at: 10, coupling: 1, in: alone)
        let loss = Decibels.of(energy: Double(ZoneFields.hall.energy[5] / field.energy[5]))
        #expect(abs(loss - 12.3) < 0.1 && field.t60[5] == ZoneFields.hall.t60[5])
    }
}
