import OssicleAcoustics
import OssicleCore

/// The late field around one listener: the mean of the last simulations' echograms, each with other rays.
///
/// While nothing moves every simulation counts alike, and the mean has ever less noise. While something moves the last
/// ones count most, so that it follows within some tenths of a second.
struct EchogramAverage {
    private(set) var room = LateField.none
    /// By number of the source.
    private(set) var sources: [UInt64: LateField] = [:]
    private(set) var candidates: [UInt64: ReflectionCandidates] = [:]
    /// Simulations so far.
    private(set) var rounds = 0
    private var task: LateFields.Task?
    private var position: Int64 = 0
    private var survey = RaySurvey(meanFreePath: nil, escapedShare: 1)
    private var roomMean = Mean()
    private var means: [UInt64: Mean] = [:]

    private struct Mean {
        var response = EnergyResponse(binWidth: 1, binCount: 0)
        /// Simulations it stands for.
        var count = 0

        /// - Parameter most: older ones fade.
        mutating func learn(_ new: EnergyResponse, most: Int) {
            count = min(count, most - 1) + 1
            response.approach(new, weight: 1 / Float(count))
        }
    }

    /// Simulations in the mean where something has moved, where the scene has changed, and those after which more are
    /// inaudible.
    private static let (moving, changed, enough) = (4, 2, 16)
    /// Metres: a shorter move leaves the field as it is.
    private static let step = 0.05

    func isGoodEnough(
        for receiver: LateFields.Receiver, _ quality: AcousticQuality, _ sceneVersion: UInt32, at now: Int64,
        _ interval: Int64
    ) -> Bool {
        guard let task else { return false }
        // Until a source's own part is known it has that of one beside the listener. A burst of new sources waits for
        // one simulation.
        let isComplete = receiver.sources.keys.allSatisfy { sources[$0] != nil }
        if now - position < (isComplete ? interval : interval / 4) { return true }
        guard isComplete else { return false }
        return task.solver.quality == quality && task.sceneVersion == sceneVersion && !hasMoved(receiver)
            && means.values.allSatisfy { $0.count >= Self.enough }
            && roomMean.count >= Self.enough
    }

    private func hasMoved(_ receiver: LateFields.Receiver) -> Bool {
        func isElsewhere(_ a: Vector, _ b: Vector) -> Bool { !((a - b).magnitude < Self.step) }
        guard let task else { return true }
        return isElsewhere(task.receiver.head, receiver.head)
            || receiver.sources.contains { number, position in
                task.receiver.sources[number].map { isElsewhere($0, position) } ?? true
            }
    }

    /// - Parameter numbers: of the sources, in the order of the responses.
    mutating func learn(_ findings: LateFindings, _ numbers: [UInt64], _ task: LateFields.Task, at position: Int64) {
        let responses = findings.responses
        candidates = Dictionary(uniqueKeysWithValues: zip(numbers, findings.candidates))
        let most =
            self.task?.sceneVersion != task.sceneVersion
            ? Self.changed : hasMoved(task.receiver) ? Self.moving : Self.enough
        let isOther = self.task?.solver.quality != task.solver.quality
        if isOther { (roomMean, means) = (Mean(), [:]) }
        (self.task, self.position, rounds) = (task, position, rounds + 1)
        roomMean.learn(responses.room, most: most)
        survey.approach(responses.survey, weight: 1 / Double(roomMean.count))
        let speed = task.solver.tracer.scene.medium.speedOfSound
        room = LateField(roomMean.response, survey: survey, speedOfSound: speed)
        means = means.filter { numbers.contains($0.key) }
        sources = [:]
        for (number, response) in zip(numbers, responses.sources) {
            means[number, default: Mean()].learn(response, most: most)
            sources[number] = means[number].map { LateField($0.response, survey: survey, speedOfSound: speed) }
        }
    }
}
