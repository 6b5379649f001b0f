import Foundation
import OssicleCore
import OssicleDSP
@testable import OssicleHRTF
import Testing

@Suite("A set of head responses") struct HRTFSetTests {
    /// Directions between the measured ones too.
    private static let heard = [
        Vector(-1, 0, 0), Vector(1, 0, 0), Vector(0, 0, -1), HeadDirection.vector(azimuth: 40, elevation: 10),
        HeadDirection.vector(azimuth: -100, elevation: -35), HeadDirection.vector(azimuth: 150, elevation: 50),
    ]

    private func expect(
        _ head: HRTFFilters, hears directions: [Vector] = heard, within microseconds: Double = 15,
        decibels: Double = 0.8
    ) {
        // The model's level is the same at all frequencies, up to 12 dB between the ears at 125 Hz, below which it is
        // led to none: more than any head has, and than so many taps follow without a ripple.
        for direction in directions {
            let heard = Heard(head, direction)
            let expected = ModelHead.delay(direction, 1) - ModelHead.delay(direction, -1)
            #expect(
                abs(heard.difference - expected) * 1e6 < microseconds,
                "\(direction): \(heard.difference * 1e6) µs, not \(expected * 1e6)")
            let level = Heard.level(heard.left, 3000, head.sampleRate) - Heard.level(heard.right, 3000, head.sampleRate)
            let wanted = 20 * log10(ModelHead.level(direction, -1) / ModelHead.level(direction, 1))
            #expect(abs(level - wanted) < decibels, "\(direction): \(level) dB, not \(wanted)")
        }
    }

    @Test(
        "keeps delay and level between the ears, whatever its own rate and the engine's",
        arguments: [(48_000.0, 48_000.0), (44_100, 48_000), (96_000, 44_100), (32_000, 96_000)])
    func rates(_ own: Double, _ engine: Double) throws {
        let set = try HRTFSet(ModelHead(rate: own, directions: ModelHead.sphere(step: 15)).file())
        let head = try set.filters(sampleRate: engine)
        let builtIn = try HRTFFilters.shared(sampleRate: engine)
        #expect(head.sampleRate == engine && head.tapCount == builtIn.tapCount)
        expect(head)
    }

    @Test("gives measured directions their delay within 3 µs")
    func delays() throws {
        let model = ModelHead()
        let head = try HRTFSet(model.file()).filters(sampleRate: 48_000)
        for direction in model.directions {
            let expected = ModelHead.delay(direction, 1) - ModelHead.delay(direction, -1)
            #expect(abs(Heard(head, direction).difference - expected) < 3e-6, "\(direction)")
        }
    }

    @Test("is as loud as the built-in head, however loud it was measured", arguments: [1e-4, 1, 300])
    func loudness(gain: Double) throws {
        let head = try HRTFSet(ModelHead(gain: gain).file()).filters(sampleRate: 48_000)
        let directions = ModelHead.sphere(step: 30)
        // Power over both ears and all directions, by their share of the sphere: 0 dB is what equalising the diffuse
        // field means.
        var (sum, area) = (0.0, 0.0)
        for direction in directions where direction.y.magnitude < 0.99 {
            let (heard, share) = (Heard(head, direction), (1 - direction.y * direction.y).squareRoot())
            for taps in [heard.left, heard.right] { sum += share / 2 * pow(10, Heard.level(taps, 2000, 48_000) / 10) }
            area += share
        }
        #expect(abs(10 * log10(sum / area)) < 0.5)
        let front = Heard(head, Vector(0, 0, -1))
        for frequency in [20.0, 50, 80] { #expect(abs(Heard.level(front.left, frequency, 48_000)) < 0.4) }
    }

    @Test("is read in any way of writing positions")
    func coordinates() throws {
        let model = ModelHead()
        let reference = try HRTFSet(model.file())
        var spherical = model.file()
        spherical.sourcePosition = SofaFile.Variable(attributes: [
            "Type": "spherical", "Units": "degree, degree, metre",
        ])
        for direction in model.directions {
            let azimuth = atan2(-direction.x, -direction.z) * 180 / Double.pi,
                elevation = asin(direction.y) * 180 / Double.pi
            spherical.sourcePosition.values += [Float(azimuth), Float(elevation), Float(1.4)]
        }
        var turned = model.file() // The listener stands at (1, 2, 0) and looks along +y.
        turned.listenerPosition.values = [1, 2, 0]
        turned.listenerView.values = [0, 1, 0]
        turned.sourcePosition.values = []
        for direction in model.directions {
            turned.sourcePosition.values += [Float(1 + direction.x), Float(2 - direction.z), Float(direction.y)]
        }
        for file in [spherical, turned] {
            let set = try HRTFSet(file)
            #expect(set.measurements.count == reference.measurements.count)
            for (a, b) in zip(set.measurements, reference.measurements) {
                #expect((a.vector - b.vector).magnitude < 1e-5 && a.delays == b.delays)
            }
        }
    }

    @Test("knows the left ear by what it hears", arguments: [true, false])
    func ears(positionsToo: Bool) throws {
        var file = ModelHead().file()
        var swapped: [Float] = []
        for index in 0..<file.measurements {
            for ear in [1, 0] {
                let start = (2 * index + ear) * file.samples
                swapped += file.responses.values[start..<start + file.samples]
            }
        }
        file.responses.values = swapped
        if positionsToo { file.receiverPosition.values = [0, -0.09, 0, 0, 0.09, 0] }
        expect(try HRTFSet(file).filters(sampleRate: 48_000), hears: ModelHead().directions)
    }

    @Test("adds the delays the file states", arguments: [true, false])
    func statedDelays(perMeasurement: Bool) throws {
        var file = ModelHead().file()
        file.delay.values =
            perMeasurement ? [Float]((0..<2 * file.measurements).map { $0 % 2 == 0 ? 3 : 13 }) : [3, 13]
        let set = try HRTFSet(file), reference = try HRTFSet(ModelHead().file())
        for (a, b) in zip(set.measurements, reference.measurements) {
            let (with, without) = (a.delays.y - a.delays.x, b.delays.y - b.delays.x)
            #expect(abs(with - without - 10.0 / 48_000) < 1e-9)
        }
    }

    @Test("counts a direction once, from its greatest distance")
    func distances() throws {
        var model = ModelHead()
        model.directions += model.directions
        var file = model.file()
        let half = file.sourcePosition.values.count / 2
        for index in 0..<half { file.sourcePosition.values[index] *= 0.5 }
        for index in 0..<file.responses.values.count / 2 { file.responses.values[index] *= -0.5 }
        let set = try HRTFSet(file)
        #expect(set.measurements.count == ModelHead().directions.count)
        #expect(set.measurements[0].left == ModelHead().response(model.directions[0], -1))
    }

    @Test("of the upper half only, of one ring, or with a hole below, answers every direction")
    func parts() throws {
        let ring = stride(from: 0.0, to: 360, by: 15).map { HeadDirection.vector(azimuth: $0, elevation: 0) }
        for directions in [ModelHead.sphere(step: 15, from: 0), ring, ModelHead.sphere(step: 15, from: -45)] {
            let set = try HRTFSet(ModelHead(directions: directions).file())
            #expect(set.fillings.contains { $0.vector.y == -1 && $0.members.count == 24 })
            let head = try set.filters(sampleRate: 48_000)
            for direction in ModelHead.sphere(step: 10) {
                let heard = Heard(head, direction)
                #expect(
                    (heard.left + heard.right).allSatisfy(\.isFinite) && heard.left.contains { $0 != 0 }
                        && abs(heard.difference) < 0.001, "\(direction)")
            }
            expect(head, hears: directions)
        }
        // Beyond the rim its nearest directions are held.
        let upper = try HRTFSet(ModelHead(directions: ModelHead.sphere(step: 15, from: 0)).file()).filters(
            sampleRate: 48_000)
        let (below, rim) = (
            Heard(upper, HeadDirection.vector(azimuth: 90, elevation: -30)), Heard(upper, Vector(-1, 0, 0))
        )
        #expect(abs(below.difference - rim.difference) < 1e-4)
    }

    @Test("of long responses is cut to the common length")
    func long() throws {
        let head = try HRTFSet(ModelHead(length: 2048, directions: ModelHead.sphere(step: 45), start: 700).file())
            .filters(sampleRate: 48_000)
        #expect(head.tapCount == 128)
        expect(head, hears: ModelHead.sphere(step: 45))
    }

    @Test("refuses rates no engine has", arguments: [0, 7999, 400_000, Double.nan, .infinity])
    func engineRates(rate: Double) throws {
        let set = try HRTFSet(ModelHead(directions: ModelHead.sphere(step: 90)).file())
        #expect(throws: HRTFSetError.self) { try set.filters(sampleRate: rate) }
    }
}
