import CNetcdf
import OssicleAcoustics
import OssicleCore
import OssicleReaders

/// Reads the directivity of a source from SOFA, conventions FreeFieldDirectivityTF (AES69-2022): complex transfer
/// functions to receivers all around. netCDF reads it in a child process: a damaged file may crash the library, but not
/// this program.
///
/// Levels are mean energies, over the measurements (notes, playing styles) and over the frequencies of each octave, re
/// those of the direction nearest to ahead; octaves without a frequency have those of the nearest one. Between
/// receivers the four nearest count by 1/distance², which is exact at each.
package struct DirectivityFile: Sendable {
    package let balloon: DirectivityBalloon

    private struct Variable {
        var values: [Float] = []
        var type = ""
    }

    /// Numbers that a file may hold.
    private static let most = 64 << 20
    private static let signature: [UInt8] = [0x89, 0x48, 0x44, 0x46, 0x0D, 0x0A, 0x1A, 0x0A]

    /// - Parameters:
    ///   - bytes: of the file. - name: for messages.
    package init(_ bytes: [UInt8], name: String) throws(ResponseError) {
        func fault(_ found: String, _ cure: String) -> ResponseError {
            ResponseError("Directivity file “\(name)”: \(found); \(cure).")
        }
        guard bytes.starts(with: Self.signature) else {
            throw fault("does not begin with the signature of HDF5", "pass a SOFA file (AES69)")
        }
        guard ossicle_load_netcdf() else {
            throw fault("cannot be read without netCDF", "install libnetcdf19 or libnetcdf22")
        }
        // The child has the library as it is at that moment: not in the middle of what another thread writes.
        let answer = NetcdfFile.turn.withLock { _ in
            ReaderProcess.reply(about: bytes, by: ossicle_directivity_describe)
        }
        guard case .success(let bytes) = answer else {
            throw fault("no process could be started to read it", "end other processes")
        }
        var reply = Reply(bytes)
        guard reply.word() == 0x4644_5249, let error = reply.word() else {
            throw fault("is damaged, and reading it came to no end", "get the file once more")
        }
        guard error == 0, let conventions = reply.text(), let m = reply.word(), let r = reply.word(),
            let n = reply.word()
        else {
            throw fault(
                "netCDF cannot read it (its error \(Int32(bitPattern: error)))",
                "save it as SOFA with the dimensions M, R and N")
        }
        guard conventions == "FreeFieldDirectivityTF" else {
            throw fault(
                "has the conventions “\(conventions.prefix(60))”", "export it as FreeFieldDirectivityTF")
        }
        var variables: [Variable] = []
        while variables.count < 6, let values = reply.floats(), let type = reply.text() {
            variables.append(Variable(values: values, type: type))
        }
        let (measurements, receivers, frequencies) = (Int(m), Int(r), Int(n))
        let isSmall = [m, r, n].allSatisfy { $0 <= 1 << 20 }
        let count = isSmall ? measurements * receivers * frequencies : Int.max
        guard variables.count == 6, receivers >= 4, frequencies >= 1, measurements >= 1, count <= Self.most,
            variables[0].values.count >= frequencies, variables[1].values.count == count,
            variables[2].values.count == count,
            variables[3].values.count >= 3 * receivers, variables[3].values.count % (3 * receivers) == 0
        else {
            throw fault(
                "has \(m) measurements of \(r) receivers at \(n) frequencies, and other numbers of values",
                "write N, Data.Real, Data.Imag and ReceiverPosition as AES69 describes them, for 4 receivers or more")
        }
        let directions = Self.directions(variables[3], count: receivers, axes: Self.axes(variables[4], variables[5]))
        guard let directions, variables[0].values.prefix(frequencies).allSatisfy({ $0 > 0 && $0.isFinite }) else {
            throw fault(
                "has receivers that are nowhere, or frequencies that are none",
                "write positions around the source, and hertz")
        }
        let energies = Self.energies(variables, measurements, receivers: receivers, frequencies: frequencies)
        let ahead = directions.indices.min { directions[$0].z < directions[$1].z } ?? 0
        guard energies[ahead].values.allSatisfy({ $0 > 0 && $0.isFinite }) else {
            throw fault("is silent ahead, or not finite", "measure or export it again")
        }
        let levels = energies.map { energy in
            var levels = OctaveBands.zeros
            for band in 0..<OctaveBands.count {
                levels[band] = Float(
                    Decibels.of(energy: max(Double(energy[band]) / Double(energies[ahead][band]), 1e-12)))
            }
            return levels
        }
        balloon = DirectivityBalloon { polar, around in
            let (a, b) = (polar * DeterministicMath.pi / 180, around * DeterministicMath.pi / 180)
            let (sine, cosine) = DeterministicMath.sincos(a)
            let turn = DeterministicMath.sincos(b)
            return Self.level(Vector(-sine * turn.sin, sine * turn.cos, -cosine), directions, levels)
        }
    }

    /// Source axes in the file's: ahead, left, up.
    private static func axes(_ view: Variable, _ up: Variable) -> (ahead: Vector, left: Vector, up: Vector) {
        func vector(_ variable: Variable) -> Vector? {
            guard variable.values.count >= 3 else { return nil }
            return cartesian(variable.values[0..<3].map(Double.init), isSpherical: variable.type == "spherical")
                .direction
        }
        let ahead = vector(view) ?? Vector(1, 0, 0)
        let left = (vector(up) ?? Vector(0, 0, 1)).cross(ahead).direction ?? Vector(0, 1, 0)
        return (ahead, left, ahead.cross(left))
    }

    private static func cartesian(_ c: [Double], isSpherical: Bool) -> Vector {
        guard isSpherical else { return Vector(c[0], c[1], c[2]) }
        let unit = HeadDirection.vector(azimuth: c[0], elevation: c[1])
        return Vector(-unit.z, -unit.x, unit.y)
    }

    /// Right, up and back of the source; nil where one is none.
    private static func directions(
        _ positions: Variable, count: Int, axes: (ahead: Vector, left: Vector, up: Vector)
    ) -> [Vector]? {
        let isSpherical = positions.type == "spherical"
        guard isSpherical || positions.type == "cartesian" else { return nil }
        // [R, C, I], or [R, C, M], of which the first counts.
        let stride = positions.values.count / (3 * count)
        let found = (0..<count).compactMap { index in
            cartesian(
                (0..<3).map { Double(positions.values[(3 * index + $0) * stride]) }, isSpherical: isSpherical
            ).direction.map { Vector(-$0.dot(axes.left), $0.dot(axes.up), -$0.dot(axes.ahead)) }
        }
        return found.count == count ? found : nil
    }

    private static func energies(
        _ variables: [Variable], _ measurements: Int, receivers: Int, frequencies: Int
    ) -> [OctaveBands] {
        let bins = (0..<OctaveBands.count).map { band -> [Int] in
            func distance(_ bin: Int) -> Double {
                DeterministicMath.log2(Double(variables[0].values[bin]) / OctaveBands.centre(band)).magnitude
            }
            let inside = (0..<frequencies).filter { distance($0) < 0.5 }
            if !inside.isEmpty { return inside }
            return (0..<frequencies).min { distance($0) < distance($1) }.map { [$0] } ?? []
        }
        return (0..<receivers).map { receiver in
            var result = OctaveBands.zeros
            for (band, bins) in bins.enumerated() {
                var sum = 0.0
                for measurement in 0..<measurements {
                    let start = (measurement * receivers + receiver) * frequencies
                    for bin in bins {
                        let (re, im) = (
                            Double(variables[1].values[start + bin]), Double(variables[2].values[start + bin])
                        )
                        sum += re * re + im * im
                    }
                }
                result[band] = Float(sum / Double(max(bins.count * measurements, 1)))
            }
            return result
        }
    }

    /// dB between the four nearest receivers.
    private static func level(_ direction: Vector, _ directions: [Vector], _ levels: [OctaveBands]) -> OctaveBands {
        var nearest: [(distance: Double, index: Int)] = []
        for index in directions.indices {
            let distance = (directions[index] - direction).lengthSquared
            guard nearest.count < 4 || distance < nearest[3].distance else { continue }
            let place = nearest.firstIndex { distance < $0.distance } ?? nearest.count
            nearest.insert((distance, index), at: place)
            if nearest.count > 4 { nearest.removeLast() }
        }
        guard let first = nearest.first, first.distance > 1e-9 else { return levels[nearest.first?.index ?? 0] }
        let total = nearest.reduce(0.0) { $0 + 1 / $1.distance }
        return nearest.reduce(OctaveBands.zeros) { $0 + levels[$1.index] * Float(1 / ($1.distance * total)) }
    }
}
