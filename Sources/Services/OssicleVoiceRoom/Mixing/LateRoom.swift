import OssicleCore
import OssicleDSP

/// The reverberation that one listener hears of the others: a feedback delay network whose eight outputs come from the
/// corners of a cube around the head. One thread at a time.
final class LateRoom {
    private var network: FeedbackDelayNetwork
    private let fourier = RealFourierTransform(count: RoomBlock.transformCount)
    private let outputs = SampleMemory(count: FeedbackDelayNetwork.outputCount * RoomBlock.packetFrames)
    private let spectra: LateSpectra
    private let planes: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let filters: LateFilters

    /// - Parameter filters: shared by all listeners.
    init(_ settings: VoiceRoom.Settings, filters: LateFilters) {
        let size = settings.size
        let volume = size.x * size.y * size.z
        let surface = 2 * (size.x * size.y + size.y * size.z + size.z * size.x)
        network = FeedbackDelayNetwork(
            FeedbackDelayNetwork.Settings(
                sampleRate: RoomBlock.sampleRate, meanFreeTime: 4 * volume / surface / 343.2, seed: settings.seed),
            FeedbackDelayNetwork.Parameters(
                t60: OctaveBands.ones * Float(settings.reverberationTime), volume: volume,
                start: volume.squareRoot() / 1000))
        self.filters = filters
        spectra = LateSpectra()
        planes = .allocate(capacity: FeedbackDelayNetwork.outputCount)
        for index in 0..<FeedbackDelayNetwork.outputCount {
            planes[index] = outputs.pointer + index * RoomBlock.packetFrames
        }
    }

    deinit { planes.deallocate() }

    /// Takes a packet's frames of all that is heard.
    func take(_ input: UnsafePointer<Float>) {
        network.process(input, outputs: planes, RoomBlock.packetFrames)
        for index in 0..<FeedbackDelayNetwork.outputCount { spectra.take(index, planes[index]) }
    }

    func add(_ block: Int, to sums: borrowing EarSpectra) {
        for index in 0..<FeedbackDelayNetwork.outputCount {
            spectra.add(index, block, through: filters, to: sums)
        }
    }
}

/// Spectra of the network's outputs.
private final class LateSpectra {
    private var corners: [Corner] = (0..<FeedbackDelayNetwork.outputCount).map { _ in Corner() }

    private final class Corner { var spectra = TalkerSpectra() }

    func take(_ index: Int, _ frames: UnsafePointer<Float>) { corners[index].spectra.take(frames, isSilent: false) }

    func add(_ index: Int, _ block: Int, through filters: LateFilters, to sums: borrowing EarSpectra) {
        corners[index].spectra.add(block, through: filters.corners[index].spectra, to: sums)
    }
}

/// The head's filters for the corners of a cube; never changed after `init`.
final class LateFilters: @unchecked Sendable {
    final class Corner {
        let spectra = EarSpectra()
    }

    let corners: [Corner]

    init(_ design: inout EarFilterDesign) {
        corners = (0..<FeedbackDelayNetwork.outputCount).map { index in
            let corner = Corner()
            let direction = Vector(index & 1 == 0 ? -1 : 1, index & 2 == 0 ? -1 : 1, index & 4 == 0 ? -1 : 1)
            design.make(direction, gain: 1, into: corner.spectra)
            return corner
        }
    }
}
