// Properties of LV2 plug-ins that are paths of files; an addition.

import OssicleAudioToolbox
import OssiclePlugins

extension AUAudioUnit {
    /// URIs of an LV2 plug-in's properties whose values are paths of files, such as a sample or an impulse response; empty for
    /// other units (an addition of Ossicle).
    public var pluginPathProperties: [String] {
        (body as? PluginBody)?.plugin.properties.filter { $0.kind == .path }.map(\.uri) ?? []
    }

    /// Gives an LV2 plug-in the path of a file for one of `pluginPathProperties`, with the next cycle (an addition of
    /// Ossicle). What the plug-in keeps of it is part of its `fullState`. Throws for a property that is none of them, and a
    /// URL that is no file's. Any thread but the render thread.
    public func setPluginPath(_ url: URL, forProperty uri: String) throws {
        guard let body = body as? PluginBody,
            let index = body.plugin.properties.firstIndex(where: { $0.uri == uri && $0.kind == .path })
        else { throw AUFault.noPath(audioUnitName ?? "AUAudioUnit", uri) }
        guard let path = url.localPath, !path.isEmpty, path.utf8.count < 4096 else {
            throw AUFault.noPath(audioUnitName ?? "AUAudioUnit", "\(url)")
        }
        do { try body.instance.setPath(path, property: index) } catch { throw error.asOssicleError }
    }
}
