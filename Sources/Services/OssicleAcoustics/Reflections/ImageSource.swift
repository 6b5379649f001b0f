import OssicleCore

/// A source reflected in up to three planes, one after the other, with the images along the path.
package struct ImageSource: BitwiseCopyable, Sendable, ImageRow {
    package static let highestOrder = 3

    /// Number of reflectors.
    package private(set) var order = 0
    /// Indices in the set's reflectors, the source's side first; and the side of each that the sound comes from.
    private(set) var reflectors = SIMD4<Int32>(repeating: -1)
    private var sides = SIMD4<Int32>.zero
    private var x = SIMD4<Double>.zero
    private var y = SIMD4<Double>.zero
    private var z = SIMD4<Double>.zero

    init(_ source: Vector) { (x[0], y[0], z[0]) = (source.x, source.y, source.z) }

    /// The source after the first `count` reflectors.
    @inline(__always) func image(_ count: Int) -> Vector { Vector(x[count], y[count], z[count]) }

    package var source: Vector { image(0) }
    /// Where the sound seems to come from.
    package var position: Vector { image(order) }

    /// The reflectors, the source's side first.
    var row: [Int32] { (0..<order).map { reflectors[$0] } }

    @inline(__always) func reflector(_ number: Int) -> Int32 { reflectors[number] }

    @inline(__always) func isInFront(_ reflector: Int) -> Bool { sides[reflector] != 0 }

    /// Reflected once more; nil where the plane does not face the image, or cannot be reached from the reflector
    /// before.
    @inline(__always)
    func reflected(in index: Int32, of planes: UnsafeBufferPointer<Reflector>) -> ImageSource? {
        guard order < ImageSource.highestOrder else { return nil }
        let plane = planes[Int(index)]
        let height = plane.height(position)
        guard height.magnitude > Reflector.closest, plane.reflects(inFront: height > 0, for: source) else { return nil }
        if order > 0 {
            guard index != reflectors[order - 1] else { return nil }
            let last = planes[Int(reflectors[order - 1])]
            guard plane.reaches(inFront: isInFront(order - 1), of: last), last.reaches(inFront: height > 0, of: plane)
            else { return nil }
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

/// Finds which boxes hang together by touching.
enum TouchingBoxes {
    /// A box asks no more than this many neighbours: where more meet in one place, a few join them all.
    private static let mostNeighbours = 64

    /// A number for each box, the same for those that hang together.
    /// - Parameter gap: how far apart boxes may be and still touch, metres.
    static func groups(_ boxes: [Bounds], gap: Double) -> [Int32] {
        guard boxes.count > 1 else { return boxes.isEmpty ? [] : [0] }
        let tree = BoxTree(boxes)
        var sets = DisjointSets(count: boxes.count)
        for (index, box) in boxes.enumerated() {
            let near = box.widened(by: gap)
            var asked = 0
            _ = tree.view.search({ near.meets($0, $1) }) { place in
                let other = Int(tree.order[place])
                guard other != index, near.meets(boxes[other].lower, boxes[other].upper) else { return false }
                sets.join(index, other)
                asked += 1
                return asked >= mostNeighbours
            }
        }
        return boxes.indices.map { Int32(clamping: sets.root($0)) }
    }
}
