import OssicleAudioToolbox
import OssicleCoreAudioTypes
import OssicleProperties

/// Properties of the player of slices.
enum PlayerProperties {
    static var table: [AudioUnitPropertyID: UnitProperty] {
        [
            kAudioUnitProperty_ScheduleAudioSlice: UnitProperty(
                scopes: UnitProperty.global, write: schedule, size: MemoryLayout<ScheduledAudioSlice>.size),
            kAudioUnitProperty_ScheduleStartTimeStamp: .order(UnitProperty.global) { place, time in
                try body(place).playing().start(at: time)
            },
            kAudioUnitProperty_CurrentPlayTime: .value(read: { place in
                var time = AudioTimeStamp()
                let player = try body(place), rig = try? player.playing()
                (time.mSampleTime, time.mFlags) = (Double(rig?.currentFrame ?? -1), .sampleTimeValid)
                return time
            }),
        ]
    }

    private static func body(_ place: UnitPlace) throws -> PlayerBody {
        guard let body = place.unit.body as? PlayerBody else { throw StatusError(kAudioUnitErr_InvalidProperty) }
        return body
    }

    /// The slice stays where the client has it: its flags are written there.
    private static func schedule(_ place: UnitPlace, _ data: PropertyData) throws {
        let rig = try body(place).playing()
        guard let memory = data.bytes.baseAddress, data.bytes.count >= MemoryLayout<ScheduledAudioSlice>.size,
            UInt(bitPattern: memory) % UInt(MemoryLayout<ScheduledAudioSlice>.alignment) == 0
        else { throw StatusError(kAudioUnitErr_InvalidPropertyValue) }
        try rig.schedule(
            UnsafeMutableRawPointer(mutating: memory).assumingMemoryBound(to: ScheduledAudioSlice.self))
    }
}
