import OssicleCore
import OssicleDSP

/// What all sources' first reflections make at the ears or the loudspeakers: one set of filters for all of them. Port: eight corners → out.
package struct EarlyFieldRenderer: ControlledRenderer, ~Copyable {
    /// nil where loudspeakers play.
    package var control: EarsCell<DiffuseEars>? { field.cell }
    private let field: CubeField

    package init(spatializer: Spatializer, outputCount: Int) {
        field = CubeField(spatializer, latency: 0, outputCount: outputCount)
    }

    /// Ears for a head, as this renderer hears: reflections bring their ways' delays with them. Control side.
    package static func ears(_ head: HeadTable) -> DiffuseEars { DiffuseEars(head: head, latency: 0) }

    package mutating func render(_ ports: Ports, _ context: RenderContext) {
        field.process(ports.inputs, to: ports.outputs, context.frames)
    }
}
