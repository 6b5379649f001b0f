import ArgumentParser
import OssicleAcoustics
import OssicleCore
import OssicleResponses

/// A grid on the command line: cells along x and z, and a height.
struct GridSize: ExpressibleByArgument, Equatable {
    let columns, rows: Int
    let height: Double

    init(columns: Int, rows: Int, height: Double) { (self.columns, self.rows, self.height) = (columns, rows, height) }

    init?(argument: String) {
        let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), let columns = Int(parts[0]), let rows = Int(parts[1]),
            (1...500).contains(columns), (1...500).contains(rows)
        else { return nil }
        let height = parts.count == 3 ? Double(parts[2]) : 1.2
        guard let height, (0.01...1000).contains(height) else { return nil }
        self.init(columns: columns, rows: rows, height: height)
    }

    var defaultValueDescription: String { "\(columns),\(rows),\(height)" }
}

/// Listeners over a scene's floor plan: one in the middle of each cell that has the source's air.
struct ReceiverGrid {
    struct Cell {
        let column, row: Int
        let listener: Pose
    }

    let size: GridSize
    /// Of the floor plan.
    let low, high: Vector
    /// Row after row, from low z; cells without air are left out.
    let cells: [Cell]

    /// - Parameter yaw: of every listener; nil for looking at the source.
    init(
        _ size: GridSize, over room: RirScene, tracer: SceneTracer, source: Vector, yaw: Double?, isLenient: Bool
    ) throws {
        let outline = SceneOutline(room.occluders, including: room.occluders.isEmpty ? [source] : [])
        (self.size, low, high) = (size, outline.low, outline.high)
        let check = PositionCheck(occluders: room.occluders, tracer: tracer)
        let cell = (high - low) / Vector(Double(size.columns), 1, Double(size.rows))
        let places = (0..<size.rows).flatMap { row in
            (0..<size.columns).map { column in
                let offset = Vector((Double(column) + 0.5) * cell.x, size.height, (Double(row) + 0.5) * cell.z)
                let place = outline.low + offset
                let ahead = Vector(source.x, place.y, source.z)
                let isAbove = (ahead - place).magnitude < 0.01
                let pose =
                    yaw.map { Pose(listenerAt: place, yaw: $0) }
                    ?? Pose(listenerAt: place, facing: isAbove ? nil : ahead)
                return Cell(column: column, row: row, listener: pose)
            }
        }
        if check.hasRoom, !isLenient, let first = places.first {
            let found = check.misplacements([RirPair(source: source, listener: first.listener)])
            if let refusal = found.first(where: { $0.hasPrefix("The source") }) {
                throw ToolError(Text.oneLine(refusal))
            }
        }
        cells = places.filter { cell in
            let distance = (cell.listener.position - source).magnitude
            guard distance >= 0.01 else { return false }
            return isLenient
                || check.misplacements([RirPair(source: source, listener: cell.listener)]).allSatisfy {
                    check.hasRoom && $0.hasPrefix("The source")
                }
        }
        guard !cells.isEmpty else {
            throw ToolError(
                "No cell of the grid has the source's air \(Text.length(size.height)) m above the lowest point: give --grid another height or more cells."
            )
        }
    }
}
