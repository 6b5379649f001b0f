import Foundation
import OssicleTestSupport
import Testing

@testable import OssiclePlugins

@Suite("LV2 bundles")
struct CatalogueTests {
    @Test("A bundle says what its plug-ins are")
    func description() throws {
        #expect(ProbeBench.plugins.errors.isEmpty)
        #expect(ProbeBench.plugins.plugins.count == 14)
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
        let count = mutationCount(120)
        var damage = try BundleDamage(), reader = BundleReader(), readers = (found: 0, failed: 0)
        defer { reader.end() }
        var bundles: [String] = []
        for number in 0..<count {
            // Folders are used again: a hundred thousand bundles are many files.
            let bundle = "\(folder)/\(number % 40).lv2/"
            try damage.write(number, to: bundle)
            if number < 40 { bundles.append(bundle) }
            let content = reader.read(bundle)
            for error in content.errors {
                guard case .bundle(bundle, _) = error else {
                    return #expect(Bool(false), "\(error) of number \(number)")
                }
            }
            for plugin in content.plugins {
                #expect(plugin.ports.allSatisfy { $0.minimum <= $0.initial && $0.initial <= $0.maximum })
            }
            readers = (readers.found + content.plugins.count, readers.failed + content.errors.count)
        }
        // Most mutations leave something to be read.
        #expect(readers.found > count)
        if count > 120 { print("\(count) bundles: \(readers.found) plug-ins, \(readers.failed) readers ended") }
        // Beside a good one: of bundles with one URI a reader looks into the first only.
        let together = PluginCatalogue.read(bundles: PluginCatalogue.bundles(in: [ProbePlugins.folder]) + bundles)
        #expect(together.plugins.contains { $0.uri == "urn:ossicle:probe:scaling" && $0.obstacle == nil })
    }

    @Test("A bundle that ends its reader is named, and the others are read")
    func crashingBundle() throws {
        let bundle = NSTemporaryDirectory() + "ossicle-crashing-\(getpid())/far.lv2/"
        defer { try? FileManager.default.removeItem(atPath: bundle) }
        try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: true)
        for name in ["manifest.ttl", "probes.ttl"] {
            let text = try String(
                contentsOf: ProbePlugins.source.appendingPathComponent("probes.lv2/\(name)"), encoding: .utf8)
            // lilv makes room for as many ports.
            let far = text.replacing("lv2:index 3 ;", with: "lv2:index 3999999999 ;")
            try Data(far.replacing("probe:", with: "far:").utf8).write(to: URL(fileURLWithPath: bundle + name))
        }
        let good = PluginCatalogue.bundles(in: [ProbePlugins.folder])
        for order in [good + [bundle], [bundle] + good] {
            let content = PluginCatalogue.read(bundles: order)
            #expect(content.plugins.count == 14)
            guard case .bundle(bundle, let reason) = content.errors.first, content.errors.count == 1 else {
                return #expect(Bool(false), "\(content.errors)")
            }
            #expect(reason.contains("signal"))
        }
    }

    @Test("Nothing is found where there is nothing, and errors name their cure")
    func nothing() {
        #expect(PluginCatalogue.read(bundles: []).plugins.isEmpty)
        #expect(PluginCatalogue.bundles(in: ["/nowhere"]).isEmpty)
        #expect(PluginError.noLibrary.description.contains("liblilv-0-0"))
    }
}

/// The tests' bundle, spoilt: its manifest, its description or both.
private struct BundleDamage {
    private static let names = ["manifest.ttl", "probes.ttl"]
    private let original: [[UInt8]]
    private var mutator = Mutator(seed: 17)

    init() throws {
        original = try Self.names.map {
            Array(try Data(contentsOf: ProbePlugins.source.appendingPathComponent("probes.lv2/\($0)")))
        }
    }

    mutating func write(_ number: Int, to bundle: String) throws {
        try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: true)
        for (index, name) in Self.names.enumerated() {
            let bytes = number % 3 == index ? original[index] : mutator.mutate(original[index])
            try Data(bytes).write(to: URL(fileURLWithPath: bundle + name))
        }
    }
}

/// Reads bundles one after the other, up to a hundred in one process: to start one for each takes most of the time.
private struct BundleReader {
    private var process: PluginProcess?
    private var left = 0

    mutating func read(_ bundle: String) -> PluginCatalogue.Content {
        if left == 0 || process?.isRunning != true {
            end()
            (process, left) = (try? PluginProcess(name: "LV2 bundles", report: { _ in }), 100)
        }
        left -= 1
        if let process, let content = try? PluginCatalogue.read(bundles: [bundle], in: process) { return content }
        // By itself, as the catalogue does it: what ended the reader is this bundle, or the sum of those before it.
        left = 0
        return PluginCatalogue.read(bundles: [bundle])
    }

    func end() { process?.end() }
}
