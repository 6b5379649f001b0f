import Foundation
import OssiclePlugins
import OssicleTestSupport
import Testing

@testable import OssicleAVFAudio
@testable import ossicle

@Suite("ossicle plugins", .serialized) struct PluginsCommandTests {
    private static let plugins: [PluginDescription] = {
        PluginCatalogue.furtherFolders.withLock { $0 = [ProbePlugins.folder] }
        PluginComponents.lookAgain()
        return PluginCatalogue.content.plugins.filter { $0.uri.hasPrefix("urn:ossicle:probe:") }
    }()

    private func plugin(_ kind: String) throws -> PluginDescription {
        try PluginChoice.one("urn:ossicle:probe:\(kind)", of: Self.plugins)
    }

    @Test("A plug-in is named by its URI, its name, or a part that no other has")
    func choice() throws {
        #expect(try PluginChoice.one("probe SCALING", of: Self.plugins).uri == "urn:ossicle:probe:scaling")
        #expect(try PluginChoice.one("lyin", of: Self.plugins).uri == "urn:ossicle:probe:lying")
        #expect(throws: ToolError.self) { try PluginChoice.one("probe", of: Self.plugins) }
        #expect(throws: ToolError.self) { try PluginChoice.one("nothing of the kind", of: Self.plugins) }
    }

    @Test("The table, the facts and the JSON say the same")
    func texts() throws {
        let table = PluginTable(Self.plugins).text
        #expect(table.contains("Probe notes") && table.contains("instrument") && table.contains("in, out"))
        let facts = try PluginFacts(try plugin("scaling")).text
        #expect(facts.contains("by Ossicle Tests, effect, version 2.4") && facts.contains("Presets: Quiet"))
        #expect(facts.contains("0 … 4"))
        let row = PluginRow(try plugin("scaling"))
        #expect((row.audioInputs, row.audioOutputs, row.presets, row.parameters.count) == (1, 1, 1, 1))
        #expect(try PluginRow.document([row]).contains("\"symbol\" : \"amount\""))
        #expect(PluginTable([]).text.contains("mda-lv2"))
    }

    @Test("A check finds a latency that is stated wrongly, and nothing else")
    func liar() throws {
        let failed = PluginReport(try plugin("lying"), isInProcess: true).findings().filter { !$0.passed }
        #expect(failed.map(\.name) == ["latency"])
        #expect(failed.first?.figure.contains("64.0 frames reported, 100 measured") == true)
    }

    @Test("A check outlives a plug-in that crashes, and says so")
    func crash() throws {
        let findings = PluginReport(try plugin("crashing"), isInProcess: false).findings()
        let isolation = try #require(findings.last)
        #expect(isolation.name == "isolation" && !isolation.passed && isolation.figure.contains("signal"))
        #expect(findings.count > 20)
    }

    @Test("Options that make no sense together are refused")
    func options() throws {
        #expect(throws: (any Error).self) { try PluginsCommand.parse(["one", "--check", "other"]) }
        #expect(throws: (any Error).self) { try PluginsCommand.parse(["--in-process"]) }
        #expect(throws: (any Error).self) { try PluginsCommand.parse(["--check", "one", "--json"]) }
        #expect(try PluginsCommand.parse(["--check", "one", "--in-process"]).check == "one")
    }
}
