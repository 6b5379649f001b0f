// One bus of a version 3 unit.

import OssicleAudioToolbox
import OssicleCoreAudioTypes

/// A bus of a unit, with its format. Any thread but the render thread.
open class AUAudioUnitBus: NSObject {
    private let lock = NSLock()
    private var current: AVAudioFormat
    private var place: (type: AUAudioUnitBusType, index: Int) = (.input, 0)
    private weak var owner: AUAudioUnit?
    /// Why it takes no format, if it takes none.
    private let fault: OssicleError?

    /// A bus with a format; throws for what is no linear PCM.
    public init(format: AVAudioFormat) throws {
        try Self.check(format)
        (current, fault) = (format, nil)
    }

    /// A bus without a format of its own, that takes none.
    init(missing fault: OssicleError) { (current, self.fault) = (.none, fault) }

    /// What flows here.
    open var format: AVAudioFormat { lock.withLock { current } }

    /// Sets the format. Throws `kAudioUnitErr_Initialized` while the unit's resources are allocated, and
    /// `kAudioUnitErr_FormatNotSupported` for what bus or unit cannot take.
    open func setFormat(_ format: AVAudioFormat) throws {
        if let fault { throw fault }
        try Self.check(format)
        guard format.channelCount <= maximumChannelCount else {
            throw AUFault.channels(format, "up to \(maximumChannelCount) channels")
        }
        if let counts = supportedChannelCounts, !counts.contains(where: { $0.uint32Value == format.channelCount }) {
            throw AUFault.channels(format, counts.map { "\($0)" }.joined(separator: ", ") + " channels")
        }
        if let owner {
            if owner.renderResourcesAllocated { throw AUFault.formatWhileAllocated }
            guard owner.shouldChange(to: format, for: self) else { throw AUFault.refused(format) }
        }
        lock.withLock { current = format }
    }

    private static func check(_ format: AVAudioFormat) throws {
        guard format.isPCM, format.commonFormat != .otherFormat, (1...768_000).contains(format.sampleRate),
            (1...64).contains(format.channelCount)
        else { throw AUFault.notPCM(format) }
    }

    /// Whether the unit should bring memory for this bus. Default true.
    open var shouldAllocateBuffer = true
    /// Whether the bus is in use. Default true.
    open var isEnabled = true
    /// Name to show.
    open var name: String?
    /// Seconds from here to the listener, or from the microphone to here, as the host says. Default 0.
    open var contextPresentationLatency: TimeInterval = 0
    /// The numbers of channels it takes; `nil` for any up to `maximumChannelCount`. Default `nil`.
    open var supportedChannelCounts: [NSNumber]?
    /// The most channels it takes. Default `UInt32.max`.
    open var maximumChannelCount = AUAudioChannelCount.max
    /// The layouts it takes; `nil` for any.
    open var supportedChannelLayoutTags: [NSNumber]? { nil }

    /// Number in its array.
    open var index: Int { lock.withLock { place.index } }
    /// Input or output.
    open var busType: AUAudioUnitBusType { lock.withLock { place.type } }
    /// The unit; `nil` for a bus that is in no unit's array.
    open var ownerAudioUnit: AUAudioUnit! { lock.withLock { owner } }

    func adopt(_ owner: AUAudioUnit?, _ type: AUAudioUnitBusType, _ index: Int) {
        lock.withLock { (self.owner, place) = (owner, (type, index)) }
    }
}

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
        lock.withLock {
            busses.indices.contains(index)
                ? busses[index] : AUAudioUnitBus(missing: AUFault.noBus(index, of: busses.count))
        }
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
