import OssicleCore

/// The making of the filters that decode a sound field for two ears. Control side.
///
/// - Up to order × 600 Hz the channels' filters H fit the ears' responses h of the 26 directions of Lebedev's rule by
///   least squares: Σᵢ wᵢ |Σₙ Yₙ(dᵢ) Hₙ − hᵢ|² is least. Eight of them lie on the horizon. They are enough for order 3;
///   above it the 400 directions are fitted.
/// - Above, where the field no longer resolves the delay between the ears and its phase is not heard, only the
///   magnitudes |hᵢ| of 400 directions are fitted; each takes the phase that the filters of the bin below give its
///   direction (Schörkhuber, Zaunschirm and Höldrich, "Binaural rendering of Ambisonic signals via magnitude least
///   squares", DAGA 2018).
/// - The power of a diffuse field is the head's own at every frequency. From two thirds of that frequency on, and
///   wholly above it, the two ears are mixed so that a diffuse field has the power at each ear, and the coherence
///   between them, that it has with the head itself (Zaunschirm, Schörkhuber and Höldrich, "Binaural rendering of
///   Ambisonic signals by head-related impulse response time alignment and a diffuseness constraint", JASA 143, 2018).
///   Of all such mixes the one that changes the ears least is taken.
struct AmbisonicHRTFDesign {
    /// Frames kept free before the first sound of a filter, for what rings ahead of it; as much as a voice's delay line
    /// is late by.
    static let lead = Int(FractionalDelayLine.minimumDelay)
    /// Half the number of directions.
    private static let spiral = 200
    /// Hz per order.
    private static let clearFrequency = 600.0

    let delay: Int
    let tapCount: Int
    /// Per ear and channel.
    let filters: [[[Float]]]

    /// - Parameter order: 0…7.
    init(_ measured: HRTFFilters, order: Int) {
        if order <= SphericalHarmonics.greatestOrder {
            self.init(measured, order, sparse: SphereGrid.lebedev26(), SIMD16<Double>.self)
        } else {
            self.init(measured, order, sparse: SphereGrid.spiral(Self.spiral), SIMD64<Double>.self)
        }
    }

    /// - Parameter sparse: the directions that are fitted with their phase.
    private init<Lanes: ChannelLanes>(
        _ measured: HRTFFilters, _ order: Int, sparse: [SphereGrid.Point], _: Lanes.Type
    ) {
        let (head, sampleRate) = (measured.table, measured.sampleRate)
        let grids = [SphereGrid.spiral(Self.spiral), sparse]
        // The right ear's directions are the left ear's in a mirror, so that a symmetric head gives the same numbers.
        let near = grids.map { $0.map { DirectionResponse(head, ear: 0, $0.direction) } }
        let mirrored = grids.map {
            $0.map { DirectionResponse(head, ear: 1, Vector(-$0.direction.x, $0.direction.y, $0.direction.z)) }
        }
        let isSymmetric = near == mirrored
        let responses = isSymmetric ? [near] : [near, mirrored]
        let least = Double(head.leastDelay)
        delay = head.leastDelay
        let most = responses.joined().joined().map(\.delay).max() ?? 0
        tapCount = Self.tapCount(head, delays: Int(most - least))
        let transform = RealFourierTransform(count: 2 * tapCount)
        let fits = grids.map { FieldFit<Lanes>($0, order: order) }
        let knee = Int(Double(max(order, 1)) * Self.clearFrequency / sampleRate * Double(transform.count))
        let front = Double(head.frontDelay)
        let ears = responses.map { ear in
            EarField(
                dense: EarResponses(ear[0], transform, front: front, fits[0]),
                sparse: EarResponses(ear[1], transform, front: front, fits[1]), knee: knee)
        }
        let (left, right) = (ears[0], ears[ears.count - 1])
        let mixes = (0..<transform.binCount).map { bin in
            EarMix(
                wanted: left.covariance(right, bin, isSymmetric: isSymmetric),
                present: left.fieldCovariance(right, bin),
                power: left.power(bin) + right.power(bin), isSymmetric: isSymmetric
            ).partly(Double(3 * bin - 2 * knee) / Double(max(knee, 1)))
        }
        let wait = Double(Self.lead) + Double(head.frontDelay) - least
        let count = tapCount
        let own = left.taps(transform, with: right, mixes.map { ($0.left, $0.cross) }, wait, count)
        let other =
            isSymmetric
            ? own : right.taps(transform, with: left, mixes.map { ($0.right, $0.cross.conjugate) }, wait, count)
        filters = [
            own,
            other.enumerated().map { SphericalHarmonics.isOdd($0.offset) ? $0.element.map { -$0 } : $0.element },
        ]
    }
}

