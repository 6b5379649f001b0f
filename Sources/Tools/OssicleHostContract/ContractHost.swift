import Foundation
import OssicleAVFAudio
import OssicleAudioToolbox
import OssicleCoreAudioTypes

/// What a unit gave: sound, and MIDI with times counted from the take's first frame.
struct Take: Equatable {
    struct Event: Equatable {
        let frame: Int
        let bytes: [UInt8]
    }

    var planes: [[Float]] = []
    var events: [Event] = []

    var isFinite: Bool { planes.allSatisfy { $0.allSatisfy(\.isFinite) } }
    var peak: Double { planes.reduce(0) { $1.reduce($0) { max($0, Double($1.magnitude)) } } }
    /// Frame of the first sound above −80 dB or the first message.
    var onset: Int? {
        let sound = planes.compactMap { $0.firstIndex { $0.magnitude > 1e-4 } }.min()
        return [sound, events.first?.frame].compactMap(\.self).min()
    }
}

/// Hosts one unit: sets formats, allocates, and renders cycles into memory that has guards behind it.
final class ContractHost {
    let unit: AUAudioUnit
    let inputs: Int
    let outputs: Int
    /// Frame of the next cycle.
    private(set) var time = 0
    private(set) var lastStatus = noErr
    private let block: AURenderBlock
    private let pull: AURenderPullInputBlock?
    private let feed: Feed
    private let messages: Messages
    private let list: UnsafeMutableAudioBufferListPointer
    private let memory: UnsafeMutablePointer<Float>
    private let stride: Int
    private let watch: (Bool) -> Void

    /// Floats behind each plane that no unit may write.
    private static let guards = 16
    private static let mark: Float = -77_777

    init(
        _ unit: AUAudioUnit, rate: Double, inputs: Int, outputs: Int, maximum: Int, watch: @escaping (Bool) -> Void,
        sound: @escaping (Int, Int) -> Float
    ) throws {
        (self.unit, self.inputs, self.outputs, self.watch) = (unit, inputs, outputs, watch)
        if inputs > 0 { for bus in unit.inputBusses { try bus.setFormat(Self.format(rate, inputs)) } }
        if outputs > 0 { for bus in unit.outputBusses { try bus.setFormat(Self.format(rate, outputs)) } }
        unit.maximumFramesToRender = AUAudioFrameCount(maximum)
        let messages = Messages(), feed = Feed(channels: inputs, busses: inputs > 0 ? unit.inputBusses.count : 0, sound)
        (self.messages, self.feed) = (messages, feed)
        unit.midiOutputEventBlock = { messages.take($0, $2, $3) }
        try unit.allocateRenderResources()
        block = unit.renderBlock
        pull = inputs > 0 ? { _, _, frames, bus, list in feed.give(Int(frames), bus, list) } : nil
        stride = maximum + Self.guards
        memory = .allocate(capacity: max(outputs, 1) * stride)
        memory.initialize(repeating: Self.mark, count: max(outputs, 1) * stride)
        list = AudioBufferList.allocate(maximumBuffers: max(outputs, 1))
        list.count = outputs
    }

    deinit {
        unit.deallocateRenderResources()
        free(list.unsafeMutablePointer)
        memory.deallocate()
    }

    static func format(_ rate: Double, _ channels: Int) throws -> AVAudioFormat {
        if channels <= 2,
            let plain = AVAudioFormat(
                standardFormatWithSampleRate: rate, channels: AVAudioChannelCount(channels))
        {
            return plain
        }
        let tag =
            channels == 6
            ? kAudioChannelLayoutTag_MPEG_5_1_A : kAudioChannelLayoutTag_DiscreteInOrder | UInt32(channels)
        guard let layout = AVAudioChannelLayout(layoutTag: tag) else {
            throw ContractFault("no layout of \(channels) channels")
        }
        return AVAudioFormat(standardFormatWithSampleRate: rate, channelLayout: layout)
    }

    /// The input begins at its first frame again, and from now on is silent behind `end`.
    func rewind(until end: Int = .max) {
        feed.rewind(until: end)
    }

    /// Renders `frames` frames in calls of the lengths `cuts`, again and again. Throws for a status that is not
    /// `noErr`, and for a write beyond the frames that were wanted.
    func render(_ frames: Int, cuts: [Int] = [512]) throws -> Take {
        var take = Take(planes: Array(repeating: [], count: outputs))
        let start = time
        messages.clear()
        var (left, turn) = (frames, 0)
        while left > 0 {
            let count = min(cuts[turn % cuts.count], left)
            try cycle(count)
            for channel in 0..<outputs {
                take.planes[channel] += UnsafeBufferPointer(start: memory + channel * stride, count: count)
            }
            (left, turn) = (left - count, turn + 1)
        }
        take.events = messages.all(from: start)
        return take
    }

