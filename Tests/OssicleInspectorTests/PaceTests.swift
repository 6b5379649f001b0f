import Testing

@testable import OssicleInspector

@Suite("The pace of looks") struct PaceTests {
    @Test func ticksInTimeAreSent() {
        var pace = Pace()
        for _ in 0..<30 {
            pace.pass(1)
            pace.note(.sent)
        }
        #expect(pace.counts == Pace.Counts(due: 30, sent: 30))
        #expect(pace.owed == 0)
    }

    @Test func lateTicksAreMadeUpFor() {
        var pace = Pace()
        pace.pass(1)
        pace.note(.sent)
        // An interval and two more have gone by.
        pace.pass(3)
        for outcome in [Pace.Outcome.held, .sent, .sent] { pace.note(outcome) }
        #expect(pace.counts == Pace.Counts(due: 4, sent: 4, late: 2, held: 1))
        #expect(pace.owed == 0)
    }

    @Test func onlySoManyAreOwed() {
        var pace = Pace()
        pace.pass(10)
        #expect(pace.owed == Pace.most)
        #expect(pace.counts.lostByWatch == 10 - Pace.most)
        for _ in 0..<Pace.most { pace.note(.sent) }
        #expect(pace.owed == 0)
        // Pages that do not say that they have seen what they were sent.
        for _ in 0..<10 {
            pace.pass(1)
            pace.note(.pagesAreBehind)
        }
        #expect(pace.owed == Pace.most)
        #expect(pace.counts.lostByPages == 10 - Pace.most)
        #expect(pace.counts.sent == Pace.most)
    }

    @Test func nothingIsMadeUpForThatIsNotOwed() {
        var pace = Pace()
        pace.note(.sent)
        #expect(pace.counts == Pace.Counts())
    }
}
