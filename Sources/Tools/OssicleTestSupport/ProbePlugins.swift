import Foundation

/// The LV2 plug-ins of `Tests/Plugins`, compiled with the toolchain's own C compiler.
package enum ProbePlugins {
    /// A folder for LV2's path with their bundle, made once in each process; gone with it.
    package static let folder: String = make()

    /// The folder that bundles of tests are copied from.
    package static let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Tests/Plugins")

    private static func make() -> String {
        let folder = NSTemporaryDirectory() + "ossicle-probes-\(getpid())"
        let bundle = folder + "/probes.lv2"
        try? FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: true)
        for name in ["manifest.ttl", "probes.ttl"] {
            try? FileManager.default.copyItem(atPath: source.path + "/probes.lv2/" + name, toPath: bundle + "/" + name)
        }
        let system = source.deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent(
            "Sources/System"
        ).path
        let compiler = Process()
        compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        compiler.arguments = [
            "clang", "-shared", "-fPIC", "-fvisibility=hidden", "-I\(system)/CPluginHost", "-I\(system)/CLilv",
            source.path + "/probes.lv2/probes.c", "-o", bundle + "/probes.so",
        ]
        try? compiler.run()
        compiler.waitUntilExit()
        atexit { try? FileManager.default.removeItem(atPath: NSTemporaryDirectory() + "ossicle-probes-\(getpid())") }
        return folder
    }
}
