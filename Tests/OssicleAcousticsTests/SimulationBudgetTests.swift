@testable import OssicleAcoustics
import OssicleCore
import Testing

@Suite struct SimulationBudgetTests {
    private func budget(_ asked: AcousticQuality = .high, limit: Double? = 0.04) -> SimulationBudget {
        SimulationBudget(asked: asked, interval: 0.1, limit: limit)
    }

    private func fed(_ durations: [Double], _ budget: SimulationBudget) -> SimulationBudget {
        durations.reduce(into: budget) { $0.note($1) }
    }

    /// Seconds a simulation of a quality takes on a machine that needs `perRay` for a ray.
    private func cost(_ quality: AcousticQuality, perRay: Double) -> Double {
        perRay
            * (Double(quality.rays) + 200 * Double(quality.reflectionOrder * quality.reflectionOrder)
                + (quality.bendsReflections ? 500 : 0) + 300)
    }

    @Test func onceOverTheBudgetIsForgivenTwiceInARowIsNot() {
        #expect(fed([0.05, 0.03, 0.05, 0.039, 0.09], budget()).quality == .high)
        let degraded = fed([0.03, 0.05, 0.041], budget())
        #expect(degraded.step == 1 && degraded.quality.rays == AcousticQuality.high.rays / 2 && degraded.isDegraded)
        #expect(degraded.simulations == 3 && degraded.lateSimulations == 2 && degraded.lastDuration == 0.041)
    }

    @Test func sacrificesComeInTheOrderStated() {
        var state = budget(.reference)
        var seen: [String] = []
        for _ in 0..<40 {
            // Always over, whatever is sacrificed.
            state.note(10)
            state.note(10)
            let quality = state.quality
            seen.append(
                "\(quality.rays) \(quality.reflectionOrder) \(quality.edges) \(quality.bendsReflections) \(state.interval)"
            )
        }
        #expect(
            seen.prefix(11) == [
                "131072 3 2 true 0.1", "65536 3 2 true 0.1", "32768 3 2 true 0.1", "32768 2 2 true 0.1",
                "32768 1 2 true 0.1",
                "32768 1 1 false 0.1", "32768 1 1 false 0.2", "32768 1 1 false 0.4", "32768 1 1 false 0.8",
                "32768 1 1 false 1.0",
                "32768 1 1 false 1.0",
            ])
        #expect(state.step == state.lowestStep)
        #expect(state.allowance.map { abs($0 - 0.4) < 1e-12 } == true)
    }

    @Test func stepsThatWouldChangeNothingAreLeftOut() {
        #expect(budget(.low).lowestStep == 3 + 4)
        #expect(budget(.medium).lowestStep == 3 + 1 + 1 + 4)
        #expect(SimulationBudget(asked: .low, interval: 1, limit: 1).lowestStep == 3)
    }

    @Test func whenThereIsTimeAgainQualityComesBackStepByStep() {
        var state = fed(Array(repeating: 0.2, count: 6), budget())
        #expect(state.step == 3)
        state = fed(Array(repeating: 0.001, count: 7), state)
        #expect(state.step == 3)
        state.note(0.001)
        #expect(state.step == 2)
        state = fed(Array(repeating: 0.001, count: 16), state)
        #expect(state.quality == .high && !state.isDegraded && state.interval == 0.1)
    }

    @Test func betweenSixtyPerCentAndTheBudgetNothingChanges() {
        let state = fed([0.05, 0.05] + Array(repeating: 0.03, count: 500), budget())
        #expect(state.step == 1)
    }

    @Test func aStepThatSavedMuchIsNotTakenBackBeforeItsSavingFits() {
        // From 0.1 to 0.02 by one step: half the budget, and yet no room for five times as much.
        let state = fed([0.1, 0.1] + Array(repeating: 0.02, count: 100), budget())
        #expect(state.step == 1)
    }

    @Test(arguments: [0.3e-6, 1e-6, 2e-6, 3.3e-6, 5e-6, 8e-6, 2e-5, 1e-4])
    func aSteadyMachineComesToRest(perRay: Double) {
        for jitter in [0, 0.1, 0.25] {
            for asked in [AcousticQuality.low, .medium, .high] {
                let random = CounterRandom(seed: 3, object: UInt64(perRay * 1e8))
                var state = budget(asked)
                var changes: [Int] = []
                for index in 0..<6000 {
                    let before = state.step
                    state.note(
                        cost(state.quality, perRay: perRay) * (1 + jitter * (2 * random.unit(UInt64(index)) - 1)))
                    if state.step != before { changes.append(index) }
                }
                // Down within half a minute of ten simulations a second, and seldom a trial after that.
                #expect(changes.filter { $0 > 300 }.count <= 30)
                let isSettled = (state.lastLoad ?? 0) < 1.35 || state.step == state.lowestStep
                #expect(isSettled)
                if jitter == 0 { #expect(changes.filter { $0 > 300 }.count <= 8) }
            }
        }
    }

    @Test func withoutALimitNothingIsEverLate() {
        for limit in [nil, 0, -1, .nan, .infinity] as [Double?] {
            let state = fed([1, 2, 1e9, 7, 7, 7], budget(limit: limit))
            #expect(
                state.quality == .high && state.lateSimulations == 0 && state.simulations == 6 && state.lastLoad == nil)
            #expect(state.description == "as asked for, without a limit")
        }
    }

    @Test func whatIsNoDurationCountsAsNone() {
        #expect(fed([.nan, -1, -.infinity], budget()) == budget())
        #expect(fed([.infinity, .infinity], budget()).step == 1)
        #expect(SimulationBudget(asked: .low, interval: .nan, limit: 1).interval == 0.1)
        #expect(SimulationBudget(asked: .low, interval: -4, limit: 1).interval == 0.01)
    }

    @Test func everyStateIsSaidInWords() {
        #expect(budget().description == "as asked for")
        let one = fed([1, 1], budget())
        #expect(
            one.description
                == "step 1 of 9, because simulations took longer than their budget twice in a row: 2048 rays in place of 4096"
        )
        let all = fed(Array(repeating: 10, count: 40), budget())
        #expect(
            all.sacrifices == [
                "512 rays in place of 4096", "early reflections of order 1 in place of 2",
                "no reflections that bend around an edge", "1 edge in a row in place of 2",
                "a simulation every 1.0 s in place of 0.1 s",
            ])
    }

    @Test func theSameDurationsGiveTheSameState() {
        let durations = (0..<400).map { CounterRandom(seed: 8, object: 1).unit(UInt64($0)) * 0.08 }
        let (once, twice) = (fed(durations, budget()), fed(durations, budget()))
        #expect(once == twice && once.simulations == 400)
    }
}