extension AmbisonicHRTFDesign {
    /// Taps of the filters for a head whose delays differ by so many frames.
    static func tapCount(_ head: HRTFTable, delays: Int) -> Int {
        (lead + max(delays, 0) + head.tapCount + 2 * lead + 15) / 16 * 16
    }
}

/// What one ear makes of one direction.
private struct DirectionResponse: Equatable {
    let taps: [Float]
    /// Frames, as the head counts them; no head is larger than a few hundred.
    let delay: Double

    init(_ head: HRTFTable, ear: Int, _ direction: Vector) {
        let memory = SampleMemory(count: 2 * head.tapCount)
        let delays = head.interpolate(
            SIMD3<Float>(direction), left: memory.pointer, right: memory.pointer + head.tapCount)
        taps = (0..<head.tapCount).map { memory[ear * head.tapCount + $0] }
        let delay = ear == 0 ? delays.left : delays.right
        self.delay = delay > 0 ? Double(min(delay, 4096)) : 0
    }
}

/// The least-squares fit of a field's channels to values in many directions.
private struct FieldFit<Lanes: ChannelLanes> {
    let order: Int
    /// Per direction Y, in N3D weights, 0 above the order.
    let harmonics: [Lanes]
    /// Per direction its part in the fit: H = Σᵢ analysisᵢ hᵢ.
    let analysis: [Lanes]
    let weights: [Double]

    init(_ points: [SphereGrid.Point], order: Int) {
        self.order = order
        let scales = Lanes.weights(order: order).squareRoot()
        let harmonics = points.map { Lanes.harmonics($0.direction) * scales }
        // (Σ w Y Yᵀ)⁻¹ w Y: the matrix is nearly that of no change, so that its inverse is 2 − it.
        var rows = [Lanes](repeating: .zero, count: SphericalHarmonics.count(order: order))
        for (values, point) in zip(harmonics, points) {
            for row in rows.indices { rows[row].add(values, times: values[row] * point.weight) }
        }
        analysis = zip(harmonics, points).map { values, point in
            var product = Lanes.zero
            for (row, matrix) in rows.enumerated() { product[row] = matrix.dot(values) }
            return (2 * values - product) * point.weight
        }
        self.harmonics = harmonics
        weights = points.map(\.weight)
    }
}

/// One ear's spectra in a set of directions, without the delay of the front.
private struct EarResponses<Lanes: ChannelLanes> {
    let fit: FieldFit<Lanes>
    /// By bin and direction.
    private var values: [SIMD2<Double>]
    /// Per bin by how much the phase moves on from the bin below, without the delays, in the mean of all directions.
    private(set) var turns: [SIMD2<Double>]
    var count: Int { fit.harmonics.count }

    init(
        _ directions: [DirectionResponse], _ transform: borrowing RealFourierTransform, front: Double,
        _ fit: FieldFit<Lanes>
    ) {
        self.fit = fit
        let (bins, count) = (transform.binCount, directions.count)
        (values, turns) = (
            [SIMD2<Double>](repeating: .zero, count: bins * count), [SIMD2<Double>](repeating: .zero, count: bins)
        )
        for (index, direction) in directions.enumerated() {
            let spectrum = Spectrum(transform, direction.taps)
            // e^(−iωτ), bin by bin from the one below.
            let step = SIMD2(turning: -2 * DeterministicMath.pi * (direction.delay - front) / Double(transform.count))
            var (turn, before) = (SIMD2<Double>(1, 0), spectrum.values[0])
            for bin in 0..<bins {
                let value = spectrum.values[bin]
                values[bin * count + index] = value.times(turn)
                turns[bin] += value.times(before.conjugate)
                (turn, before) = (turn.times(step), value)
            }
        }
    }

    subscript(bin: Int, direction: Int) -> SIMD2<Double> { values[bin * count + direction] }

    /// Mean over all directions.
    func power(_ bin: Int) -> Double {
        (0..<count).reduce(0) { $0 + fit.weights[$1] * self[bin, $1].lengthSquared }
    }
}

/// One ear's spectra in all directions, and those of the channels that stand for them.
private struct EarField<Lanes: ChannelLanes> {
    private let dense: EarResponses<Lanes>
    private let sparse: EarResponses<Lanes>
    private var fit: FieldFit<Lanes> { dense.fit }
    /// Per bin, in N3D weights.
    private var real, imaginary: [Lanes]

    init(dense: EarResponses<Lanes>, sparse: EarResponses<Lanes>, knee: Int) {
        self.dense = dense
        self.sparse = sparse
        (real, imaginary) = ([], [])
        for bin in dense.turns.indices {
            if bin <= knee {
                append(sparse) { sparse[bin, $0] }
            } else {
                let (below, onwards) = ((real[bin - 1], imaginary[bin - 1]), dense.turns[bin].direction)
                append(dense) { index in
                    let harmonics = dense.fit.harmonics[index]
                    let phase = SIMD2(harmonics.dot(below.0), harmonics.dot(below.1))
                    return phase.times(onwards).direction * dense[bin, index].lengthSquared.squareRoot()
                }
            }
        }
    }

