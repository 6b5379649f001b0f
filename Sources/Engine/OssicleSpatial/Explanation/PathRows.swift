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

    func append(to rows: inout PathRows) {
        rows.count += 1
        rows.numbers.append(kind.rawValue)
        rows.numbers.append(Float(source))
        rows.numbers.append(Float(listener))
        rows.numbers.append(level)
        rows.numbers.append(Float(corners.count + 2))
        rows.append(from)
        for corner in corners { rows.append(corner) }
        rows.append(to)
    }
}

extension PathRows {
    fileprivate mutating func append(_ point: Vector) {
        numbers.append(Float(point.x))
        numbers.append(Float(point.y))
        numbers.append(Float(point.z))
    }
}

extension SpatialEngine {
    /// The loudest paths that are received, as of the last update, at most `limit`. Under the engine's lock; changes
    /// nothing.
    package func pathRows(limit: Int) -> PathRows {
        var count = 0
        paths.forEachReceived { _, received in
            count +=
                1 + received.pointee.acoustics.diffractions.count + received.pointee.acoustics.reflections.count
        }
        var rows = PathRows()
        rows.numbers.reserveCapacity(min(count, limit) * 14)
        guard count > limit else {
            forEachPath { $0.append(to: &rows) }
            return rows
        }
        var levels: [Float] = []
        levels.reserveCapacity(count)
        forEachPath { levels.append($0.level) }
        var isKept = [Bool](repeating: false, count: count)
        let loudest = levels.indices.sorted { (levels[$1], $0) < (levels[$0], $1) }
        for place in loudest.prefix(limit) { isKept[place] = true }
        var place = 0
        forEachPath { path in
            if isKept[place] { path.append(to: &rows) }
            place += 1
        }
        rows.omitted = count - rows.count
        return rows
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
