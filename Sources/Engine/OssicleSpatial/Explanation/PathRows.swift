import OssicleAcoustics
import OssicleCore

/// Paths as they are drawn, in rows of numbers: many times a second there are thousands.
package struct PathRows {
    /// The numbers are those of the live view.
    enum Kind: Float { case direct, reflection, diffraction, both }

    /// Each path: kind, source, listener, dB at 1 kHz re the source at 1 m, count of points, and those from the source
    /// to the listener, both ends among them, x, y, z in metres.
    package fileprivate(set) var numbers: [Float] = []
    /// How many there are in `numbers`, and how many are quieter and left out.
    package fileprivate(set) var count = 0
    package fileprivate(set) var omitted = 0
}

/// One path that is received, as it is gone through.
private struct PassedPath {
    let kind: PathRows.Kind
    let source, listener: UInt64
    let gain: Float
    let length: Double
    let from, to: Vector
    let corners: [Vector]

    var level: Float { Float(Decibels.of(amplitude: max(Double(gain) / max(length, 0.1), 1e-10))) }

    /// - Returns: the place behind what was written: 5 numbers, and 3 for each point.
    func write(to row: UnsafeMutablePointer<Float>) -> UnsafeMutablePointer<Float> {
        row[0] = kind.rawValue
        row[1] = Float(source)
        row[2] = Float(listener)
        row[3] = level
        row[4] = Float(corners.count + 2)
        var place = row + 5
        func write(_ point: Vector) {
            place[0] = Float(point.x)
            place[1] = Float(point.y)
            place[2] = Float(point.z)
            place += 3
        }
        write(from)
        for corner in corners { write(corner) }
        write(to)
        return place
    }
}

extension SpatialEngine {
    /// The loudest paths that are received, as of the last update, at most `limit`. Under the engine's lock; changes
    /// nothing.
    package func pathRows(limit: Int) -> PathRows {
        var (count, size) = (0, 0)
        paths.forEachReceived { _, received in
            (count, size) = (count + 1, size + 11)
            for list in [received.pointee.acoustics.diffractions, received.pointee.acoustics.reflections] {
                count += list.count
                for path in list { size += 11 + 3 * path.corners.count }
            }
        }
        let isKept = count > limit ? loudest(limit, of: count) : nil
        var rows = PathRows(), kept = 0
        rows.numbers = Array(unsafeUninitializedCapacity: size) { numbers, used in
            guard let start = numbers.baseAddress else { return }
            var (row, place) = (start, 0)
            forEachPath { path in
                if isKept?[place] ?? true {
                    row = path.write(to: row)
                    kept += 1
                }
                place += 1
            }
            used = row - start
        }
        (rows.count, rows.omitted) = (kept, count - kept)
        return rows
    }

    /// Which of the paths are the loudest ones, in their order.
    private func loudest(_ limit: Int, of count: Int) -> [Bool] {
        var levels: [Float] = []
        levels.reserveCapacity(count)
        forEachPath { levels.append($0.level) }
        var isKept = [Bool](repeating: false, count: count)
        let loudest = levels.indices.sorted { (levels[$1], $0) < (levels[$0], $1) }
        for place in loudest.prefix(limit) { isKept[place] = true }
        return isKept
    }

    /// In order of source and listener.
    private func forEachPath(_ body: (PassedPath) -> Void) {
        paths.forEachReceived { key, received in
            let (from, to) = (received.pointee.body.position, received.pointee.head.position)
            func pass(_ kind: PathRows.Kind, _ gain: Float, _ length: Double, _ corners: [Vector]) {
                body(
                    PassedPath(
                        kind: kind, source: key.source, listener: key.listener, gain: gain, length: length,
                        from: from, to: to, corners: corners))
            }
            func passAll(_ list: [SoundPath]) {
                for path in list {
                    let kind: PathRows.Kind =
                        switch path.kind {
                        case .reflection: .reflection
                        case .diffraction: .diffraction
                        case .diffractedReflection: .both
                        }
                    pass(kind, path.bandGains[5], path.length, path.corners)
                }
            }
            pass(
                .direct, received.pointee.acoustics.direct.bandGains[5],
                received.pointee.acoustics.direct.centreDistance, [])
            passAll(received.pointee.acoustics.diffractions)
            passAll(received.pointee.acoustics.reflections)
        }
    }
}
