import OssicleCore

extension RoomMetrics {
    /// Shares of the rays that errors are estimated from.
    package static let errorParts = 8

    /// The standard error of every quantity, in its own unit, that the number of rays leaves: the jackknife over shares
    /// of the rays, √((G − 1)/G · Σ (mᵍ − m̄)²) with mᵍ from all rays but those of one share (Efron and Tibshirani, *An
    /// Introduction to the Bootstrap*, 1993).
    ///
    /// It says what other rays would change, not how well the scene and its materials describe a room.
    ///
    /// - Parameters:
    ///   - parts: what each share found, adding up to `late`.
    ///   - speech: as of the metrics.
    ///   - response: what the quantities are read from, with another late part.
    /// - Returns: nil for less than two shares.
    package static func standardErrors(
        late: EnergyResponse, parts: [EnergyResponse], speech: SpeechConditions? = nil, workers: WorkerPool = .shared,
        response: @Sendable (_ late: EnergyResponse) -> SquaredResponse
    ) -> RoomMetrics? {
        guard parts.count > 1 else { return nil }
        let others = workers.map(count: parts.count) {
            RoomMetrics(response(late.without(parts[$0], of: parts.count)), speech: speech)
        }
        func error(_ value: (RoomMetrics) -> Double) -> Double {
            let values = others.map(value), count = Double(others.count)
            let mean = values.reduce(0, +) / count
            let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
            return (squares * (count - 1) / count).squareRoot()
        }
        func bands(_ value: KeyPath<RoomMetrics, OctaveBands> & Sendable) -> OctaveBands {
            OctaveBands((0..<OctaveBands.count).map { band in Float(error { Double($0[keyPath: value][band]) }) })
        }
        var errors = others[0]
        (errors.t20, errors.t30, errors.edt) = (bands(\.t20), bands(\.t30), bands(\.edt))
        (errors.c80, errors.c50, errors.d50) = (bands(\.c80), bands(\.c50), bands(\.d50))
        (errors.centreTime, errors.strength) = (bands(\.centreTime), bands(\.strength))
        (errors.lateralFraction, errors.lateralFractionCosine) = (
            bands(\.lateralFraction), bands(\.lateralFractionCosine)
        )
        errors.lateLateralStrength = bands(\.lateLateralStrength)
        errors.speechTransmission = error(\.speechTransmission)
        return errors
    }
}

extension EnergyResponse {
    /// The estimate of all rays but one of `count` shares.
    fileprivate func without(_ part: EnergyResponse, of count: Int) -> EnergyResponse {
        var rest = self
        let factor = Float(count) / Float(count - 1)
        func without(_ all: [OctaveBands], _ part: [OctaveBands]) -> [OctaveBands] {
            zip(all, part).map { whole, share in
                var lanes = (whole.lanes - share.lanes) * factor
                lanes.replace(with: 0, where: lanes .< 0)
                return OctaveBands(lanes: lanes)
            }
        }
        rest.bins = without(bins, part.bins)
        (rest.sides, rest.products) = (without(sides, part.sides), without(products, part.products))
        return rest
    }
}