    /// The channels of the next bin.
    private mutating func append(_ responses: EarResponses<Lanes>, _ value: (Int) -> SIMD2<Double>) {
        var (re, im) = (Lanes.zero, Lanes.zero)
        for index in 0..<responses.count {
            let value = value(index)
            re.add(responses.fit.analysis[index], times: value.x)
            im.add(responses.fit.analysis[index], times: value.y)
        }
        real.append(re)
        imaginary.append(im)
    }

    /// Of a diffuse field at both ears of the head; `other` is the right ear in a mirror.
    func covariance(_ other: EarField, _ bin: Int, isSymmetric: Bool) -> EarCovariance {
        var sum = EarCovariance()
        // Directions stand in pairs of mirror images.
        for index in 0..<dense.count { sum.add(dense[bin, index], other.dense[bin, index ^ 1]) }
        return sum * (1 / Double(dense.count))
    }

    /// Of a diffuse field at the ear of the head, by the directions that are fitted with their phase.
    func power(_ bin: Int) -> Double { sparse.power(bin) }

    /// Of a diffuse field through the channels.
    func fieldCovariance(_ other: EarField, _ bin: Int) -> EarCovariance {
        var sum = EarCovariance()
        for channel in 0..<SphericalHarmonics.count(order: fit.order) {
            let sign: Double = SphericalHarmonics.isOdd(channel) ? -1 : 1
            sum.add(
                SIMD2(real[bin][channel], imaginary[bin][channel]),
                SIMD2(other.real[bin][channel], other.imaginary[bin][channel]) * sign)
        }
        return sum
    }

    /// Every channel's taps: this ear times the first factor and the other times the second, per bin; in SN3D weights,
    /// and this ear's directions.
    /// - Parameter wait: frames before the sound of the front.
    func taps(
        _ transform: borrowing RealFourierTransform, with other: EarField,
        _ mix: [(own: SIMD2<Double>, other: SIMD2<Double>)], _ wait: Double, _ tapCount: Int
    ) -> [[Float]] {
        let scales = Lanes.weights(order: fit.order).squareRoot()
        let turns = mix.indices.map {
            SIMD2(turning: -2 * DeterministicMath.pi * wait * Double($0) / Double(transform.count))
        }
        return (0..<SphericalHarmonics.count(order: fit.order)).map { channel in
            let sign: Double = SphericalHarmonics.isOdd(channel) ? -1 : 1
            let values = mix.indices.map { bin in
                let (own, across) = (
                    SIMD2(real[bin][channel], imaginary[bin][channel]),
                    SIMD2(other.real[bin][channel], other.imaginary[bin][channel]) * sign
                )
                return (own.times(mix[bin].own) + across.times(mix[bin].other)).times(turns[bin]) * scales[channel]
            }
            return Spectrum(values).taps(transform, tapCount)
        }
    }
}

/// Powers of the two ears, and left times the conjugate of right.
private struct EarCovariance {
    var left = 0.0, right = 0.0
    var cross = SIMD2<Double>.zero

    mutating func add(_ l: SIMD2<Double>, _ r: SIMD2<Double>) {
        left += l.lengthSquared
        right += r.lengthSquared
        cross += l.times(r.conjugate)
    }

    static func * (a: Self, scale: Double) -> Self {
        EarCovariance(left: a.left * scale, right: a.right * scale, cross: a.cross * scale)
    }

    static func + (a: Self, b: Self) -> Self {
        EarCovariance(left: a.left + b.left, right: a.right + b.right, cross: a.cross + b.cross)
    }

    var determinant: Double { left * right - cross.lengthSquared }

    /// Of both ears together, mixed by this matrix from ears of another covariance: the trace of M C Mᴴ.
    func power(of c: EarCovariance) -> Double {
        let squares = EarCovariance(
            left: left * left + cross.lengthSquared, right: right * right + cross.lengthSquared,
            cross: cross * (left + right))
        return squares.left * c.left + squares.right * c.right + 2 * (squares.cross * c.cross).sum()
    }

    /// The inverse times the determinant.
    var adjugate: Self { EarCovariance(left: right, right: left, cross: -cross) }
}

/// The mix of two ears that gives them the covariance R where they have R̂: the geometric mean of R and R̂⁻¹, which is
/// Hermitian and, of all mixes that do so, changes the ears least. Of matrices A, B with determinants of 1 it is
/// (A + B)/√det(A + B).
private struct EarMix {
    /// Share of the lower power, re the mean, below which nothing is made louder: what a low order lacks is not there.
    private static let floor = 0.002
    /// 0.3 dB: the gain alone leaves the power as near as that, for the sake of the directions that are fitted.
    private static let slack = 1.035
    /// The power is not brought back by more than this factor.
    private static let greatestRepair = 4.0

