import Foundation
import OssicleAVFAudio
import OssicleAudioToolbox
import OssicleHostContract
import OssiclePlugins
import Synchronization

/// `ossicle plugins --check`: the host contract over one plug-in, and what became of its processes.
struct PluginReport {
    private let plugin: PluginDescription
    private let isInProcess: Bool
    /// Other people's plug-ins are not asked to be exact to the bit: −80 dB.
    private static let tolerance = 1e-4

    init(_ plugin: PluginDescription, isInProcess: Bool) { (self.plugin, self.isInProcess) = (plugin, isInProcess) }

    /// Prints a line for each check; false where one failed.
    func run() -> Bool {
        print("\(Text.oneLine(plugin.name)), \(Text.oneLine(plugin.uri))")
        let findings = findings()
        let rows = findings.map { [$0.passed ? "passed" : "FAILED", $0.name, Text.oneLine($0.figure)] }
        print(TextTable.text(rows))
        let failed = findings.count { !$0.passed }
        print(failed == 0 ? "\(findings.count) checks passed" : "\(failed) of \(findings.count) checks failed")
        return failed == 0
    }

    /// The outcome of one check.
    struct Finding {
        let name: String
        let passed: Bool
        let figure: String
    }

    /// What the contract found, and a finding of its own for crashes and the like.
    func findings() -> [Finding] {
        let options: AudioComponentInstantiationOptions = isInProcess ? .loadInProcess : .loadOutOfProcess
        guard let description = PluginUnits.component(of: plugin.uri) else {
            return [
                Finding(name: "loading", passed: false, figure: plugin.obstacle ?? "it is no component")
            ]
        }
        let deaths = Deaths(of: description)
        defer { deaths.stop() }
        let contract = HostContract(tolerance: Self.tolerance) {
            let unit = try AUAudioUnit(componentDescription: description, options: options)
            // No block is late on a machine that is busy.
            unit.isRenderingOffline = true
            return unit
        }
        let findings = contract.findings().map { Finding(name: $0.name, passed: $0.passed, figure: $0.figure) }
        let reasons = deaths.all
        return findings + [
            Finding(
                name: "isolation", passed: reasons.isEmpty,
                figure: reasons.isEmpty ? "no crash, and none that hung" : reasons.joined(separator: "; "))
        ]
    }

    /// Listens for units of one component whose process has ended.
    private final class Deaths: @unchecked Sendable {
        private let found = Mutex<[String]>([])
        private var token: (any NSObjectProtocol)?

        init(of component: AudioComponentDescription) {
            let name = NSNotification.Name("\(kAudioComponentInstanceInvalidationNotification)")
            token = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { [weak self] note in
                guard (note.object as? AUAudioUnit)?.componentDescription == component else { return }
                let text = (note.userInfo?["error"]).map { "\($0)" } ?? "a unit ended"
                self?.found.withLock { if !$0.contains(text) { $0.append(text) } }
            }
        }

        var all: [String] { found.withLock { $0 } }
        func stop() { if let token { NotificationCenter.default.removeObserver(token) } }
    }
}

/// Plug-ins as components of the manager.
enum PluginUnits {
    /// The component of a plug-in, which its bundle and its name tell.
    static func component(of uri: String) -> AudioComponentDescription? {
        AVAudioUnitComponentManager.shared().components(matching: AudioComponentDescription())
            .first { $0.configurationDictionary["LV2URI"] as? String == uri }?.audioComponentDescription
    }
}
