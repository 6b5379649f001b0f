import OssicleCore

/// Sums over the rays of one path, in the order of the rays.
struct PathTally {
    let isBody: Bool
    private(set) var rays = 0
    private(set) var weight = 0.0
    /// Energy per band, weighted.
    private(set) var energy = OctaveBands.zeros
    private(set) var visibleWeight = 0.0
    /// Weighted by energy: where it comes from.
    private(set) var loudness = 0.0
    private(set) var loudPlace = Vector.zero
    /// Summed for bodies only.
    private(set) var loudDirection = Vector.zero
    private(set) var place = Vector.zero
    private var obstacles: [(occluder: Int32, rays: Int, energy: OctaveBands)] = []

    init(isBody: Bool) { self.isBody = isBody }

    /// - Parameter isVisible: whether nothing is in the way; `energy` is 1 then.
    mutating func add(_ energy: OctaveBands, weight: Double, from point: Vector, to listener: Vector, isVisible: Bool) {
        rays += 1
        self.weight += weight
        self.energy = self.energy + energy * Float(weight)
        if isVisible { visibleWeight += weight }
        let loud = (isVisible ? Double(OctaveBands.count) : PathTally.sum(energy)) * weight
        loudness += loud
        loudPlace += point * loud
        place += point
        if isBody, let direction = (point - listener).direction { loudDirection += direction * loud }
    }

    private static func sum(_ energy: OctaveBands) -> Double {
        var sum = 0.0
        for band in 0..<OctaveBands.count { sum += Double(energy[band]) }
        return sum
    }

    mutating func add(_ passed: OctaveBands, through occluder: Int32) {
        if let known = obstacles.firstIndex(where: { $0.occluder == occluder }) {
            obstacles[known].rays += 1
            obstacles[known].energy = obstacles[known].energy + passed
        } else {
            obstacles.append((occluder, 1, passed))
        }
    }

    func obstacles(of scene: AcousticScene) -> [DirectPath.Obstacle] {
        obstacles.sorted { $0.occluder < $1.occluder }.map { obstacle in
            let occluder = scene.occluders[Int(obstacle.occluder)]
            let mean = obstacle.energy * (1 / Float(obstacle.rays))
            return DirectPath.Obstacle(id: occluder.id, name: occluder.name,
                                       loss: mean.map { Float(min(max(-Decibels.of(energy: Double($0)), 0), 200)) },
                                       share: Double(obstacle.rays) / Double(rays))
        }
    }
}