    /// [left, cross; cross*, right].
    let left, right, cross: SIMD2<Double>

    /// What brings the power back without a mix.
    private let gain: Double

    private init(left: SIMD2<Double>, right: SIMD2<Double>, cross: SIMD2<Double>, gain: Double) {
        (self.left, self.right, self.cross, self.gain) = (left, right, cross, gain)
    }

    /// As much of the mix as `share` says, held within 0 and 1; the rest is a gain.
    func partly(_ share: Double) -> EarMix {
        let share = min(max(share, 0), 1)
        let none = SIMD2<Double>((1 - share) * gain, 0)
        return EarMix(left: none + left * share, right: none + right * share, cross: cross * share, gain: gain)
    }

    /// - Parameter power: of both ears, that the gain alone is to reach.
    init(wanted: EarCovariance, present: EarCovariance, power: Double, isSymmetric: Bool) {
        var (wanted, present) = (wanted, present)
        guard wanted.left + wanted.right > 0, present.left + present.right > 0 else {
            (left, right, cross, gain) = (SIMD2(1, 0), SIMD2(1, 0), .zero, 1)
            return
        }
        if isSymmetric {
            wanted.cross.y = 0
            present.cross.y = 0
            (wanted.left, present.left) = ((wanted.left + wanted.right) / 2, (present.left + present.right) / 2)
            (wanted.right, present.right) = (wanted.left, present.left)
        }
        let ratio = (power / (present.left + present.right)).squareRoot()
        gain = ratio > 1 ? min(max(ratio / Self.slack, 1), Self.greatestRepair) : min(ratio * Self.slack, 1)
        let added = (present.left + present.right) / 2 * Self.floor
        let more = (wanted.left + wanted.right) / 2 * 1e-9
        let raised = EarCovariance(left: present.left + added, right: present.right + added, cross: present.cross)
        (wanted.left, wanted.right) = (wanted.left + more, wanted.right + more)
        let (alpha, beta) = (wanted.determinant.squareRoot(), raised.determinant.squareRoot())
        let sum = wanted * (1 / alpha) + raised.adjugate * (1 / beta)
        let mean = sum * ((alpha / beta).squareRoot() / sum.determinant.squareRoot())
        // What could not be made louder is missing in the power of both.
        let reached = mean.power(of: present)
        let repair = min(
            ((wanted.left + wanted.right) / max(reached, .leastNonzeroMagnitude)).squareRoot(), Self.greatestRepair)
        (left, right, cross) = (SIMD2(mean.left * repair, 0), SIMD2(mean.right * repair, 0), mean.cross * repair)
    }
}

/// Bins 0 Hz … half the sample rate.
private struct Spectrum {
    let values: [SIMD2<Double>]

    init(_ values: [SIMD2<Double>]) { self.values = values }

    init(_ transform: borrowing RealFourierTransform, _ taps: [Float]) {
        let bins = transform.binCount
        let signal = SampleMemory(count: transform.count)
        let re = SampleMemory(count: bins)
        let im = SampleMemory(count: bins)
        for (index, tap) in taps.enumerated() { signal[index] = tap }
        transform.forward(signal.pointer, real: re.pointer, imaginary: im.pointer)
        values = (0..<bins).map { SIMD2(Double(re[$0]), Double(im[$0])) }
    }

    func taps(_ transform: borrowing RealFourierTransform, _ count: Int) -> [Float] {
        let bins = transform.binCount
        let signal = SampleMemory(count: transform.count)
        let re = SampleMemory(count: bins)
        let im = SampleMemory(count: bins)
        for bin in 0..<bins { (re[bin], im[bin]) = (Float(values[bin].x), Float(values[bin].y)) }
        transform.inverse(real: re.pointer, imaginary: im.pointer, signal: signal.pointer)
        return (0..<count).map { signal[$0] }
    }
}

/// Complex numbers.
extension SIMD2<Double> {
    fileprivate init(turning angle: Double) {
        let turn = DeterministicMath.sincos(angle)
        self.init(turn.cos, turn.sin)
    }

    fileprivate var conjugate: Self { Self(x, -y) }
    fileprivate var lengthSquared: Double { x * x + y * y }
    /// 1 for 0.
    fileprivate var direction: Self {
        let length = lengthSquared.squareRoot()
        return length > 0 ? self / length : Self(1, 0)
    }

    fileprivate func times(_ b: Self) -> Self { Self(x * b.x - y * b.y, x * b.y + y * b.x) }
}
