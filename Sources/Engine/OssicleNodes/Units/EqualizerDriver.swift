import OssicleCore
import OssicleDSP
import OssicleRender

/// Drives an equaliser, whose bands are sent one by one.
final class EqualizerDriver: UnitDriver {
    typealias Renderer = EffectRenderer<Equalizer>

    private let readGain: () -> Float
    private let count: Int
    private let readBand: (Int) -> EqualizerBand
    private var box: ControlledBox<Renderer>?
    private var shape: (rate: Double, channels: Int) = (0, 0)
    private var bands: [EqualizerBand] = []
    /// The renderer's, one for each band.
    private var cells: [LatestValueCell<EqualizerBand>] = []
    private var revision: UInt32 = 0

    /// - Parameters:
    ///   - gain: of the whole, in dB, as the unit's parameters are now.
    ///   - count: of bands.
    ///   - band: by its number.
    init(gain: @escaping () -> Float = { 0 }, count: Int, band: @escaping (Int) -> EqualizerBand) {
        readGain = gain
        self.count = count
        readBand = band
    }

    private func readBands() -> [EqualizerBand] { (0..<count).map(readBand) }

    func renderer(sampleRate: Double, channels: Int, bypass: Bool) -> OwnedRenderer {
        if let box, shape == (sampleRate, channels) { return (.equalizer(box.pointer), box) }
        bands = readBands()
        let parameters = parameters(bypass)
        let kernel = Equalizer(
            sampleRate: sampleRate, channelCount: channels, parameters: parameters.kernel, bands: bands)
        cells = bands.indices.compactMap { kernel.bandCell($0) }
        let made = ControlledBox(Renderer(kernel, parameters))
        (box, shape) = (made, (sampleRate, channels))
        return (.equalizer(made.pointer), made)
    }

    func update(bypass: Bool) {
        guard let box else { return }
        for index in 0..<cells.count {
            let band = readBand(index)
            if band == bands[index] { continue }
            cells[index].write(band)
            bands[index] = band
        }
        revision &+= 1
        box.control.write(parameters(bypass))
    }

    private func parameters(_ bypass: Bool) -> Renderer.Parameters {
        Renderer.Parameters(Equalizer.Parameters(globalGain: readGain(), revision: revision), bypass: bypass)
    }

    var current: OwnedRenderer? { box.map { (.equalizer($0.pointer), $0) } }

    func forget() { box = nil }

    func latency(sampleRate: Double) -> Int { 0 }

    func tailTime(sampleRate: Double) -> Double { Equalizer.tailTime(of: readBands(), sampleRate: sampleRate) }
}
