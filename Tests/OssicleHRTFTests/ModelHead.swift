import Foundation
import OssicleCore
import OssicleDSP
@testable import OssicleHRTF
import OssicleTestSupport

/// A head in closed form: a sphere's delays, and an ear that is the louder the more it faces the sound, the same at all
/// frequencies.
struct ModelHead {
    var rate = 48_000.0
    var length = 128
    var directions: [Vector] = ModelHead.sphere(step: 30)
    /// Samples before the earliest sound.
    var start = 20.0
    /// Multiplies every response.
    var gain = 1.0

    static func sphere(step: Int, from lowest: Int = -90) -> [Vector] {
        stride(from: lowest, through: 90, by: step).flatMap { (elevation: Int) -> [Vector] in
            if elevation.magnitude == 90 { return [HeadDirection.vector(azimuth: 0, elevation: Double(elevation))] }
            return stride(from: 0, to: 360, by: step).map { (azimuth: Int) -> Vector in
                HeadDirection.vector(azimuth: Double(azimuth), elevation: Double(elevation))
            }
        }
    }

    /// Seconds by which an ear on the side `sign` (right 1) is late after the earliest possible: half the interaural
    /// delay (a/c)(θ + sin θ) of Woodworth (1938).
    static func delay(_ direction: Vector, _ sign: Double) -> Double {
        let lateral = asin(min(max(direction.x * sign, -1), 1))
        return 0.5 * SphericalHead.radius / 343 * (.pi / 2 + 1 - lateral - sin(lateral))
    }

    static func level(_ direction: Vector, _ sign: Double) -> Double { 1 + 0.6 * direction.x * sign }

    func response(_ direction: Vector, _ sign: Double) -> [Float] {
        let at = start + ModelHead.delay(direction, sign) * rate
        let level = gain * ModelHead.level(direction, sign)
        return (0..<length).map { index -> Float in
            let x = Double(index) - at
            let window: Double = abs(x) < 16 ? 0.5 + 0.5 * cos(Double.pi * x / 16) : 0
            let sinc: Double = abs(x) < 1e-9 ? 1 : sin(Double.pi * x) / (Double.pi * x)
            return Float(level * sinc * window)
        }
    }

    /// The file somebody would have made of it.
    func file() -> SofaFile {
        var file = SofaFile(name: "model.sofa")
        file.attributes = [
            "Conventions": "SOFA", "SOFAConventions": "SimpleFreeFieldHRIR", "DataType": "FIR",
            "RoomType": "free field",
        ]
        (file.receivers, file.emitters, file.samples, file.measurements) = (2, 1, length, directions.count)
        file.listenerPosition.values = [0, 0, 0]
        file.listenerView = SofaFile.Variable(values: [1, 0, 0], attributes: ["Type": "cartesian"])
        file.listenerUp.values = [0, 0, 1]
        file.receiverPosition = SofaFile.Variable(values: [0, 0.09, 0, 0, -0.09, 0], attributes: ["Type": "cartesian"])
        file.sourcePosition.attributes = ["Type": "cartesian", "Units": "metre"]
        for direction in directions {
            file.sourcePosition.values += [
                Float(-direction.z * 1.4), Float(-direction.x * 1.4), Float(direction.y * 1.4),
            ]
        }
        file.responses.values = directions.flatMap { response($0, -1) + response($0, 1) }
        file.samplingRate = SofaFile.Variable(values: [Float(rate)], attributes: ["Units": "hertz"])
        file.delay.values = [0, 0]
        return file
    }

    /// The same as bytes.
    func writer() -> SofaWriter {
        let file = file()
        func variable(_ name: String, _ value: SofaFile.Variable) -> SofaWriter.Variable {
            SofaWriter.Variable(
                name, value.values.map(Double.init),
                value.attributes.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
        }
        return SofaWriter(
            dimensions: [("I", 1), ("C", 3), ("R", 2), ("E", 1), ("N", length), ("M", directions.count)],
            variables: [
                variable("ListenerPosition", file.listenerPosition), variable("ListenerView", file.listenerView),
                variable("ListenerUp", file.listenerUp),
                variable("ReceiverPosition", file.receiverPosition), variable("SourcePosition", file.sourcePosition),
                variable("EmitterPosition", SofaFile.Variable(values: [0, 0, 0])), variable("Data.IR", file.responses),
                variable("Data.SamplingRate", file.samplingRate), variable("Data.Delay", file.delay),
            ])
    }
}

/// What a head makes of a direction.
struct Heard {
    var left, right: [Float]
    /// Seconds by which the right ear is later than the left.
    var difference: Double

    init(_ head: HRTFFilters, _ direction: Vector) {
        var (l, r) = ([Float](repeating: 0, count: head.tapCount), [Float](repeating: 0, count: head.tapCount))
        let delays = withExtendedLifetime(head) { head.table.interpolate(SIMD3<Float>(direction), left: &l, right: &r) }
        (left, right, difference) = (l, r, Double(delays.right - delays.left) / head.sampleRate)
    }

    /// dB at one frequency.
    static func level(_ taps: [Float], _ frequency: Double, _ rate: Double) -> Double {
        let w = 2 * Double.pi * frequency / rate
        var (re, im) = (0.0, 0.0)
        for (index, tap) in taps.enumerated() {
            re += Double(tap) * cos(w * Double(index))
            im -= Double(tap) * sin(w * Double(index))
        }
        return 10 * log10(max(re * re + im * im, 1e-30))
    }
}
