import OssicleCore

extension GeometrySolver {
    /// The squared impulse response from a source to a listener, what room-acoustic quantities are read from, and the share of the rays that left for
    /// good.
    package func response(of source: SourceGeometry, at listener: Vector,
                          workers: WorkerPool = .shared) -> (response: SquaredResponse, escapedShare: Double) {
        let acoustics = paths(DirectPathQuery(source: source, listener: listener),
                              trying: wantsCandidates ? candidates(of: source.centre, at: listener) : nil)
        let late = lateResponses(of: [source.centre], at: listener, workers: workers)
        let response = SquaredResponse(direct: acoustics.direct, paths: acoustics.diffractions + acoustics.reflections,
                                       late: late.sources.first ?? EnergyResponse(binWidth: RaySettings.defaultBinWidth, binCount: 0),
                                       medium: tracer.scene.medium, continues: late.survey.escapedShare <= 0.6)
        return (response, late.survey.escapedShare)
    }
}
