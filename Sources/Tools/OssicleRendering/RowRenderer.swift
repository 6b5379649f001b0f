import OssicleAcoustics
import OssicleBatch

/// Renders the scenes of rows as `ossicle render` does.
package struct RowRenderer: SceneRenderer {
    package init() {}

    /// Within a row there is one thread: rows are what is shared out.
    package func render(_ job: SceneJob) throws -> RenderedScene {
        let layout = try job.layout.map(RenderLayout.named)
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
