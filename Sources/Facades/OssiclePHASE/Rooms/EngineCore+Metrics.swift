import OssicleAcoustics
import OssicleCore

/// The room in numbers.
extension EngineCore {
    func take(_ wanted: PHASEAcousticsQuality) {
        for correction in wanted.corrections { record(PHASEError(.invalidObject, "acousticsQuality: \(correction) Pass a value in range.")) }
        quality = wanted.quality
        budget = SimulationBudget(asked: quality, interval: Self.simulationInterval, limit: budget.limit)
        valuesChanged()
    }

    func roomMetrics(from source: PHASESource, to listener: PHASEListener) throws -> PHASERoomMetrics {
        let (solver, geometry, ear) = try locked {
            for object in [source, listener] as [PHASEObject] where object.core !== self || !object.isInScene {
                throw PHASEError(.invalidObject, "roomMetrics: \(object.reportName) is not in this engine's scene; add it below rootObject first.")
            }
            let occluders: [PHASEOccluder] = objectsInScene()
            let scene = AcousticScene(occluders: occluders.flatMap(\.acousticOccluders), medium: medium?.medium ?? air)
            var shapes: [UInt64: SourceShape] = [:]
            return (SceneSolver(scene: scene, quality: .high, seed: seed), source.acousticGeometry(source.worldPose, cache: &shapes), listener.headPose.position)
        }
        let (response, escapedShare) = solver.response(of: geometry, at: ear)
        let metrics = RoomMetrics(response)
        return PHASERoomMetrics(t20: metrics.t20, t30: metrics.t30, edt: metrics.edt, c50: metrics.c50, c80: metrics.c80, d50: metrics.d50,
                                centreTime: metrics.centreTime, strength: metrics.strength, sti: metrics.speechTransmission, escapedShare: escapedShare)
    }
}
