import OssicleHostContract
import Testing

@Suite("Host contract: units that break it") struct BrokenUnitTests {
    /// Each check fails at least once, and a unit without a fault passes them all. Other checks may fail along with it.
    @Test("A fault is found by the check that is meant to", arguments: BrokenUnit.Fault.allCases)
    func found(fault: BrokenUnit.Fault) {
        let findings = HostContract(tolerance: 1e-6) { try BrokenUnit(fault) }.findings()
        let failed = Set(findings.filter { !$0.passed }.map(\.name))
        guard let check = fault.check else {
            #expect(failed.isEmpty, "\(findings.filter { !$0.passed })")
            return
        }
        #expect(failed.contains(check), "\(findings)")
    }

    @Test("The same unit gives the same findings")
    func deterministic() {
        let all = (0..<2).map { _ in HostContract { try BrokenUnit(.roundsEvents) }.findings().map(\.description) }
        #expect(all[0] == all[1])
    }

    @Test("A unit that cannot be made fails every check that needs one, and none traps")
    func noUnit() {
        struct Gone: Error {}
        let findings = HostContract { throw Gone() }.findings()
        #expect(findings.allSatisfy { !$0.passed || $0.figure == "does not concern it" })
        #expect(findings.contains { !$0.passed })
    }
}
