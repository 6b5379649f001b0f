import OssicleAudioToolbox
import OssicleCoreAudioTypes
import OssiclePlayback
import OssicleRender
import Synchronization

/// Runs a unit of type `aumi` ahead of the units that its MIDI goes to, block by block.
///
///     sequence ─▶ processor ─▶ instrument
///
/// It is no part of the graph of sound: the first of its targets that renders a block runs it for that block, and what
/// it sends lies in the queues of all its targets by then.
final class MIDIProcessor: @unchecked Sendable {
    /// Where its MIDI goes, and who listens in.
    struct Outlet {
        var targets: [EventQueue<AURenderEvent>] = []
        var listeners: [MIDIWires.Listener] = []
    }

    /// What runs the unit; goes with its memory once no call reads it.
    private final class Runner {
        let block: AURenderBlock
        let list: UnsafeMutableAudioBufferListPointer

        init(_ block: @escaping AURenderBlock, channels: Int) {
            self.block = block
            let list = AudioBufferList.allocate(maximumBuffers: max(channels, 1))
            list.count = channels
            self.list = list
        }

        deinit { free(list.unsafeMutablePointer) }
    }

    private let unit: AUAudioUnit
    /// Where to say that the unit cannot be allocated; it is silent then.
    var report: (any Error) -> Void = { _ in }
    private let music: UnitMusic
    private let outlet = Published(Outlet())
    private let runner = Published<Runner?>(nil)
    private let allocating = NSRecursiveLock()
    /// Hz it is allocated for; 0 for none.
    private let rate = Mutex(0.0)
    /// Render side: the first frame of the block it was run for last.
    private var lastStart: Int64 = -1

    init(_ unit: AUAudioUnit, _ music: UnitMusic) { (self.unit, self.music) = (unit, music) }

    func set(_ new: Outlet) { outlet.change { $0 = new } }

    // MARK: Control side

    /// What has to be done before it runs at a rate; `nil` if it does.
    func allocation(sampleRate: Double) -> (() -> Void)? {
        if rate.withLock({ $0 == sampleRate }) { return nil }
        return { self.allocate(sampleRate) }
    }

    /// The unit was deallocated, and is to be allocated before it runs again.
    func forget() { rate.withLock { $0 = 0 } }

    /// The client's code; under no lock of the engine. A unit that refuses stays silent.
    private func allocate(_ sampleRate: Double) {
        allocating.lock()
        defer { allocating.unlock() }
        rate.withLock { $0 = sampleRate }
        unit.deallocateRenderResources()
        unit.midiOutputEventBlock = { [weak self] time, cable, count, bytes in
            self?.send(UnsafeRawBufferPointer(start: bytes, count: count), at: time, cable: cable) ?? noErr
        }
        if unit.audioUnitMIDIProtocol == ._2_0 {
            unit.midiOutputEventListBlock = { [weak self] in self?.send($2, at: $0, cable: $1) ?? noErr }
        }
        for busses in [unit.inputBusses, unit.outputBusses] where busses.count > 0 {
            let channels = max(busses[0].format.channelCount, 1)
            if let format = AVAudioFormat(standardFormatWithSampleRate: sampleRate, channels: channels) {
                try? busses[0].setFormat(format)
            }
        }
        music.lendBeats(to: unit)
        do { try unit.allocateRenderResources() } catch { return report(error) }
        let channels = unit.outputBusses.count > 0 ? Int(unit.outputBusses[0].format.channelCount) : 0
        let made = Runner(unit.renderBlock, channels: channels)
        runner.change { $0 = made }
    }

    // MARK: Render side

    /// Runs the unit for a block, unless it was run for it.
    func run(from start: Int64, frames: Int, rate: Double, _ time: AudioTimeStamp) {
        guard start != lastStart else { return }
        lastStart = start
        music.deliver(from: start, frames: frames, rate: rate, time)
        runner.read { runner in
            guard let runner else { return }
            for index in 0..<runner.list.count {
                runner.list[index] = AudioBuffer(
                    mNumberChannels: 1, mDataByteSize: UInt32(frames * MemoryLayout<Float>.stride), mData: nil)
            }
            var flags = AudioUnitRenderActionFlags(), time = time
            _ = ClientCode.run {
                runner.block(
                    &flags, &time, AUAudioFrameCount(frames), 0, runner.list.unsafeMutablePointer
                ) { _, _, _, _, _ in kAudioUnitErr_NoConnection }
            }
        }
    }

    /// What the unit has sent, from within its render block.
    private func send(_ bytes: UnsafeRawBufferPointer, at time: AUEventSampleTime, cable: UInt8) -> OSStatus {
        outlet.read { outlet in
            var status = noErr
            for index in 0..<outlet.targets.count {
                let isSent = ClientCode.callBack { outlet.targets[index].send(midi: bytes, at: time, cable: cable) }
                if !isSent { status = kAudioUnitErr_MIDIOutputBufferFull }
            }
            for index in 0..<outlet.listeners.count { outlet.listeners[index].hear(bytes, time, cable) }
            return status
        }
    }

    private func send(_ list: UnsafePointer<MIDIEventList>, at time: AUEventSampleTime, cable: UInt8) -> OSStatus {
        outlet.read { outlet in
            var status = noErr
            for index in 0..<outlet.targets.count {
                let result = ClientCode.callBack { outlet.targets[index].send(list, at: time, cable: cable) }
                if result != noErr { status = result }
            }
            for index in 0..<outlet.listeners.count {
                if case .events(let block) = outlet.listeners[index] { _ = block(time, cable, list) }
            }
            return status
        }
    }
}

extension MIDIWires.Listener {
    /// A MIDI 1.0 message. A listener to Universal MIDI gets channel messages as such; system exclusive ones are left
    /// out.
    fileprivate func hear(_ bytes: UnsafeRawBufferPointer, _ time: AUEventSampleTime, _ cable: UInt8) {
        switch self {
        case .bytes(let block):
            guard let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
            _ = block(time, cable, bytes.count, start)
        case .events(let block):
            guard let status = bytes.first, (0x80...0xEF).contains(status), bytes.count <= 3 else { return }
            let data1 = bytes.count > 1 ? UInt32(bytes[1]) : 0, data2 = bytes.count > 2 ? UInt32(bytes[2]) : 0
            var list = MIDIEventList()
            (list.protocol, list.numPackets) = (._1_0, 1)
            list.packet.wordCount = 1
            list.packet.words.0 = 0x2 << 28 | UInt32(cable & 15) << 24 | UInt32(status) << 16 | data1 << 8 | data2
            _ = block(time, cable, &list)
        }
    }
}
