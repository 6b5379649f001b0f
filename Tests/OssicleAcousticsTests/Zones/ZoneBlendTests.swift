@testable import OssicleAcoustics
import OssicleCore
import Testing

@Suite struct ZoneBlendTests {
    private func at(_ x: Double) -> Vector { Vector(x, 0, 0) }

    /// The field along a way across the border at x = 0, every 7.5 cm: 50 ms at 1.5 m/s.
    private func walk(_ zone: LateField, _ surroundings: LateField) -> [LateField] {
        let blend = ZoneBlend([ZoneFields.left(zone)])
        return (-20...20).map { blend.field(at: blend.shares(at: at(0.075 * Double($0))), surroundings: surroundings) }
    }

    private func level(_ field: LateField, _ band: Int) -> Double { Decibels.of(energy: Double(field.energy[band])) }

    @Test func insideIsTheZonesOwnAndOutsideTheSurroundings() {
        let blend = ZoneBlend([ZoneFields.left(ZoneFields.hall)])
        let inside = blend.field(at: blend.shares(at: at(-1)), surroundings: ZoneFields.small)
        let outside = blend.field(at: blend.shares(at: at(1)), surroundings: ZoneFields.small)
        #expect(inside == ZoneFields.hall)
        #expect(outside == ZoneFields.small)
    }

    @Test func theBorderIsHalfAndHalf() {
        let blend = ZoneBlend([ZoneFields.left(ZoneFields.hall)])
        let shares = blend.shares(at: at(0))
        #expect(abs(shares.zones[0] - 0.5) < 1e-12 && abs(shares.surroundings - 0.5) < 1e-12)
        let field = blend.field(at: shares, surroundings: ZoneFields.small)
        // Halfway in level to a dB, and halfway in the logarithm of the time to 10 %.
        #expect(abs(level(field, 5) - (-11.1 + 1) / 2) < 1)
        #expect(abs(Double(field.t60[0]) - (0.4 * 1.8).squareRoot()) < 0.1)
    }

    @Test func acrossABorderEverythingMovesOneWayAndBySmallSteps() {
        for zone in ZoneFields.all {
            for surroundings in ZoneFields.all where surroundings != zone {
                let fields = walk(zone, surroundings)
                for (before, after) in zip(fields, fields.dropFirst()) {
                    for band in 0..<OctaveBands.count {
                        let (rise, wanted) = (
                            level(after, band) - level(before, band), level(surroundings, band) - level(zone, band)
                        )
                        #expect(abs(rise) < 1.5 && rise * wanted >= -1e-4)
                        let longer = Decibels.of(energy: Double(after.t60[band] / before.t60[band]))
                        #expect(abs(longer) < 1.5 && longer * Double(surroundings.t60[band] - zone.t60[band]) >= -1e-4)
                    }
                    #expect(abs(Decibels.of(energy: after.mixingTime / before.mixingTime)) < 1.5)
                }
            }
        }
    }

    @Test func outIntoTheOpenTheFieldFadesWithItsOwnDecay() {
        let fields = walk(ZoneFields.hall, .none)
        for (before, after) in zip(fields, fields.dropFirst()) where level(after, 5) > level(ZoneFields.hall, 5) - 15 {
            #expect(level(before, 5) - level(after, 5) < 1.5 && level(before, 5) >= level(after, 5) - 1e-6)
        }
        #expect(fields.allSatisfy { $0.energy[5] == 0 || abs($0.t60[5] - ZoneFields.hall.t60[5]) < 1e-4 })
        #expect(fields.last == LateField.none)
    }

    @Test func zonesWithABorderInCommonShareItWithNobodyElse() {
        for priority in [0, 1] {
            let blend = ZoneBlend([
                ZoneFields.left(ZoneFields.hall, priority: priority), ZoneFields.right(ZoneFields.small),
            ])
            for step in -30...30 {
                let shares = blend.shares(at: at(0.05 * Double(step)))
                #expect(shares.surroundings < 1e-9)
                #expect(abs(shares.zones.reduce(0, +) + shares.surroundings - 1) < 1e-12)
            }
            #expect(abs(blend.shares(at: at(0)).zones[0] - 0.5) < 1e-12)
        }
    }

    @Test func overlappingZonesGoByPriorityAndShareWithinOne() {
        func shares(_ priorities: [Int]) -> ZoneShares {
            let zones = priorities.enumerated().map {
                ZoneFields.left(ZoneFields.all[$0], priority: $1, id: UInt64($0))
            }
            return ZoneBlend(zones).shares(at: at(-5))
        }
        #expect(shares([0, 0]).zones == [0.5, 0.5])
        #expect(shares([0, 3, 1]).zones == [0, 1, 0])
        #expect(shares([2, -1, 2]).zones == [0.5, 0, 0.5])
        #expect(shares([2, -1, 2]).surroundings == 0)
    }

