import Foundation

/// The exact field of a line source around rigid bodies in two dimensions, as an oracle: the boundary-element solution
/// of
///
///     ½ p(x) − ∫ p(y) ∂G/∂n_y ds = p_free(x),   G = H₀(k|x − y|)/4j
///
/// by collocation with straight elements of constant pressure, three Gaussian points each. At the resonances of the
/// inside the equation has no single solution; points within the bodies, where the field is 0, are asked as well and
/// the least squares taken (CHIEF: Schenck, JASA 44, 41 (1968)).
///
/// A line source here stands for a point source beside bodies that are long across the plane: both have the same field
/// re the free field as long as detours are short against the distances, because each part of the sound spreads over
/// the third dimension as the direct sound does.
struct BoundaryElements {
    typealias Point = SIMD2<Double>

    private let number: Double
    private var starts: [Point] = []
    private var ends: [Point] = []
    private var inner: [Point] = []
    /// Factor of the normal equations, rows by elements.
    private var factor: [Complex] = []
    private var matrix: [Complex] = []
    private var rows: Int { starts.count + inner.count }

    /// - Parameters: bodies: convex polygons, counter-clockwise, metres. - number: radians per metre.
    init(_ bodies: [[Point]], number: Double, perWavelength: Double = 8) {
        self.number = number
        let longest = min(2 * .pi / number / perWavelength, 0.1)
        for body in bodies {
            for (a, b) in zip(body, body.dropFirst() + body.prefix(1)) {
                let length = hypot(b.x - a.x, b.y - a.y)
                // Two to a side, or one where the sides are the facets of a curve.
                let count = max(Int((length / longest).rounded(.up)), body.count > 8 ? 1 : 2)
                for part in 0..<count {
                    starts.append(a + (b - a) * (Double(part) / Double(count)))
                    ends.append(a + (b - a) * (Double(part + 1) / Double(count)))
                }
            }
            let centre = body.reduce(Point(), +) / Double(body.count)
            for (index, corner) in body.enumerated() where index % max(body.count / 4, 1) == 0 {
                for share in [0.13, 0.37, 0.61] {
                    inner.append(centre + (corner - centre) * (share + 0.01 * Double(index % 7)))
                }
            }
        }
        assemble()
        factorize()
    }

    /// ∫ ∂G/∂n over an element, from a point off it.
    private func slope(_ element: Int, from point: Point) -> Complex {
        let (a, b) = (starts[element], ends[element])
        let length = hypot(b.x - a.x, b.y - a.y)
        let normal = Point(b.y - a.y, a.x - b.x) / length
        var sum = Complex(re: 0, im: 0)
        for (place, weight) in [(-0.6.squareRoot(), 5.0 / 18), (0, 8.0 / 18), (0.6.squareRoot(), 5.0 / 18)] {
            let offset = point - (a + b) / 2 - (b - a) * (place / 2)
            let distance = hypot(offset.x, offset.y)
            let (_, _, j1, y1) = Hankel.bessel(number * distance)
            // ∂G/∂n_y = (k/4j) H₁(kr) (x − y)·n/r
            let size = number / 4 * weight * length * (offset * normal).sum() / distance
            sum = sum + Complex(re: -y1, im: -j1) * size
        }
        return sum
    }

    private mutating func assemble() {
        let count = starts.count
        matrix = [Complex](repeating: Complex(re: 0.5, im: 0), count: rows * count)
        for row in 0..<rows {
            let point = row < count ? (starts[row] + ends[row]) / 2 : inner[row - count]
            for column in 0..<count where column != row {
                matrix[row * count + column] = slope(column, from: point) * -1
            }
        }
    }

    /// Cholesky's factor of AᴴA.
    private mutating func factorize() {
        let (count, rows) = (starts.count, rows)
        var l = [Complex](repeating: Complex(re: 0, im: 0), count: count * count)
        matrix.withUnsafeBufferPointer { a in
            for row in 0..<rows {
                for i in 0..<count {
                    let left = Complex(re: a[row * count + i].re, im: -a[row * count + i].im)
                    for j in 0...i { l[i * count + j] = l[i * count + j] + left * a[row * count + j] }
                }
            }
        }
        l.withUnsafeMutableBufferPointer { l in
            for i in 0..<count {
                for j in 0...i {
                    var (re, im) = (l[i * count + j].re, l[i * count + j].im)
                    for k in 0..<j {
                        let (a, b) = (l[i * count + k], l[j * count + k])
                        re -= a.re * b.re + a.im * b.im
                        im -= a.im * b.re - a.re * b.im
                    }
                    let diagonal = i == j ? 1 : l[j * count + j].re
                    l[i * count + j] =
                        i == j ? Complex(re: re.squareRoot(), im: 0) : Complex(re: re, im: im) * (1 / diagonal)
                }
            }
        }
        factor = l
    }

    private func free(_ a: Point, _ b: Point) -> Complex {
        let (j0, y0, _, _) = Hankel.bessel(number * hypot(a.x - b.x, a.y - b.y))
        return Complex(re: -y0 / 4, im: -j0 / 4)
    }

    /// The field at a place re the free field.
    func ratio(_ source: Point, _ place: Point) -> Complex {
        let count = starts.count
        var x = [Complex](repeating: Complex(re: 0, im: 0), count: count)
        for row in 0..<rows {
            let value = free(row < count ? (starts[row] + ends[row]) / 2 : inner[row - count], source)
            for i in 0..<count {
                let a = matrix[row * count + i]
                x[i] = x[i] + Complex(re: a.re, im: -a.im) * value
            }
        }
        for i in 0..<count {
            for k in 0..<i { x[i] = x[i] - factor[i * count + k] * x[k] }
            x[i] = x[i] * (1 / factor[i * count + i].re)
        }
        for i in (0..<count).reversed() {
            for k in (i + 1)..<max(count, i + 1) {
                let l = factor[k * count + i]
                x[i] = x[i] - Complex(re: l.re, im: -l.im) * x[k]
            }
            x[i] = x[i] * (1 / factor[i * count + i].re)
        }
        let scattered = (0..<count).reduce(Complex(re: 0, im: 0)) { $0 + slope($1, from: place) * x[$1] }
        return Complex(re: 1, im: 0) + scattered / free(source, place)
    }
}
