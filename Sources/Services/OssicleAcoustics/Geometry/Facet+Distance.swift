import OssicleCore

extension Facet {
    /// Square of the distance from a point to the nearest place of the triangle (Ericson, Real-Time Collision Detection, 2005, section 5.1.5).
    @inline(__always)
    func squaredDistance(to point: Vector) -> Double {
        let p = point - corner
        let (d1, d2) = (edge1.dot(p), edge2.dot(p))
        if d1 <= 0, d2 <= 0 { return p.lengthSquared }
        let (a, b, c) = (edge1.lengthSquared, edge1.dot(edge2), edge2.lengthSquared)
        let (d3, d4) = (d1 - a, d2 - b)
        if d3 >= 0, d4 <= d3 { return (p - edge1).lengthSquared }
        let (d5, d6) = (d1 - b, d2 - c)
        if d6 >= 0, d5 <= d6 { return (p - edge2).lengthSquared }
        let alongFirst = d1 * d4 - d3 * d2
        if alongFirst <= 0, d1 >= 0, d3 <= 0 { return (p - edge1 * (d1 / (d1 - d3))).lengthSquared }
        let alongSecond = d5 * d2 - d1 * d6
        if alongSecond <= 0, d2 >= 0, d6 <= 0 { return (p - edge2 * (d2 / (d2 - d6))).lengthSquared }
        let opposite = d3 * d6 - d5 * d4
        let (fromFirst, fromSecond) = (d4 - d3, d5 - d6)
        if opposite <= 0, fromFirst >= 0, fromSecond >= 0 {
            let share = fromFirst / (fromFirst + fromSecond)
            return (p - edge1 - (edge2 - edge1) * share).lengthSquared
        }
        let height = p.dot(edge1.cross(edge2)) / size
        return height * height
    }
}
