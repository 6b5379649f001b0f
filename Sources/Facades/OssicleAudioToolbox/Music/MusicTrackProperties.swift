// Properties of tracks, in the C interface's spelling.

import OssicleMIDI
import OssicleProperties

/// Sets a property of a track. `kAudio_ParamError` for one that is not there, for a wrong size and for values out of
/// range.
@discardableResult
public func MusicTrackSetProperty(
    _ inTrack: MusicTrack, _ inPropertyID: UInt32, _ inData: UnsafeMutableRawPointer, _ inLength: UInt32
) -> OSStatus {
    withTrack(inTrack) { track throws(StatusError) in
        func value<Value: BitwiseCopyable>(_ type: Value.Type) throws(StatusError) -> Value {
            guard Int(inLength) >= MemoryLayout<Value>.size else { throw StatusError(kAudio_ParamError) }
            return inData.loadUnaligned(as: type)
        }
        func beats() throws(StatusError) -> Double {
            let beats = try value(Double.self)
            guard MIDITrack.beats.contains(beats) else { throw StatusError(kAudio_ParamError) }
            return beats
        }
        switch inPropertyID {
        case kSequenceTrackProperty_LoopInfo:
            let loop = try value(MusicTrackLoopInfo.self)
            guard loop.loopDuration >= 0, MIDITrack.beats.contains(loop.loopDuration), loop.numberOfLoops >= 0 else {
                throw StatusError(kAudio_ParamError)
            }
            track.set(\.region, .tail(loop.loopDuration))
            track.set(\.loopCount, Int(loop.numberOfLoops))
            track.set(\.isLooping, loop.loopDuration > 0)
        case kSequenceTrackProperty_OffsetTime: track.set(\.offset, try beats())
        case kSequenceTrackProperty_MuteStatus: track.set(\.isMuted, try value(UInt8.self) != 0)
        case kSequenceTrackProperty_SoloStatus: track.set(\.isSoloed, try value(UInt8.self) != 0)
        case kSequenceTrackProperty_AutomatedParameters: track.set(\.isAutomation, try value(UInt32.self) != 0)
        case kSequenceTrackProperty_TrackLength: track.set(\.setLength, max(try beats(), 0))
        default: throw StatusError(kAudio_ParamError)
        }
    }
}

/// Writes a property of a track and its size. Without room nothing is written but the size.
@discardableResult
public func MusicTrackGetProperty(
    _ inTrack: MusicTrack, _ inPropertyID: UInt32, _ outData: UnsafeMutableRawPointer,
    _ ioLength: UnsafeMutablePointer<UInt32>
) -> OSStatus {
    withTrack(inTrack) { track throws(StatusError) in
        let value = try value(inPropertyID, of: track)
        try value.write(to: outData, ioLength, badSize: kAudio_ParamError)
    }
}

private func value(_ property: UInt32, of track: MIDITrack) throws(StatusError) -> PropertyValue {
    let settings = track.settings
    switch property {
    case kSequenceTrackProperty_LoopInfo: return .of(loop(settings, length: track.length))
    case kSequenceTrackProperty_OffsetTime: return .of(settings.offset)
    case kSequenceTrackProperty_MuteStatus: return .of(settings.isMuted)
    case kSequenceTrackProperty_SoloStatus: return .of(settings.isSoloed)
    case kSequenceTrackProperty_AutomatedParameters: return .of(UInt32(settings.isAutomation ? 1 : 0))
    case kSequenceTrackProperty_TrackLength: return .of(track.length)
    case kSequenceTrackProperty_TimeResolution:
        guard track.isTempoTrack, let sequence = SequenceHandles.sequences.first(where: { $0.owns(track) }) else {
            throw StatusError(kAudio_ParamError)
        }
        return .of(sequence.division.resolution)
    default: throw StatusError(kAudio_ParamError)
    }
}

private func loop(_ settings: MIDITrack.Settings, length: Double) -> MusicTrackLoopInfo {
    guard settings.isLooping else { return MusicTrackLoopInfo(loopDuration: 0, numberOfLoops: 1) }
    let duration =
        switch settings.region {
        case .whole: length
        case .range(let start, _): max(length - start, 0)
        case .tail(let tail): tail
        }
    return MusicTrackLoopInfo(loopDuration: duration, numberOfLoops: Int32(clamping: settings.loopCount))
}
