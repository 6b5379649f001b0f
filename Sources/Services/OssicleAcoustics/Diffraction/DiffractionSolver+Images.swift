import OssicleCore

extension DiffractionSolver {
    /// Edges tested for one image.
    private static var imageTests: Int { 3 }

    /// The ways by one edge from a place whose sound does not come straight, as that of an image comes by its mirrors, to a listener who is not
    /// reached without bending. Gains, lengths and corners as in `paths`; unsorted.
    ///
    /// The wedge sees the sound come from the image, whatever turned it before, so its angles and distances are those to the image.
    /// - Parameter arrives: whether the sound gets to a place beside an edge.
    package func paths(fromImage image: Vector, to listener: Vector, arriving arrives: (Vector) -> Bool) -> [SoundPath] {
        let distance = (listener - image).magnitude
        guard distance.isFinite, distance > 1e-3 else { return [] }
        return withoutActuallyEscaping(arrives) { arrives in
            let found = edges.nearest(from: image, to: listener, .parts, count: Self.imageTests)
            var paths = singles(found, image, listener, arriving: arrives)
            guard !paths.isEmpty else { return [] }
            let beside = fringes(from: image, to: listener, isFree: false, arriving: arrives).passing(waves)
            for index in paths.indices { paths[index].bandGains = paths[index].bandGains * beside }
            paths.removeAll { path in !path.bandGains.values.contains { Double($0) * distance > Self.leastGain * path.length } }
            return paths
        }
    }
}
