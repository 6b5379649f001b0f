import OssicleCore

/// What a scene does to the sound of one source on its way to one listener.
package struct SourceAcoustics: Sendable, Hashable {
    /// The straight way.
    package var direct: DirectPath
    /// Ways around edges, loudest first, at most four. Each sounds from its last edge.
    package var diffractions: [SoundPath]
    /// Early reflections, loudest first.
    package var reflections: [SoundPath]

    package init(direct: DirectPath, diffractions: [SoundPath] = [], reflections: [SoundPath] = []) {
        (self.direct, self.diffractions, self.reflections) = (direct, diffractions, reflections)
    }
}
