import OssicleCore

/// The points at which one source is tested from one place.
struct SourceProbe {
    let centre: Vector
    let points: [Vector]
    /// The part of each point in the sum.
    let weights: [Double]
    let isBody: Bool
    /// How to tell that a point is buried.
    let burial: Burial

    enum Burial {
        /// Nothing is near.
        case none
        /// It is not in sight from here.
        case hidden(from: Vector)
        /// The ray to it ends inside something.
        case inside
    }

    init(_ source: SourceGeometry, seenFrom listener: Vector, in scene: AcousticScene) {
        switch source {
        case .point(let position, let radius): self.init(ballAt: position, radius, listener, scene)
        case .shape(let shape, let pose) where shape.points.isEmpty: self.init(ballAt: pose.position, 0, listener, scene)
        case .shape(let shape, let pose): self.init(shape, pose, listener)
        }
    }

    /// Seen from outside a ball is a disc: the points are set on it as thickly as the ball lies behind it, and turn with the line of
    /// sight, so that a scene and its mirror image give the same.
    private init(ballAt position: Vector, _ radius: Double, _ listener: Vector, _ scene: AcousticScene) {
        centre = position
        isBody = false
        let sight = (listener - position).direction ?? Vector(0, 0, 1)
        let usable = radius.isFinite && radius > 1e-3
        guard usable else {
            (points, weights, burial) = ([position], [1], .none)
            return
        }
        let upright = sight.y.magnitude < 0.999 ? Vector(0, 1, 0) : Vector(0, 0, 1)
        let right = (upright.cross(sight).direction ?? Vector(1, 0, 0)) * radius
        let up = sight.cross(right)
        var points: [Vector] = []
        points.reserveCapacity(2 * BallSamples.right.count)
        for (x, y) in BallSamples.right {
            points.append(position + right * x + up * y)
            points.append(position - right * x + up * y)
        }
        self.points = points
        weights = Array(repeating: 1, count: points.count)
        // From a little towards the listener: what lies on a floor is above it.
        burial = scene.isOccupied(ballAt: position, radius: radius) ? .hidden(from: position + sight * (0.01 * radius)) : .none
    }

    private init(_ shape: SourceShape, _ pose: Pose, _ listener: Vector) {
        centre = pose.toWorld(shape.centroid)
        isBody = true
        burial = .inside
        points = shape.points.map { pose.toWorld($0) }
        // A place stands for a patch, and a patch is never as loud as all of it in one point.
        let nearest = max(shape.patchRadiusSquared * pose.scale * pose.scale / 8, 0.05 * 0.05)
        // Seen from the body, the one listener is moved and not hundreds of places.
        let (ear, scale) = (pose.toLocalUnscaled(listener), pose.scale)
        weights = shape.places.withUnsafeBufferPointer { places in
            stride(from: 0, to: places.count, by: SourceShape.placesPerPoint).map { first in
                var sum = 0.0
                for place in first..<(first + SourceShape.placesPerPoint) { sum += 1 / max((places[place] * scale - ear).lengthSquared, nearest) }
                return sum / Double(SourceShape.placesPerPoint)
            }
        }
    }
}
