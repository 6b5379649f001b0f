// Properties of LV2 plug-ins that messages set and that are no numbers: paths of files, texts, URIs; an addition.

import OssicleAudioToolbox
import OssiclePlugins

extension AUAudioUnit {
    /// URIs of an LV2 plug-in's properties whose values are paths of files, such as a sample or an impulse response;
    /// empty for other units (an addition of Ossicle).
    public var pluginPathProperties: [String] { pluginProperties { $0 == .path } }

    /// URIs of an LV2 plug-in's properties whose values are texts or URIs; empty for other units (an addition of
    /// Ossicle).
    public var pluginTextProperties: [String] { pluginProperties { $0 == .text || $0 == .uri } }

    /// Gives an LV2 plug-in the path of a file for one of `pluginPathProperties`, with the next cycle (an addition of
    /// Ossicle). What the plug-in keeps of it is part of its `fullState`. Throws for a property that is none of them,
    /// and a URL that is no file's. Any thread but the render thread.
    public func setPluginPath(_ url: URL, forProperty uri: String) throws {
        guard let path = url.localPath, let property = pluginProperty(uri), property.kind == .path else {
            throw AUFault.noPath(audioUnitName ?? "AUAudioUnit", pluginPathProperties.contains(uri) ? "\(url)" : uri)
        }
        guard try sendText(path, to: property) else { throw AUFault.noPath(audioUnitName ?? "AUAudioUnit", "\(url)") }
    }

    /// Gives an LV2 plug-in a text, or a URI, for one of `pluginTextProperties`, with the next cycle (an addition of
    /// Ossicle). What the plug-in keeps of it is part of its `fullState`. Throws for a property that is none of them, a
    /// text of 4,096 bytes and more in UTF-8, and where a URI is wanted, a text without a scheme. Any thread but the
    /// render thread.
    public func setPluginText(_ text: String, forProperty uri: String) throws {
        guard let property = pluginProperty(uri), property.kind == .text || property.kind == .uri else {
            throw AUFault.noText(audioUnitName ?? "AUAudioUnit", uri)
        }
        let isFit = property.kind == .text || text.firstIndex(of: ":").map { $0 > text.startIndex } == true
        guard isFit, try sendText(text, to: property) else {
            throw AUFault.noText(audioUnitName ?? "AUAudioUnit", text)
        }
    }

    private func pluginProperties(_ isWanted: (PluginProperty.Kind) -> Bool) -> [String] {
        (body as? PluginBody)?.plugin.properties.filter { isWanted($0.kind) }.map(\.uri) ?? []
    }

    private func pluginProperty(_ uri: String) -> PluginProperty? {
        (body as? PluginBody)?.plugin.properties.first { $0.uri == uri }
    }

    /// False for a text that does not fit into a message.
    private func sendText(_ text: String, to property: PluginProperty) throws -> Bool {
        guard let body = body as? PluginBody, let index = body.plugin.properties.firstIndex(of: property),
            text.utf8.count < 4096, !text.contains("\0"), property.kind == .text || !text.isEmpty
        else { return false }
        do { try body.instance.setText(text, property: index) } catch { throw error.asOssicleError }
        return true
    }
}
