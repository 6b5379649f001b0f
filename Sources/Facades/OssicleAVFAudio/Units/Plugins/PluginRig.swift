import OssicleAudioToolbox
import OssicleCore
import OssicleCoreAudioTypes
import OssiclePlugins
import OssicleRender

/// What a unit may ask its host while it renders.
struct UnitSurroundings {
    var musicalContext: AUHostMusicalContextBlock?
    var transportState: AUHostTransportStateBlock?
    var midiOutput: AUMIDIOutputEventBlock?
}

/// What a plug-in needs while it is allocated: takes a cycle's sound, parameters and MIDI to it, and brings back what
/// it makes. Render side, except for `init`.
final class PluginRig: @unchecked Sendable {
    let renderer: PluginRenderer
    private let input: PulledInput?
    /// Of the second bus.
    private let sidechain: PulledInput?
    private let output: UnitOutput?
    private let outputChannels: Int
    private let inputChannels: Int
    private let ramps: ParameterRamps
    private let surroundings: UnitSurroundings
    private let bypass: SharedFlag
    private let offline: SharedFlag
    /// Ports of control, or properties, that are set, and their values.
    private let ports: UnsafeMutableBufferPointer<Setting>
    private typealias Setting = (number: Int, isProperty: Bool, value: Unmanaged<ParameterValue>)
    /// Frames rendered, for hosts that give no time.
    private var position: Int64 = 0
    private var isSilent = false

    init(
        _ plugin: PluginDescription, _ renderer: PluginRenderer, _ shape: UnitShape, _ values: ParameterTable,
        surroundings: UnitSurroundings, bypass: SharedFlag, offline: SharedFlag
    ) {
        (self.renderer, self.surroundings, self.bypass, self.offline) = (renderer, surroundings, bypass, offline)
        input = shape.inputs.first.map { PulledInput($0, capacity: shape.maximumFrames) }
        sidechain = shape.inputs.count > 1 ? PulledInput(shape.inputs[1], capacity: shape.maximumFrames) : nil
        inputChannels = shape.inputs.first.map { Int($0.channelCount) } ?? 0
        outputChannels = shape.outputs.first.map { Int($0.channelCount) } ?? 0
        let ramps = ParameterRamps(values, UpdateTurn {})
        self.ramps = ramps
        output = shape.outputs.first.map { UnitOutput($0, frames: shape.maximumFrames, ramps) }
        let first = PluginDescription.firstPropertyAddress
        let set =
            plugin.ports.indices.compactMap { index -> Setting? in
                guard plugin.ports[index].isInput, let value = values[UInt64(index)] else { return nil }
                return (index, false, .passRetained(value))
            }
            + plugin.properties.indices.compactMap { index -> Setting? in
                values[UInt64(first + index)].map { (index, true, .passRetained($0)) }
            }
        ports = .allocate(capacity: set.count)
        _ = ports.initialize(from: set)
    }

    deinit {
        for entry in ports { entry.value.release() }
        ports.deallocate()
    }

    /// Not while rendering.
    func reset() {
        renderer.forgetSent()
        position = 0
    }

    func render(
        _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>, _ time: UnsafePointer<AudioTimeStamp>, _ frames: Int,
        _ list: UnsafeMutablePointer<AudioBufferList>, _ events: UnsafePointer<AURenderEvent>?,
        _ pull: AURenderPullInputBlock?
    ) -> AUAudioUnitStatus {
        let start = RenderCycle.frame(time.pointee) ?? position
        position = start + Int64(frames)
        if let input {
            guard let pull else { return kAudioUnitErr_NoConnection }
            let status = input.pull(pull, time, frames: frames, bus: 0)
            guard status == noErr else { return status }
            // Without a connection there is silence.
            if let sidechain { _ = sidechain.pull(pull, time, frames: frames, bus: 1) }
        }
        let isOffline = offline.isOn, isBypassed = bypass.isOn && input != nil
        isSilent = isBypassed || !renderer.begin(isOffline: isOffline)
        if !isSilent { layDown(start, frames, events) }
        guard let output else {
            ramps.cut(ParameterEvents(events), from: start, frames: frames) { offset, _ in setValues(at: offset) }
            if !isSilent, renderer.render(frames: frames, isOffline: isOffline) { sendMIDI(from: start, frames) }
            return noErr
        }
        output.render(
            frames, from: start, ParameterEvents(events), into: UnsafeMutableAudioBufferListPointer(list)
        ) { count, offset, planes in
            setValues(at: offset)
            if offset + count == frames { finish(frames, start, isOffline, isBypassed, planes) }
        }
        return noErr
    }

    // MARK: Into the plug-in

