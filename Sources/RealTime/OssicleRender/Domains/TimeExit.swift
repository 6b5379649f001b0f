import OssicleCore
import OssicleDSP

/// Where a signal leaves a domain with a clock of its own: inside, it takes in what was rendered; outside, the domain that listens takes
/// out what it needs. Between the two sits the kernel that makes the one from the other.
package struct TimeExit<Kernel: TimeKernel & ~Copyable>: ControlledRenderer, ~Copyable {
    package var control: LatestValueCell<Kernel.Parameters> { cell }
    private let cell: LatestValueCell<Kernel.Parameters>
    var kernel: Kernel

    package init(sampleRate: Double, channelCount: Int, parameters: Kernel.Parameters) {
        cell = LatestValueCell(parameters)
        kernel = Kernel(sampleRate: sampleRate, channelCount: channelCount, longestTake: Grid.quantum, parameters: parameters)
    }

    deinit { cell.deallocate() }

    /// Inside: one input port's channels.
    mutating func give(_ inputs: UnsafePointer<UnsafeMutablePointer<Float>>, frames: Int) {
        kernel.give(inputs, offset: 0, frames: frames)
    }

    /// Outside, at its control points.
    mutating func update() {
        if let new = cell.takeIfNew() { kernel.set(new) }
    }

    mutating func reset() { kernel.reset() }
}
