import Foundation
import PackagePlugin

/// Lets `double-sources` write the `Double` twin of each `…+Float.swift` of a target, before the target is compiled.
@main
struct DoubleSources: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let module = target as? SourceModuleTarget else { return [] }
        let tool = try context.tool(named: "double-sources").url
        return module.sourceFiles(withSuffix: "+Float.swift").map { file in
            let name = file.url.lastPathComponent.replacingOccurrences(of: "+Float", with: "+Double")
            let twin = context.pluginWorkDirectoryURL.appendingPathComponent(name)
            return .buildCommand(
                displayName: "Writing \(name)", executable: tool, arguments: [file.url.path, twin.path],
                inputFiles: [file.url], outputFiles: [twin])
        }
    }
}
