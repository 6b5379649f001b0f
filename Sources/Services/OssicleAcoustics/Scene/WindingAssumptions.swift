import OssicleCore

extension Occluder {
    /// What has to be assumed because a closed surface's winding does not say it: one sentence, nil where nothing has.
    ///
    /// Normals that look out of a closed surface are those of a solid. Where a listener is within it, it is a room, and
    /// its inner side reflects. Triangles that are wound against each other say nothing; then the surface is a solid to
    /// those outside and a room to those within.
    package func windingAssumption(for listeners: [Vector]) -> String? {
        let pieces = geometry.pieces
        if pieces.contains(where: { $0.isClosed && $0.outward > 0 }),
            listeners.contains(where: { isInsideOut(around: $0) })
        {
            return "The closed surface “\(name)” has normals that look outwards and a listener within: it is taken "
                + "for a room."
        }
        if pieces.contains(where: { $0.isClosed && $0.outward == 0 }) {
            return "The triangles of the closed surface “\(name)” are wound against each other: it is taken for a "
                + "solid from outside and for a room from within."
        }
        return nil
    }

    /// Whether a point is within pieces whose normals look out, and not in a cavity of theirs.
    private func isInsideOut(around point: Vector) -> Bool {
        guard bounds.holds(point) else { return false }
        let around = geometry.piecesAround(pose.toLocal(point))
        return around.count % 2 == 1 && around.allSatisfy { geometry.pieces[Int($0)].outward > 0 }
    }
}
