// What an instrument's body needs to render.

import OssicleAudioToolbox
import OssicleCore
import OssicleCoreAudioTypes
import OssicleInstruments
import OssicleNodes
import OssicleRender

/// Takes the values of parameters to the player in use.
final class InstrumentStage: @unchecked Sendable {
    var settings: () -> Synthesiser.Settings = { Synthesiser.Settings() }
    var player: (any BankPlayer)?

    /// Takes no lock and no memory.
    func update() { player?.set(settings()) }
}

/// The parameters of a sampler, or of a synthesiser that has some.
struct InstrumentValues {
    private let gain, coarse, fine, pan, reverb: ParameterValue?
    private let isSampler: Bool

    init(_ tree: AUParameterTree, isSampler: Bool) {
        let values = tree.stored.values
        func value(_ id: AudioUnitParameterID) -> ParameterValue? { values[AUParameterAddress(id)] }
        self.isSampler = isSampler
        gain = value(isSampler ? kAUSamplerParam_Gain : kMusicDeviceParam_Volume)
        coarse = isSampler ? value(kAUSamplerParam_CoarseTuning) : nil
        fine = value(isSampler ? kAUSamplerParam_FineTuning : kMusicDeviceParam_Tuning)
        pan = isSampler ? value(kAUSamplerParam_Pan) : nil
        reverb = isSampler ? nil : value(kMusicDeviceParam_ReverbVolume)
    }

    /// Takes no lock and no memory.
    func settings(hasEffects: Bool) -> Synthesiser.Settings {
        var settings = isSampler ? Synthesiser.Settings() : .generalMIDI
        settings.gain *= Self.amplitude(gain)
        settings.reverbGain = Self.amplitude(reverb)
        settings.tuning = (coarse?.current ?? 0) * 100 + (fine?.current ?? 0)
        settings.pan = pan?.current ?? 0
        settings.hasEffects = hasEffects
        return settings
    }

    private static func amplitude(_ decibels: ParameterValue?) -> Float {
        guard let value = decibels?.current, value != 0 else { return 1 }
        return Float(DeterministicMath.exp(Double(value) * (DeterministicMath.ln10 / 20)))
    }
}

/// What an instrument needs while it is allocated.
final class InstrumentRig: @unchecked Sendable {
    let player: any BankPlayer
    private let output: UnitOutput
    private let channels: Int
    /// The right channel of a mono output.
    private let spare: SampleMemory
    /// Of the bytes in a MIDI event. Looked up here, because the runtime takes memory for it.
    private let dataOffset = MemoryLayout<AUMIDIEvent>.offset(of: \.data) ?? 21

    init(_ player: any BankPlayer, _ format: AVAudioFormat, frames: Int, _ ramps: ParameterRamps) {
        (self.player, channels) = (player, Int(format.channelCount))
        output = UnitOutput(format, frames: frames, ramps)
        spare = SampleMemory(count: frames)
    }

    func render(
        _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>, _ time: UnsafePointer<AudioTimeStamp>, _ frames: Int,
        _ list: UnsafeMutablePointer<AudioBufferList>, _ events: UnsafePointer<AURenderEvent>?
    ) -> AUAudioUnitStatus {
        let start = RenderCycle.frame(time.pointee) ?? events?.pointee.head.eventSampleTime ?? 0
        var next = events
        player.begin()
        output.render(
            frames, from: start, ParameterEvents(events), into: UnsafeMutableAudioBufferListPointer(list)
        ) { count, offset, planes in
            // Pieces end where events are due.
            while let event = next, event.pointee.head.eventSampleTime <= start + Int64(offset) {
                take(event)
                next = event.pointee.head.next.map { UnsafePointer($0) }
            }
            write(count, offset, planes)
        }
        return noErr
    }

    private func write(_ count: Int, _ offset: Int, _ planes: UnsafePointer<UnsafeMutablePointer<Float>>) {
        let left = planes[0] + offset
        guard channels > 1 else {
            // What is in the middle comes from two loudspeakers, or as loud from one.
            let right = spare.pointer
            player.render(count, left: left, right: right)
            for frame in 0..<count { left[frame] = (left[frame] + right[frame]) * 0.70710677 }
            return
        }
        player.render(count, left: left, right: planes[1] + offset)
        for channel in 2..<max(channels, 2) { (planes[channel] + offset).update(repeating: 0, count: count) }
    }

    private func take(_ event: UnsafePointer<AURenderEvent>) {
        switch event.pointee.head.eventType {
        case .MIDI, .midiSysEx:
            player.take(
                UnsafeRawBufferPointer(
                    start: UnsafeRawPointer(event) + dataOffset, count: Int(event.pointee.MIDI.length)))
        case .midiEventList:
            // A list of one packet.
            let packet = event.pointee.MIDIEventsList.eventList.packet
            player.take((packet.words.0, packet.wordCount > 1 ? packet.words.1 : 0))
        default: break
        }
    }
}
