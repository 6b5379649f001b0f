import OssicleAcoustics
import OssicleCore

/// Reads loudspeakers in the text form of the Common Loudspeaker Format, CLF1 (10°, octaves) and CLF2 (5°, thirds of
/// octaves): the balloon's levels re ahead. Sensitivity, on-axis spectrum and phase are left out.
///
/// Arcs run from ahead to behind; the first leads over up, and the next ones turn towards the loudspeaker's left, or
/// its right where `<BALLOON-ARC-ORDER>` is `<reversed>`. One arc stands for all; a quarter of the arcs and one, or
/// half of them and one, for their mirror images. Half a sphere sends nothing behind. An octave has the mean energy of
/// its thirds; octaves without data have those of the nearest that has some.
package struct LoudspeakerFile: Sendable {
    package let balloon: DirectivityBalloon

    private struct Band {
        var frequency: Double
        /// dB, arc by arc from ahead on.
        var arcs: [[Double]] = []
    }

    /// Bytes of a file at most.
    private static let most = 16 << 20

    /// - Parameters:
    ///   - bytes: of the file. - name: for messages.
    package init(_ bytes: [UInt8], name: String) throws(ResponseError) {
        func fault(_ found: String, _ cure: String) -> ResponseError {
            ResponseError("Loudspeaker file “\(name)”: \(found); \(cure).")
        }
        guard bytes.count <= Self.most else {
            throw fault("has \(bytes.count) bytes", "pass a file of at most \(Self.most)")
        }
        var (step, isReversed, isInverted, isHalved, symmetry) = (0, false, false, false, "")
        var bands: [Band] = []
        for line in bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            let words = line.split { $0 == 0x09 || $0 == 0x20 }.map { String(decoding: $0, as: UTF8.self) }
            guard let first = words.first else { continue }
            let value = words.dropFirst().first?.lowercased() ?? ""
            switch first.uppercased() {
            case "<CLF1>": step = 10
            case "<CLF2>": step = 5
            case "<BALLOON-ARC-ORDER>": isReversed = value == "<reversed>"
            case "<BALLOON-SYMMETRY>": symmetry = value
            case "<SIGN>": isInverted = value == "<inverted>"
            case "<RADIATION>": isHalved = value.hasPrefix("<half")
            case "<BAND>":
                guard let frequency = Double(value), (1...100_000).contains(frequency), bands.count < 64 else {
                    throw fault("has a band of “\(value.prefix(40))”", "give each of at most 64 bands its hertz")
                }
                bands.append(Band(frequency: frequency))
            case let word where !word.hasPrefix("<") && !bands.isEmpty:
                let numbers = words.compactMap { Double($0) }.filter { $0.isFinite }
                guard numbers.count == words.count else {
                    throw fault(
                        "has “\(String(decoding: line.prefix(40), as: UTF8.self))” among the levels of \(bands[bands.count - 1].frequency) Hz",
                        "write numbers in dB")
                }
                bands[bands.count - 1].arcs.append(isInverted ? numbers.map { -$0 } : numbers)
            default: break
            }
        }
        guard step > 0 else {
            throw fault("has neither <CLF1> nor <CLF2>", "export the text form of CLF, not the binary CF1 or CF2")
        }
        bands.removeAll { $0.arcs.isEmpty }
        guard !bands.isEmpty else { throw fault("has no levels", "export it with its balloon") }
        let (around, polar) = (360 / step, (isHalved ? 90 : 180) / step + 1)
        for band in bands {
            guard let length = band.arcs.first?.count, band.arcs.allSatisfy({ $0.count == length }),
                length == polar || length == 180 / step + 1
            else {
                throw fault(
                    "has arcs of \(band.arcs.first?.count ?? 0) levels at \(band.frequency) Hz",
                    "there are \(180 / step + 1) from ahead to behind in steps of \(step)°")
            }
            guard [1, around / 4 + 1, around / 2 + 1, around].contains(band.arcs.count),
                band.arcs.count != around / 2 + 1 || symmetry != "<horizontal>"
            else {
                throw fault(
                    "has \(band.arcs.count) arcs at \(band.frequency) Hz with the symmetry “\(symmetry)”",
                    "export all \(around), or one, or those of a half or a quarter that begins at the top")
            }
        }
        let octaves = (0..<OctaveBands.count).map { Self.members(of: $0, in: bands) }
        balloon = DirectivityBalloon { angle, turn in
            OctaveBands(
                octaves.map { members in
                    let energy = members.reduce(0.0) { sum, band in
                        let level = band.arcs[0][0]
                        let turn = isReversed && turn > 0 ? 360 - turn : turn
                        return sum
                            + Decibels.energy(
                                Self.level(band.arcs, angle, turn: turn, step: step, around: around) - level)
                    }
                    return Float(Decibels.of(energy: max(energy / Double(members.count), 1e-12)))
                })
        }
    }

    /// The bands within an octave, or the nearest one.
    private static func members(of octave: Int, in bands: [Band]) -> [Band] {
        let centre = OctaveBands.centre(octave)
        func distance(_ band: Band) -> Double { DeterministicMath.log2(band.frequency / centre).magnitude }
        let inside = bands.filter { distance($0) < 0.5 }
        guard inside.isEmpty else { return inside }
        return bands.min { distance($0) < distance($1) }.map { [$0] } ?? []
    }

    /// dB at an angle from ahead and around, between nodes by straight lines.
    private static func level(_ arcs: [[Double]], _ angle: Double, turn: Double, step: Int, around: Int) -> Double {
        func arc(_ number: Int) -> [Double] {
            let number = number % around
            switch arcs.count {
            case 1: return arcs[0]
            case around / 2 + 1: return arcs[min(number, around - number)]
            case around / 4 + 1:
                let folded = min(number, around - number)
                return arcs[min(folded, around / 2 - folded)]
            default: return arcs[number]
            }
        }
        func value(_ arc: [Double]) -> Double {
            let place = angle / Double(step), node = Int(place)
            guard node < arc.count - 1 else { return node == arc.count - 1 && place == Double(node) ? arc[node] : -200 }
            return arc[node] + (arc[node + 1] - arc[node]) * (place - Double(node))
        }
        let place = turn / Double(step), number = Int(place)
        let (first, second) = (value(arc(number)), value(arc(number + 1)))
        return first + (second - first) * (place - Double(number))
    }
}
