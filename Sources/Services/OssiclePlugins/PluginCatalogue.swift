import CPluginHost
import Foundation
import Synchronization

/// The plug-ins that are installed. Read once in each process, by a process of its own, when they are first asked for.
package enum PluginCatalogue {
    /// What was found, sorted by URI, and what could not be read.
    package struct Content: Sendable {
        package var plugins: [PluginDescription] = []
        package var errors: [PluginError] = []
    }

    /// Folders that are looked into beside those of the path.
    package static let furtherFolders = Mutex<[String]>([])
    private static let found = Mutex<Content?>(nil)

    /// All plug-ins of the path. Blocks while they are read: some tenths of a second, the first time.
    package static var content: Content {
        found.withLock { found in
            if let found { return found }
            let content = read(bundles: bundles(in: folders))
            found = content
            return content
        }
    }

    /// Reads anew when next asked.
    package static func forget() { found.withLock { $0 = nil } }

    package static func plugin(_ uri: String) throws(PluginError) -> PluginDescription {
        guard ossicle_plugins_are_there() else { throw .noLibrary }
        guard let plugin = content.plugins.first(where: { $0.uri == uri }) else { throw .unknown(uri: uri) }
        if let obstacle = plugin.obstacle { throw .unsupported(uri: uri, reason: obstacle) }
        return plugin
    }

    // MARK: Bundles

    /// The folders of `LV2_PATH`, else those that lilv looks into on Debian.
    static var folders: [String] {
        let standard =
            "~/.lv2:/usr/lib/x86_64-linux-gnu/lv2:/usr/lib/aarch64-linux-gnu/lv2:/usr/lib/lv2:/usr/local/lib/lv2"
        let path = ProcessInfo.processInfo.environment["LV2_PATH"] ?? standard
        return path.split(separator: ":").map { NSString(string: String($0)).expandingTildeInPath }
            + furtherFolders.withLock { $0 }
    }

    /// Paths of bundles that each end with a stroke, in order of folders and names.
    static func bundles(in folders: [String]) -> [String] {
        folders.flatMap { folder in
            ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
                .map { "\(folder)/\($0)/" }
                .filter { FileManager.default.fileExists(atPath: $0 + "manifest.ttl") }
        }
    }

    /// Descriptions of what is in bundles. Where the reader of one crashes, hangs or takes too much memory, the others
    /// are read all the same: halves are read by themselves.
    package static func read(bundles: [String]) -> Content {
        guard !bundles.isEmpty else { return Content() }
        guard ossicle_plugins_are_there() else { return Content(errors: [.noLibrary]) }
        do {
            let process = try PluginProcess(name: "LV2 bundles", report: { _ in })
            defer { process.end() }
            return try read(bundles: bundles, in: process)
        } catch {
            if case .noProcess = error { return Content(errors: [error]) }
            guard bundles.count > 1 else { return Content(errors: [.bundle(path: bundles[0], reason: reason(error))]) }
            let half = bundles.count / 2
            let (one, other) = (read(bundles: Array(bundles[..<half])), read(bundles: Array(bundles[half...])))
            return Content(plugins: unique(one.plugins + other.plugins), errors: one.errors + other.errors)
        }
    }

    /// The same by a process that is there. What it may take of time and memory is bounded over all that it reads.
    static func read(bundles: [String], in process: PluginProcess) throws(PluginError) -> Content {
        let body: [UInt8] = bundles.flatMap { Array($0.utf8) + [0] }
        let reply = try process.transact(
            OSSICLE_COMMAND_DESCRIBE, body, seconds: 30, activity: "reading bundles", most: 64 << 20)
        guard let plugins = PluginDescription.all(in: reply, of: bundles) else {
            throw .refused(uri: "LV2 bundles", reason: "its reader's reply makes no sense")
        }
        return Content(plugins: unique(plugins))
    }

    private static func reason(_ error: PluginError) -> String {
        switch error {
        case .crashed(_, let signal): "its reader ended with signal \(signal)"
        case .hung(_, _, let seconds): "its reader took more than \(seconds) s"
        default: error.parts.value
        }
    }

    /// One of each URI, in order of URIs.
    private static func unique(_ plugins: [PluginDescription]) -> [PluginDescription] {
        var seen = Set<String>()
        return plugins.filter { seen.insert($0.uri).inserted }.sorted { $0.uri < $1.uri }
    }
}
