import Testing
@testable import OssiclePlayback

@Suite("Activation of a session")
struct SessionActivationTests {
    @Test("Changes come in the order in which they have to be carried out")
    func order() throws {
        var session = SessionActivation()
        var intent = SessionIntent()
        intent.ducksOthers = true
        intent.isSpoken = true
        #expect(session.adopt(intent).isEmpty)
        let taken: [SessionChange] = [.activated, .hold(.exclusive), .duckOthers(true)]
        #expect(try session.activate() == taken)
        #expect(
            session.begin(.prompt) == [
                .hold(.released(mayResume: false)), .duckOthers(false), .deactivated(by: .prompt),
                .interrupted(by: .prompt),
            ])
        #expect(session.phase == .interrupted && session.begin(.call).isEmpty)
        #expect(session.end(.prompt, mayResume: true).isEmpty && session.phase == .interrupted)
        #expect(session.end(.call, mayResume: false) == [.interruptionEnded(mayResume: false)])
        #expect(session.phase == .inactive)
        #expect(try session.activate() == taken)
        intent.mixes = true
        #expect(session.adopt(intent) == [.hold(.released(mayResume: false))])
        intent.mixes = false
        #expect(session.adopt(intent) == [.hold(.exclusive)])
        #expect(
            session.deactivate(mayResume: true) == [
                .hold(.released(mayResume: true)), .duckOthers(false), .deactivated(by: nil),
            ])
        #expect(session.deactivate().isEmpty)
    }

    @Test("No sequence of calls ends an interruption that did not begin, or begins two")
    func sequences() {
        let claims: [SoundClaim] = [.call, .program, .policy, .prompt, .mutedMicrophone, .routeDisconnected]
        var state: UInt32 = 1
        func random(_ count: Int) -> Int {
            state = state &* 1_664_525 &+ 1_013_904_223
            return Int(state >> 16) % count
        }
        var session = SessionActivation()
        var (isInterrupted, isDucked, isHeld) = (false, false, false)
        for step in 0..<20_000 {
            var changes: [SessionChange] = []
            switch random(9) {
            case 0, 1: changes = (try? session.activate()) ?? []
            case 2:
                changes = session.deactivate()
                isInterrupted = false
            case 3, 4: changes = session.begin(claims[random(6)])
            case 5, 6: changes = session.end(claims[random(6)], mayResume: random(2) == 0)
            case 7:
                var intent = SessionIntent()
                (intent.mixes, intent.ducksOthers, intent.isSpoken) = (random(2) == 0, random(2) == 0, random(2) == 0)
                (intent.needsMicrophone, intent.haltsWithRoute) = (random(2) == 0, random(2) == 0)
                changes = session.adopt(intent)
            default: changes = random(4) == 0 ? session.resetServices() : session.note(.primary)
            }
            for change in changes {
                switch change {
                case .interrupted:
                    #expect(!isInterrupted, "step \(step)")
                    isInterrupted = true
                case .interruptionEnded:
                    #expect(isInterrupted, "step \(step)")
                    isInterrupted = false
                case .activated, .deactivated, .servicesLost: isInterrupted = false
                case .duckOthers(let isOn):
                    #expect(isOn != isDucked, "step \(step)")
                    isDucked = isOn
                case .hold(let hold):
                    #expect((hold == .exclusive) != isHeld, "step \(step)")
                    isHeld = hold == .exclusive
                case .servicesReset, .silenceHint: break
                }
            }
            #expect(isInterrupted == (session.phase == .interrupted), "step \(step)")
            #expect(isHeld == (session.phase == .active && !session.intent.mixes), "step \(step)")
        }
    }
}
