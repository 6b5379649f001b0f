import OssicleAcoustics
import OssicleBatch

/// Renders the scenes of rows as `ossicle render` does.
package struct RowRenderer: SceneRenderer {
    package init() {}

    /// Within a row there is one thread: rows are what is shared out.
    package func render(_ job: SceneJob) throws -> RenderedScene {
        var layout: RenderLayout?
        if let name = job.layout {
            layout = RenderLayout(rawValue: name)
            guard layout != nil else {
                let known = RenderLayout.allCases.map(\.rawValue).joined(separator: ", ")
                throw RenderError("layout is “\(name)”; layouts are \(known): give one of these.")
            }
        }
        let request = RenderRequest(
            scene: job.scene, timeline: job.timeline, listener: job.listener, layout: layout, seconds: job.seconds,
            seed: job.seed, rate: job.sampleRate)
        return try WorkerPool.$chosen.withValue(WorkerPool(workers: 1)) {
            var rendering = try SceneRendering(request)
            try rendering.run { _ in }
            return RenderedScene(
                channels: rendering.channels, layout: rendering.layout.rawValue, warnings: rendering.warnings)
        }
    }
}