    @Test func aNestedZoneGoesOverIntoTheOneAroundIt() {
        let cupboard = ReverbZone(
            id: 9, bodies: [ZoneBody(.ball(radius: 3), at: Pose(position: at(-10)))], priority: 1,
            field: ZoneFields.small)
        let blend = ZoneBlend([ZoneFields.left(ZoneFields.hall), cupboard])
        for step in 0...60 {
            let shares = blend.shares(at: at(-10 + 0.1 * Double(step)))
            #expect(shares.surroundings < 1e-12 && abs(shares.zones[0] + shares.zones[1] - 1) < 1e-12)
        }
        #expect(blend.shares(at: at(-7)).zones == [0.5, 0.5])
    }

    @Test func sharesMoveSteadilyWhereManyZonesMeet() {
        let random = CounterRandom(seed: 1, object: 1)
        let zones = (0..<12).map { i -> ReverbZone in
            func unit(_ k: Int) -> Double { random.unit(UInt64(8 * i + k)) }
            let place = Pose(position: Vector(unit(0) - 0.5, unit(1) - 0.5, unit(2) - 0.5) * 10)
            return ReverbZone(
                id: UInt64(i), bodies: [ZoneBody(.ball(radius: 1 + 3 * unit(3)), at: place)],
                borderWidth: 0.5 + unit(4),
                priority: i % 3, field: ZoneFields.all[i % 4])
        }
        let blend = ZoneBlend(zones)
        var before = blend.shares(at: Vector(-8, 0.3, 0.2))
        for step in 1...1600 {
            let shares = blend.shares(at: Vector(-8 + 0.01 * Double(step), 0.3, 0.2))
            #expect(
                abs(shares.zones.reduce(shares.surroundings, +) - 1) < 1e-9 && shares.zones.allSatisfy { $0 >= 0 }
                    && shares.surroundings >= 0)
            // 1 cm moves the membership of the narrowest border by 0.0115, and a few such borders may meet.
            #expect(shares.overlap(before) > 1 - 0.06)
            before = shares
        }
    }

    @Test func directionsAndWhatEscapesBlendToo() {
        var front = ZoneFields.hall
        front.octants = SIMD8(1, 1, 1, 1, 0, 0, 0, 0) / 4
        front.escapedShare = 0.4
        var back = ZoneFields.hall
        back.octants = SIMD8(0, 0, 0, 0, 1, 1, 1, 1) / 4
        let field = LateField.blend([(front, 0.5), (back, 0.5)])
        #expect((field.octants - SIMD8(repeating: 0.125)).max() < 1e-6 && abs(field.escapedShare - 0.2) < 1e-9)
        #expect(abs(field.energy[5] / front.energy[5] - 1) < 1e-5 && abs(field.t60[5] / front.t60[5] - 1) < 1e-5)
    }

    @Test func levelRaisesTheZonesEnergyOnly() {
        let louder = ReverbZone(id: 1, bodies: [], level: 6, field: ZoneFields.hall)
        #expect(abs(level(louder.field ?? .none, 5) - level(ZoneFields.hall, 5) - 6) < 1e-4)
        #expect(louder.field?.t60 == ZoneFields.hall.t60)
    }

    @Test func valuesThatAreNoNumbersDoNoHarm() {
        let odd = LateField(
            t60: OctaveBands([.nan, -1, .infinity, 900]), energy: OctaveBands([.nan, -3, .infinity]), mixingTime: .nan,
            meanFreeTime: -.infinity, octants: SIMD8(repeating: .nan), escapedShare: .nan)
        let strange = ReverbZone(
            id: 1, bodies: [ZoneBody(.ball(radius: 2))], borderWidth: .nan, level: .nan, field: odd)
        let blend = ZoneBlend([
            strange,
            ReverbZone(id: 2, bodies: [ZoneBody(.ball(radius: .nan))], borderWidth: -3, field: ZoneFields.hall),
        ])
        for point in [at(0), at(2), at(9), at(.nan), at(.infinity)] {
            let shares = blend.shares(at: point)
            let field = blend.field(
                from: shares, to: blend.shares(at: at(2)), coupling: OctaveBands([.nan, 7, -1]), surroundings: odd)
            let times = [field.mixingTime, field.meanFreeTime, field.escapedShare].map { Float($0) }
            let values = field.t60.values + field.energy.values + times + [field.octants.sum()]
            #expect(values.allSatisfy(\.isFinite) && shares.zones.allSatisfy(\.isFinite))
            #expect(
                field.t60.values.allSatisfy { $0 >= 0.05 && $0 <= 60 } && field.energy.values.allSatisfy { $0 >= 0 })
        }
        #expect(blend.shares(at: at(.nan)).surroundings == 1)
        #expect(LateField.blend([]) == .none)
    }

    @Test func aZoneThatIsStillToBeComputedIsNotThere() {
        let blend = ZoneBlend([ZoneFields.left(nil)])
        #expect(blend.shares(at: at(-5)).surroundings == 1)
        let place = ZoneFields.left(nil).innerPoint
        #expect(place.map { ZoneFields.left(nil).signedDistance(to: $0) < -20 } == true)
        #expect(ReverbZone(id: 1, bodies: [], field: nil).innerPoint == nil)
    }
}
