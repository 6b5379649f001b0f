import OssicleCore

extension ReflectorSet {
    /// The largest mirrors that are asked for ways to be bent, and the number up to which they are combined in pairs.
    private static let mostMirrors = 256
    private static let mostPaired = 12

    /// The ways over single mirrors, and over pairs where the mirrors are few, that meet their mirrors whatever stands in between; shortest first.
    func ways(of source: Vector, to place: Vector, order: Int) -> [ReflectedWay] {
        let start = MirroredSource(source)
        var ways: [ReflectedWay] = []
        reflectors.withUnsafeBufferPointer { planes in
            let mirrors = Int32(min(planes.count, ReflectorSet.mostMirrors))
            let seconds = order > 1 && planes.count <= ReflectorSet.mostPaired ? mirrors : 0
            for first in 0..<mirrors {
                guard let image = start.mirrored(in: first, of: planes) else { continue }
                if let way = ReflectedWay(image, to: place, in: self) { ways.append(way) }
                for second in 0..<seconds {
                    if let way = image.mirrored(in: second, of: planes).flatMap({ ReflectedWay($0, to: place, in: self) }) { ways.append(way) }
                }
            }
        }
        return ways.withoutDoubles()
    }
}
