import OssicleAcoustics
import OssicleCore

/// The late field around one listener: the mean of the last simulations' echograms, each with other rays.
///
/// While nothing moves every simulation counts alike, and the mean has ever less noise. While something moves each
/// simulation has as many rays as `LateScatter` finds the mean of eight to need, and the last eight count most, so that
/// the field follows within 0.8 s. What creeps is simulated anew step by step and not more often: the field follows
/// within eight steps of 5 cm. It starts anew where the listener has jumped, and follows within 0.2 s where the scene has
/// changed.
struct EchogramAverage {
    private(set) var room = LateField.none
    private(set) var candidates: [UInt64: ReflectionCandidates] = [:]
    /// Simulations so far.
    private(set) var rounds = 0
    /// The last simulation.
    private(set) var task: LateFields.Task?
    private var position: Int64 = 0
    private var survey = RaySurvey(meanFreePath: nil, escapedShare: 1)
    private var roomMean = Mean()
    /// By number of the source.
    private var means: [UInt64: Mean] = [:]
    private var scatter = LateScatter()
    /// Where everything was at the last update.
    private var seen: LateFields.Receiver?

    private struct Mean {
        var response = EnergyResponse(binWidth: 1, binCount: 0)
        /// Of a source: what it leaves in the room.
        var field = LateField.none
        /// What it stands for.
        var rays = 0

        /// - Parameter most: older ones fade.
        mutating func learn(_ new: EnergyResponse, rays share: Int, most: Int) {
            rays = min(rays, most - share) + share
            response.approach(new, weight: Float(share) / Float(rays))
        }
    }

    /// Simulations in the mean where something has moved, where the scene has changed, and after which more are
    /// inaudible.
    private static let (moving, changed, enough) = (8, 2, 16)
    /// Metres: a shorter move leaves the field as it is, a longer one is a jump to another place.
    private static let (step, jump) = (0.05, 5.0)

    /// What a source leaves where the listener is; until it is known, what one beside the listener would.
    func field(of source: UInt64) -> LateField { means[source]?.field ?? room }

    /// How many rays the next simulation needs: all where the mean has to start anew or nothing moves.
    func rays(for receiver: LateFields.Receiver, _ quality: AcousticQuality, _ sceneVersion: UInt32) -> Int {
        guard let task, task.quality == quality, task.sceneVersion == sceneVersion,
            (task.receiver.head - receiver.head).magnitude < Self.jump, hasMoved(receiver)
        else { return quality.rays }
        return scatter.rays(quality, meanOf: Self.moving)
    }

    func isGoodEnough(
        for receiver: LateFields.Receiver, _ quality: AcousticQuality, _ sceneVersion: UInt32, at now: Int64,
        _ interval: Int64
    ) -> Bool {
        guard let task else { return false }
        // Until a source's own part is known it has that of one beside the listener. A burst of new sources waits for
        // one simulation.
        let isComplete = receiver.sources.keys.allSatisfy { means[$0] != nil }
        if now - position < (isComplete ? interval : interval / 4) { return true }
        guard isComplete else { return false }
        guard task.quality == quality, task.sceneVersion == sceneVersion, !hasMoved(receiver) else { return false }
        // What creeps has its next simulation after a step, with few rays. All of them here would be for a mean that
        // the step outdates. What only trembles is not waited for.
        if now - position < Int64(Self.moving) * interval, receiver != seen { return true }
        let rays = Self.enough * quality.rays
        return means.values.allSatisfy { $0.rays >= rays } && roomMean.rays >= rays
    }

    /// Takes note of where everything is at an update.
    mutating func see(_ receiver: LateFields.Receiver) { seen = receiver }

    private func hasMoved(_ receiver: LateFields.Receiver) -> Bool {
        guard let task else { return true }
        return isElsewhere(task.receiver.head, receiver.head, Self.step)
            || receiver.sources.keys.contains { number in
                let (before, now) = (task.receiver.places(of: number), receiver.places(of: number))
                return before.count != now.count || zip(before, now).contains { isElsewhere($0, $1, Self.step) }
            }
    }

    private func isElsewhere(_ a: Vector, _ b: Vector, _ distance: Double) -> Bool {
        !((a - b).magnitude < distance)
    }

    /// - Parameter numbers: of the sources, in the order of the responses.
    mutating func learn(_ findings: LateFindings, _ numbers: [UInt64], _ task: LateFields.Task, at position: Int64) {
        let responses = findings.responses
        candidates = Dictionary(uniqueKeysWithValues: zip(numbers, findings.candidates))
        dropOutdated(task)
        let isSettled = self.task?.sceneVersion == task.sceneVersion && !hasMoved(task.receiver)
        let (rays, all) = (max(task.solver.quality.rays, 1), max(task.quality.rays, 1))
        let most = isSettled ? Self.enough * all : rays < all ? Self.moving * rays : Self.changed * all
        (self.task, self.position, rounds) = (task, position, rounds + 1)
        roomMean.learn(responses.room, rays: rays, most: most)
        survey.approach(responses.survey, weight: Double(rays) / Double(roomMean.rays))
        let speed = task.solver.tracer.scene.medium.speedOfSound
        room = LateField(roomMean.response, survey: survey, speedOfSound: speed)
        means = means.filter { numbers.contains($0.key) }
        for (number, response) in zip(numbers, responses.sources) {
            var mean = means[number] ?? Mean()
            mean.learn(response, rays: rays, most: most)
            mean.field = LateField(of: mean.response, in: room)
            means[number] = mean
        }
        scatter.learn(responses, rays: rays, speedOfSound: speed)
    }

    /// Drops the means that a simulation does not go on: all at another quality or where the listener has jumped, those
    /// of sources that have.
    private mutating func dropOutdated(_ task: LateFields.Task) {
        guard let last = self.task, last.quality == task.quality,
            !isElsewhere(last.receiver.head, task.receiver.head, Self.jump)
        else { return (roomMean, means, scatter) = (Mean(), [:], LateScatter()) }
        means = means.filter { number, _ in
            guard let old = last.receiver.sources[number], let new = task.receiver.sources[number] else { return false }
            return !isElsewhere(old, new, Self.jump)
        }
    }
}
