// The busses of one side of a version 3 unit.

import OssicleAudioToolbox

/// Busses in order. An index there is not gives a bus of 0 Hz and 0 channels that refuses every format.
open class AUAudioUnitBusArray: NSObject, Sequence {
    private let lock = NSLock()
    private var busses: [AUAudioUnitBus]
    private weak var owner: AUAudioUnit?
    /// Input or output.
    public let busType: AUAudioUnitBusType

    /// An array for `owner`, which it does not keep alive.
    public init(audioUnit owner: AUAudioUnit, busType: AUAudioUnitBusType, busses busArray: [AUAudioUnitBus]) {
        (self.owner, self.busType, busses) = (owner, busType, busArray)
        super.init()
        adopt()
    }

    /// An array of no busses.
    public convenience init(audioUnit owner: AUAudioUnit, busType: AUAudioUnitBusType) {
        self.init(audioUnit: owner, busType: busType, busses: [])
    }

    /// Number of busses.
    open var count: Int { lock.withLock { busses.count } }

    /// The bus at `index`.
    open subscript(index: Int) -> AUAudioUnitBus {
        lock.withLock { busses.indices.contains(index) ? busses[index] : AUAudioUnitBus(missing: AUFault.noBus(index, of: busses.count)) }
    }

    /// Whether `setBusCount` works. Default false.
    open var isCountChangeable: Bool { false }

    /// Changes the number of busses; throws unless `isCountChangeable`.
    open func setBusCount(_ count: Int) throws {
        if count != self.count { throw AUFault.fixedCount }
    }

    /// Puts other busses in place of all.
    open func replaceBusses(_ busArray: [AUAudioUnitBus]) {
        lock.withLock { busses = busArray }
        adopt()
    }

    /// The unit; `nil` after it is gone.
    open var ownerAudioUnit: AUAudioUnit! { owner }

    /// The busses in order, as they are now.
    public func makeIterator() -> IndexingIterator<[AUAudioUnitBus]> { lock.withLock { busses }.makeIterator() }

    private func adopt() {
        for (index, bus) in lock.withLock({ busses }).enumerated() { bus.adopt(owner, busType, index) }
    }
}

/// The inputs of a mixer.
final class ChangeableBusArray: AUAudioUnitBusArray {
    override var isCountChangeable: Bool { true }

    /// 1 to 64 busses, of which new ones are stereo at 44.1 kHz; not while resources are allocated.
    override func setBusCount(_ count: Int) throws {
        if ownerAudioUnit?.renderResourcesAllocated == true { throw AUFault.formatWhileAllocated }
        guard (1...UnitInputs.capacity).contains(count) else { throw AUFault.count(count) }
        var busses = Array(self)
        while busses.count < count { busses.append(try AUAudioUnitBus(format: .initial)) }
        replaceBusses(Array(busses.prefix(count)))
    }
}
