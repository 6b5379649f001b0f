import OssicleCore

/// A source mirrored in up to three planes, one after the other, with the images on the way.
package struct MirroredSource: BitwiseCopyable, Sendable {
    package static let highestOrder = 3

    /// Number of mirrors.
    package private(set) var order = 0
    /// Indices in the set's reflectors, the source's side first; and the side of each that the sound comes from.
    private(set) var reflectors = SIMD4<Int32>(repeating: -1)
    private var sides = SIMD4<Int32>.zero
    private var x = SIMD4<Double>.zero
    private var y = SIMD4<Double>.zero
    private var z = SIMD4<Double>.zero

    init(_ source: Vector) { (x[0], y[0], z[0]) = (source.x, source.y, source.z) }

    /// The source after the first `count` mirrors.
    @inline(__always) func image(_ count: Int) -> Vector { Vector(x[count], y[count], z[count]) }

    package var source: Vector { image(0) }
    /// Where the sound seems to come from.
    package var position: Vector { image(order) }

    @inline(__always) func isInFront(_ mirror: Int) -> Bool { sides[mirror] != 0 }

    /// Mirrored once more; nil where the plane does not face the image, or cannot be reached from the mirror before.
    @inline(__always)
    func mirrored(in index: Int32, of planes: UnsafeBufferPointer<Reflector>) -> MirroredSource? {
        guard order < MirroredSource.highestOrder else { return nil }
        let plane = planes[Int(index)]
        let height = plane.height(position)
        guard height.magnitude > Reflector.closest, plane.reflects(inFront: height > 0) else { return nil }
        if order > 0 {
            guard index != reflectors[order - 1] else { return nil }
            let last = planes[Int(reflectors[order - 1])]
            guard plane.reaches(inFront: isInFront(order - 1), of: last), last.reaches(inFront: height > 0, of: plane) else { return nil }
        }
        var result = self
        let image = position - plane.normal * (2 * height)
        result.reflectors[order] = index
        result.sides[order] = height > 0 ? 1 : 0
        result.order += 1
        (result.x[result.order], result.y[result.order], result.z[result.order]) = (image.x, image.y, image.z)
        return result
    }
}
