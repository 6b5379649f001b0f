/// How much work goes into the sound of a scene, each time it is looked at. While nothing moves, rays of several times are put together.
package struct AcousticQuality: Sendable, Hashable {
    /// Rays that look for the late part.
    package var rays: Int
    /// Surfaces a ray meets at most.
    package var bounces: Int
    /// Mirrorings of early reflections, 0…3.
    package var reflectionOrder: Int
    /// Early reflections kept for each source.
    package var reflections: Int
    /// Edges in a row, 0…2.
    package var edges: Int
    /// Whether reflections may bend around the last edge.
    package var bendsReflections: Bool

    package init(rays: Int, bounces: Int, reflectionOrder: Int, reflections: Int, edges: Int, bendsReflections: Bool) {
        (self.rays, self.bounces, self.reflectionOrder) = (max(rays, 0), max(bounces, 1), min(max(reflectionOrder, 0), 3))
        (self.reflections, self.edges, self.bendsReflections) = (max(reflections, 0), min(max(edges, 0), 2), bendsReflections)
    }

    package static let low = AcousticQuality(rays: 512, bounces: 64, reflectionOrder: 1, reflections: 8, edges: 1, bendsReflections: false)
    package static let medium = AcousticQuality(rays: 1024, bounces: 96, reflectionOrder: 2, reflections: 16, edges: 2, bendsReflections: false)
    package static let high = AcousticQuality(rays: 4096, bounces: 128, reflectionOrder: 2, reflections: 20, edges: 2, bendsReflections: true)
    /// For impulse responses, not for rendering while somebody listens.
    package static let reference = AcousticQuality(rays: 262_144, bounces: 512, reflectionOrder: 3, reflections: 4096, edges: 2, bendsReflections: true)
}
