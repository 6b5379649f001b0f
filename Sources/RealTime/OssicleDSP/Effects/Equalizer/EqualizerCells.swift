import OssicleCore

/// A fixed number of cells through which the control side hands over bands; freed with their owner.
struct EqualizerCells: ~Copyable, @unchecked Sendable {
    let count: Int
    private let cells: UnsafeMutablePointer<LatestValueCell<EqualizerBand>>

    init(_ bands: some Collection<EqualizerBand>) {
        count = bands.count
        cells = .allocate(capacity: max(count, 1))
        for (index, band) in bands.enumerated() { (cells + index).initialize(to: LatestValueCell(band)) }
    }

    deinit {
        for index in 0..<count { cells[index].deallocate() }
        cells.deallocate()
    }

    subscript(index: Int) -> LatestValueCell<EqualizerBand>? { index >= 0 && index < count ? cells[index] : nil }
}
