import Foundation
import OssicleTestKit
import Testing

@testable import OssiclePlugins

@Suite("LV2 bundles")
struct CatalogueTests {
    @Test("A bundle says what its plug-ins are")
    func description() throws {
        #expect(ProbeBench.plugins.errors.isEmpty)
        #expect(ProbeBench.plugins.plugins.count == 11)
        let plugin = try #require(ProbeBench.plugin("scaling"))
        #expect(plugin.name == "Probe scaling")
        #expect(plugin.author == "Ossicle Tests")
        #expect(plugin.kind == .effect)
        #expect((plugin.minorVersion, plugin.microVersion) == (2, 4))
        #expect((plugin.audioInputs, plugin.audioOutputs) == (1, 1))
        #expect(plugin.obstacle == nil)
        let amount = plugin.ports[2]
        #expect((amount.minimum, amount.maximum, amount.initial) == (0, 4, 1))
        #expect(amount.unit == "http://lv2plug.in/ns/extensions/units#coef")
        #expect(amount.points == [.init(value: 0, label: "Off"), .init(value: 1, label: "Unity")])
        #expect(ProbeBench.plugin("delaying")?.ports[3].flags.contains(.latency) == true)
        let notes = try #require(ProbeBench.plugin("notes"))
        #expect(notes.kind == .instrument)
        #expect((notes.midiInput, notes.midiOutput) == (0, 1))
        #expect(notes.ports[2].flags.isSuperset(of: [.integer, .enumeration, .control, .input]))
    }

    @Test("Damaged bundles are errors or plug-ins within bounds, and spoil nothing beside them")
    func damagedBundles() throws {
        let folder = NSTemporaryDirectory() + "ossicle-damaged-\(getpid())"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let count = mutationCount(60)
        let names = ["manifest.ttl", "probes.ttl"]
        let original = try names.map {
            try Data(contentsOf: ProbePlugins.source.appendingPathComponent("probes.lv2/\($0)"))
        }
        var mutator = Mutator(seed: 17)
        var bundles: [String] = []
        for number in 0..<count {
            let bundle = "\(folder)/\(number).lv2/"
            try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: true)
            for (index, name) in names.enumerated() {
                let bytes = number % 3 == index ? Array(original[index]) : mutator.mutate(Array(original[index]))
                try Data(bytes).write(to: URL(fileURLWithPath: bundle + name))
            }
            bundles.append(bundle)
        }
        // One at a time in the same reader would hide what one does to the others.
        let content = PluginCatalogue.read(bundles: PluginCatalogue.bundles(in: [ProbePlugins.folder]) + bundles)
        #expect(content.plugins.contains { $0.uri == "urn:ossicle:probe:scaling" && $0.obstacle == nil })
        for error in content.errors {
            guard case .bundle(let path, _) = error else { return #expect(Bool(false), "\(error)") }
            #expect(bundles.contains(path))
        }
        for plugin in content.plugins {
            #expect(plugin.ports.allSatisfy { $0.minimum <= $0.initial && $0.initial <= $0.maximum })
        }
    }

    @Test("Nothing is found where there is nothing, and errors name their cure")
    func nothing() {
        #expect(PluginCatalogue.read(bundles: []).plugins.isEmpty)
        #expect(PluginCatalogue.bundles(in: ["/nowhere"]).isEmpty)
        #expect(PluginError.noLibrary.description.contains("liblilv-0-0"))
    }
}