    private func setValues(at offset: Int) {
        if isSilent { return }
        for index in 0..<ports.count {
            let value = ports[index].value._withUnsafeGuaranteedRef { $0.current }
            if ports[index].isProperty {
                renderer.set(value, property: ports[index].number, frame: offset)
            } else {
                renderer.set(value, port: ports[index].number, frame: offset)
            }
        }
    }

    private func layDown(_ start: Int64, _ frames: Int, _ events: UnsafePointer<AURenderEvent>?) {
        if let input { renderer.write(input.sound.planes, sidechain: sidechain?.sound.planes, frames: frames) }
        setTransport(start)
        var next = events
        while let event = next {
            let head = event.pointee.head
            let frame = Int(min(max(head.eventSampleTime - start, 0), Int64(max(frames - 1, 0))))
            switch head.eventType {
            case .MIDI, .midiSysEx: send(bytesOf: event, at: frame)
            case .midiEventList: send(wordsOf: event, at: frame)
            case .parameter, .parameterRamp: break
            }
            next = head.next.map { UnsafePointer($0) }
        }
    }

    private func send(bytesOf event: UnsafePointer<AURenderEvent>, at frame: Int) {
        let length = Int(event.pointee.MIDI.length)
        guard let offset = MemoryLayout<AUMIDIEvent>.offset(of: \.data),
            length <= MemoryLayout<AURenderEvent>.size - offset
        else { return }
        let bytes = UnsafeRawPointer(event) + offset
        renderer.send(bytes.assumingMemoryBound(to: UInt8.self), count: length, frame: frame)
    }

    private func send(wordsOf event: UnsafePointer<AURenderEvent>, at frame: Int) {
        let packet = event.pointee.MIDIEventsList.eventList.packet
        withUnsafeBytes(of: packet.words) { words in
            var index = 0
            let count = min(Int(packet.wordCount), words.count / 4)
            while index < count {
                let word = words.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self)
                let next = index + 1 < count ? words.loadUnaligned(fromByteOffset: index * 4 + 4, as: UInt32.self) : 0
                var message = UniversalBytes.message(word, next)
                withUnsafeBytes(of: &message.bytes) { bytes in
                    if let first = bytes.baseAddress {
                        renderer.send(first.assumingMemoryBound(to: UInt8.self), count: message.count, frame: frame)
                    }
                }
                index += UniversalBytes.wordCount(word)
            }
        }
    }

    /// The transport of the host, if it has one.
    private func setTransport(_ frame: Int64) {
        guard let context = surroundings.musicalContext else { return }
        var tempo = 0.0, beats = 4.0, beat = 0.0, flags = AUHostTransportStateFlags(), place = Double(frame)
        let isKnown = ClientCode.run { context(&tempo, &beats, nil, &beat, nil, nil) }
        if let transport = surroundings.transportState { _ = ClientCode.run { transport(&flags, &place, nil, nil) } }
        let isFinite = tempo.isFinite && beats.isFinite && beat.isFinite && place.magnitude < 0x1p62
        guard isKnown, isFinite else { return }
        renderer.setTransport(
            tempo: tempo, beat: beat, beatsInBar: beats, frame: Int64(place), isRolling: flags.contains(.moving))
    }

    // MARK: Out of the plug-in

    private func finish(
        _ frames: Int, _ start: Int64, _ isOffline: Bool, _ isBypassed: Bool,
        _ planes: UnsafePointer<UnsafeMutablePointer<Float>>
    ) {
        if !isSilent, renderer.render(frames: frames, isOffline: isOffline) {
            if renderer.shape.routing.outputs > 0 {
                renderer.read(into: planes, channels: outputChannels, frames: frames)
            } else {
                pass(planes, frames)
            }
            return sendMIDI(from: start, frames)
        }
        if isBypassed { return pass(planes, frames) }
        for channel in 0..<outputChannels { planes[channel].update(repeating: 0, count: frames) }
    }

    /// The input as it is, channel by channel: past a unit that is bypassed, or that only watches.
    private func pass(_ planes: UnsafePointer<UnsafeMutablePointer<Float>>, _ frames: Int) {
        for channel in 0..<outputChannels {
            if let input, inputChannels > 0, channel < inputChannels || inputChannels == 1 {
                planes[channel].update(from: input.sound.planes[min(channel, inputChannels - 1)], count: frames)
            } else {
                planes[channel].update(repeating: 0, count: frames)
            }
        }
    }

    private func sendMIDI(from start: Int64, _ frames: Int) {
        guard let block = surroundings.midiOutput else { return }
        renderer.receive { frame, bytes, count in
            _ = ClientCode.run { block(start + Int64(min(frame, frames - 1)), 0, count, bytes) }
        }
    }
}
