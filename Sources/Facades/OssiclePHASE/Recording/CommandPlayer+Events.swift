import Foundation
import OssicleAVFAudio
import OssicleCoreAudioTypes
import OssiclePlayback
import OssicleRecording

/// Sound events, their streams and effects.
extension CommandPlayer {
    func performOnEvent(_ command: PHASECommand) throws {
        switch command {
        case .event(let number, let asset, let placements):
            let parameters = PHASEMixerParameters()
            for (mixer, placement) in placements {
                let listener: PHASEListener = try object(placement.listener)
                if let source = placement.source {
                    parameters.addSpatialMixerParameters(
                        identifier: mixer, source: try object(source), listener: listener)
                } else {
                    parameters.addAmbientMixerParameters(identifier: mixer, listener: listener)
                }
            }
            let event = try PHASESoundEvent(engine: engine, assetIdentifier: asset, mixerParameters: parameters)
            guard event.instance.parts.number == number else {
                throw refusal("event \(number) became number \(event.instance.parts.number)")
            }
            events[number] = event
            for (name, node) in event.pullStreamNodes { node.renderHandler = try pullHandler(number, name) }
        case .prepare(let number): try event(number).prepare()
        case .startEvent(let number, let time): try event(number).start(at: time.map(AVAudioTime.made))
        case .pauseEvent(let number): try event(number).pause()
        case .resumeEvent(let number, let time): try event(number).resume(at: time.map(AVAudioTime.made))
        case .seek(let number, let seconds, let time):
            try event(number).performSeek(to: seconds, resumeAt: time.map(AVAudioTime.made), nil)
        case .stopEvent(let number): try event(number).stopAndInvalidate()
        case .number(let number, let name, let value): try parameter(number, name).value = value
        case .text(let number, let name, let value): try parameter(number, name).value = value
        case .fadeNumber(let number, let name, let value, let seconds):
            try found(parameter(number, name) as? PHASENumberMetaParameter, "number “\(name)”")
                .fade(value: value, duration: seconds)
        case .push(let number, let node, let sound, let time, let options):
            let stream = try found(event(number).pushStreamNodes[node], "stream “\(node)”")
            let buffer = try found(
                AVAudioPCMBuffer.made(of: sound, reader.bytes(sound.data)), "a buffer of stream “\(node)”")
            stream.scheduleBuffer(
                buffer: buffer, time: time.map(AVAudioTime.made),
                options: PHASEPushStreamBufferOptions(rawValue: options))
        case .inserts(let number, let mixer, let row): try setInserts(row, of: number, mixer: mixer)
        case .insertChange(let number, let change):
            try found(inserts[number], "effect \(number)").applyInsertState([change])
        default: break
        }
    }

    /// Plays what the handler of a stream gave.
    private func pullHandler(_ event: UInt64, _ name: String) throws -> PHASEPullStreamRenderHandler {
        let pieces = try (pulled[event]?[name] ?? []).map { sound, frame in
            let buffer = try found(
                AVAudioPCMBuffer.made(of: sound, reader.bytes(sound.data)), "what stream “\(name)” played")
            return (start: frame, sound: buffer)
        }
        let captured = CapturedPull(pieces.sorted { $0.start < $1.start })
        return { isSilence, time, count, list in
            captured.render(
                isSilence, from: Int64(time.pointee.mSampleTime), Int(count),
                into: UnsafeMutableAudioBufferListPointer(list))
            return noErr
        }
    }

    private func setInserts(_ row: [PHASECommand.Insert], of number: UInt64, mixer name: String) throws {
        let mixer = number == 0 ? nil : try found(event(number).mixers[name], "mixer “\(name)”")
        let before = mixer?.insertEffects ?? engine.insertEffects
        let units = row.map { insert in
            let unit = inserts[insert.number] ?? insert.kind.make()
            inserts[insert.number] = unit
            if !before.contains(unit) { unit.applyInsertState(insert.state) }
            return unit
        }
        let place = InsertPlace(event: number, mixer: name)
        for (insert, unit) in zip(row, units) {
            if let last = places[insert.number], last != place { free(unit, from: last) }
            places[insert.number] = place
        }
        if let mixer { mixer.insertEffects = units } else { engine.insertEffects = units }
    }

    /// A unit that the recorded program has inserted elsewhere was free. Where no command took it out of its last chain,
    /// that chain went with its event, which here is kept.
    private func free(_ unit: AVAudioUnitEffect, from place: InsertPlace) {
        guard let mixer = events[place.event]?.mixers[place.mixer], mixer.insertEffects.contains(unit) else { return }
        mixer.insertEffects = mixer.insertEffects.filter { $0 !== unit }
    }

    private func parameter(_ event: UInt64, _ name: String) throws -> PHASEMetaParameter {
        let all = event == 0 ? engine.assetRegistry.globalMetaParameters : try self.event(event).metaParameters
        return try found(all[name], "meta-parameter “\(name)”")
    }
}
