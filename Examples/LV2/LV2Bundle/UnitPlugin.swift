import AVFoundation
import LV2Interface

/// An audio unit that an LV2 host runs. What is fetched and allocated is so before `run`, which is the render thread's.
public final class UnitPlugin {
    private let unit: AUAudioUnit
    private let ports: UnitPorts
    private let memory: UnsafeMutablePointer<UnsafeMutableRawPointer?>
    private let values: UnsafeMutablePointer<Float>
    private let addresses: [AUParameterAddress]
    private let list: UnsafeMutableAudioBufferListPointer
    private let midiType: UInt32
    private var render: AURenderBlock?
    private var schedule: AUScheduleParameterBlock?
    private var send: AUScheduleMIDIEventBlock?
    private var pull: AURenderPullInputBlock?
    private var time = AudioTimeStamp()
    private static let longestBlock: UInt32 = 8192

    /// - Parameter midiType: the host's number for MIDI events; 0 for a host without numbers.
    public init(_ unit: AUAudioUnit, rate: Double, midiType: UInt32) throws {
        (self.unit, self.midiType, ports) = (unit, midiType, UnitPorts(of: unit))
        for busses in [unit.inputBusses, unit.outputBusses] where busses.count > 0 {
            let channels = busses[0].format.channelCount
            if let format = AVAudioFormat(standardFormatWithSampleRate: rate, channels: channels) {
                try busses[0].setFormat(format)
            }
        }
        unit.maximumFramesToRender = Self.longestBlock
        memory = .allocate(capacity: ports.count)
        memory.initialize(repeating: nil, count: ports.count)
        values = .allocate(capacity: max(ports.parameters.count, 1))
        values.initialize(repeating: .nan, count: max(ports.parameters.count, 1))
        addresses = ports.parameters.map(\.address)
        list = AudioBufferList.allocate(maximumBuffers: max(ports.outputs, 1))
        list.count = ports.outputs
        time.mFlags = .sampleTimeValid
    }

    deinit {
        unit.deallocateRenderResources()
        memory.deallocate()
        values.deallocate()
        free(list.unsafeMutablePointer)
    }

    public func connect(_ port: Int, to data: UnsafeMutableRawPointer?) {
        if (0..<ports.count).contains(port) { memory[port] = data }
    }

    /// Not on the render thread.
    public func activate() {
        unit.deallocateRenderResources()
        // An allocation that fails leaves silence.
        guard (try? unit.allocateRenderResources()) != nil else { return }
        (render, schedule, send) = (unit.renderBlock, unit.scheduleParameterBlock, unit.scheduleMIDIEventBlock)
        let (memory, inputs) = (memory, ports.inputs)
        pull = { [unowned self] _, _, frames, _, list in
            let buffers = UnsafeMutableAudioBufferListPointer(list)
            for channel in 0..<min(buffers.count, inputs) {
                guard let source = memory[channel], let target = buffers[channel].mData else { continue }
                target.copyMemory(from: source + Int(offset) * 4, byteCount: Int(frames) * 4)
            }
            return noErr
        }
        time.mSampleTime = 0
        values.update(repeating: .nan, count: addresses.count)
    }

    public func deactivate() {
        render = nil
        unit.deallocateRenderResources()
    }

    /// Frames of the host's block that are done.
    private var offset: UInt32 = 0

    public func run(_ frames: UInt32) {
        takeValues()
        takeMIDI()
        offset = 0
        while offset < frames {
            let count = min(frames - offset, Self.longestBlock)
            cycle(count)
            offset += count
        }
        memory[ports.latency]?.assumingMemoryBound(to: Float.self).pointee = Float(
            (unit.latency * unit.outputBusses[0].format.sampleRate).rounded())
    }

    private func cycle(_ frames: UInt32) {
        for channel in 0..<ports.outputs {
            list[channel] = AudioBuffer(
                mNumberChannels: 1, mDataByteSize: frames * 4,
                mData: memory[ports.inputs + channel].map { $0 + Int(offset) * 4 })
        }
        var flags = AudioUnitRenderActionFlags()
        let status = render?(&flags, &time, frames, 0, list.unsafeMutablePointer, ports.inputs > 0 ? pull : nil)
        if status != noErr || flags.contains(.unitRenderAction_OutputIsSilence) {
            for buffer in list { buffer.mData?.initializeMemory(as: UInt8.self, repeating: 0, count: Int(frames) * 4) }
        }
        time.mSampleTime += Double(frames)
    }

    /// Controls that have changed, from the block's first frame on.
    private func takeValues() {
        for index in 0..<addresses.count {
            guard let value = memory[ports.firstControl + index]?.load(as: Float.self), value != values[index] else {
                continue
            }
            values[index] = value
            schedule?(AUEventSampleTimeImmediate, 0, addresses[index], value)
        }
    }

    private func takeMIDI() {
        guard let port = ports.midi, let sequence = memory[port], let send else { return }
        let end = 8 + Int(sequence.load(as: LV2_Atom_Sequence.self).size)
        var place = MemoryLayout<LV2_Atom_Sequence>.size
        while place + MemoryLayout<LV2_Atom_Event>.size <= end {
            let event = sequence.loadUnaligned(fromByteOffset: place, as: LV2_Atom_Event.self)
            place += MemoryLayout<LV2_Atom_Event>.size
            if event.type == midiType, event.size > 0 {
                let bytes = (sequence + place).assumingMemoryBound(to: UInt8.self)
                send(AUEventSampleTimeImmediate + min(event.frame, 4095), 0, Int(event.size), bytes)
            }
            place += (Int(event.size) + 7) & ~7
        }
    }
}