    /// One call, into the host's memory.
    func cycle(_ frames: Int) throws {
        for channel in 0..<outputs {
            let plane = memory + channel * stride
            plane.update(repeating: Self.mark, count: min(frames + Self.guards, stride))
            list[channel] = AudioBuffer(
                mNumberChannels: 1, mDataByteSize: UInt32(frames * MemoryLayout<Float>.stride), mData: plane)
        }
        call(frames)
        guard lastStatus == noErr else { throw ContractFault("status \(lastStatus) for \(frames) frames") }
        for channel in 0..<outputs {
            guard let data = list[channel].mData?.assumingMemoryBound(to: Float.self) else {
                throw ContractFault("the list came back without memory")
            }
            let plane = memory + channel * stride
            for index in 0..<Self.guards where plane[frames + index] != Self.mark {
                throw ContractFault("wrote beyond the \(frames) frames of channel \(channel)")
            }
            // A unit may answer with memory of its own.
            if data != plane { plane.update(from: data, count: frames) }
        }
        time += frames
    }

    /// One call without memory; whether the unit lent some.
    func cycleWithoutMemory(_ frames: Int) -> Bool {
        for channel in 0..<outputs {
            list[channel] = AudioBuffer(
                mNumberChannels: 1, mDataByteSize: UInt32(frames * MemoryLayout<Float>.stride), mData: nil)
        }
        call(frames)
        time += frames
        return lastStatus == noErr && list.allSatisfy { $0.mData != nil }
    }

    private func call(_ frames: Int) {
        var flags = AudioUnitRenderActionFlags(), stamp = AudioTimeStamp()
        (stamp.mSampleTime, stamp.mFlags) = (Double(time), .sampleTimeValid)
        watch(true)
        lastStatus = block(&flags, &stamp, AUAudioFrameCount(frames), 0, list.unsafeMutablePointer, pull)
        watch(false)
        guard lastStatus == noErr, flags.contains(.unitRenderAction_OutputIsSilence) else { return }
        for buffer in list {
            buffer.mData?.assumingMemoryBound(to: Float.self).update(repeating: 0, count: frames)
        }
    }

    func send(_ bytes: [UInt8], at frame: Int) {
        bytes.withUnsafeBufferPointer {
            if let start = $0.baseAddress {
                unit.scheduleMIDIEventBlock?(AUEventSampleTime(frame), 0, $0.count, start)
            }
        }
    }
}

/// The sound a host gives its unit, computed ahead: 32,768 frames, then silence. Render side but for `init` and
/// `rewind`.
private final class Feed {
    private static let length = 32_768
    private let planes: UnsafeMutablePointer<Float>
    private let positions: UnsafeMutablePointer<Int>
    private let channels: Int
    private let busses: Int
    private var end = Feed.length

    init(channels: Int, busses: Int, _ sound: (Int, Int) -> Float) {
        (self.channels, self.busses) = (channels, busses)
        planes = .allocate(capacity: max(channels, 1) * Self.length)
        for channel in 0..<channels {
            for frame in 0..<Self.length { planes[channel * Self.length + frame] = sound(frame, channel) }
        }
        positions = .allocate(capacity: max(busses, 1))
        positions.initialize(repeating: 0, count: max(busses, 1))
    }

    deinit {
        planes.deallocate()
        positions.deallocate()
    }

    func rewind(until end: Int) {
        self.end = min(end, Self.length)
        positions.update(repeating: 0, count: max(busses, 1))
    }

    func give(_ frames: Int, _ bus: Int, _ list: UnsafeMutablePointer<AudioBufferList>) -> AUAudioUnitStatus {
        let buffers = UnsafeMutableAudioBufferListPointer(list)
        guard (0..<busses).contains(bus), buffers.count == channels else { return kAudioUnitErr_InvalidElement }
        let position = positions[bus], heard = max(min(frames, end - position), 0)
        for channel in 0..<channels {
            guard let target = buffers[channel].mData?.assumingMemoryBound(to: Float.self) else {
                return kAudio_ParamError
            }
            if heard > 0 { target.update(from: planes + channel * Self.length + position, count: heard) }
            (target + heard).update(repeating: 0, count: frames - heard)
        }
        positions[bus] = position + frames
        return noErr
    }
}

/// The MIDI a unit sends while it renders, up to 4,096 messages of three bytes.
private final class Messages {
    private static let capacity = 4096
    private let events = UnsafeMutablePointer<(time: Int64, count: UInt8, UInt8, UInt8, UInt8)>.allocate(
        capacity: Messages.capacity)
    private var count = 0

    deinit { events.deallocate() }

    func clear() { count = 0 }

    func take(_ time: AUEventSampleTime, _ length: Int, _ bytes: UnsafePointer<UInt8>) -> OSStatus {
        guard count < Self.capacity, length > 0 else { return kAudioUnitErr_MIDIOutputBufferFull }
        (events + count).initialize(
            to: (
                time, UInt8(min(length, 3)), bytes[0], length > 1 ? bytes[1] : 0, length > 2 ? bytes[2] : 0
            ))
        count += 1
        return noErr
    }

    func all(from start: Int) -> [Take.Event] {
        (0..<count).map { index in
            let event = events[index]
            return Take.Event(
                frame: Int(event.time) - start, bytes: Array([event.2, event.3, event.4].prefix(Int(event.count))))
        }
    }
}
