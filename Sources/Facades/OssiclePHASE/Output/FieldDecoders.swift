import OssicleDSP
import OssicleRender

/// What an output makes of sound fields: made when a bed of an order is first heard, and kept.
final class FieldDecoders {
    private var ears: [Int: FieldEarFilters] = [:]
    private var speakers: [Int: [Float]] = [:]

    /// For a bed that turns with the head.
    func decoder(order: Int, for spatializer: Spatializer, sampleRate: Double) -> AmbisonicRenderer.Decoder {
        switch spatializer {
        case .binaural(let head): .binaural(filters(order, head.table, sampleRate))
        case .panned(let panner): .panned(gains(order, panner))
        }
    }

    func filters(_ order: Int, _ head: HeadTable, _ sampleRate: Double) -> FieldEarFilters {
        if let made = ears[order], made.head == head { return made }
        let filters = FieldEarFilters(head: head, sampleRate: sampleRate, order: order)
        ears[order] = filters
        return filters
    }

    private func gains(_ order: Int, _ panner: UnsafeMutablePointer<VBAPPanner>) -> [Float] {
        if let made = speakers[order] { return made }
        let gains = FieldSpeakers.gains(order: order, panner: panner.pointee)
        speakers[order] = gains
        return gains
    }
}
