import OssicleDSP
import OssicleRender

/// What the early reflections of all sources come together in.
final class EarlyField {
    let box: ControlledBox<EarlyFieldRenderer>
    private(set) var ears = GivenEars()

    init(_ renderer: consuming EarlyFieldRenderer) { box = ControlledBox(renderer) }

    func hear(with head: HeadFilters, at position: Int64) {
        let new = RendererBox(EarlyFieldRenderer.ears(head.table))
        ears.give(new, at: position)
        box.control?.write(new.pointer)
    }

    /// - Returns: whether there were ears to forget.
    func forgetEars(at position: Int64) -> Bool { ears.forget(at: position) }
}
