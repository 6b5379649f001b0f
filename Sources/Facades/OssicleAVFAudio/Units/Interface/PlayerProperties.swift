import OssicleAudioToolbox
import OssicleCoreAudioTypes
import OssicleProperties

/// Properties of the players of slices and of files.
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
            kAudioUnitProperty_ScheduledFileIDs: .list(
                read: { try files($0).fileSettings.withLock(\.files) },
                write: { (place, list: [UInt]) in try files(place).fileSettings.withLock { $0.files = list } }),
            kAudioUnitProperty_ScheduledFileRegion: UnitProperty(
                scopes: UnitProperty.global, write: scheduleRegion,
                size: MemoryLayout<ScheduledAudioFileRegion>.size),
            kAudioUnitProperty_ScheduledFilePrime: .order(UnitProperty.global) { place, frames in
                _ = try files(place)
                try body(place).playing().prime(frames)
            },
            kAudioUnitProperty_ScheduledFileBufferSizeFrames: .value(
                read: { try files($0).fileSettings.withLock { $0.bufferFrames } },
                write: { place, value in try files(place).fileSettings.withLock { $0.bufferFrames = value } }),
            kAudioUnitProperty_ScheduledFileNumberBuffers: .value(
                read: { try files($0).fileSettings.withLock { $0.bufferCount } },
                write: { place, value in try files(place).fileSettings.withLock { $0.bufferCount = value } }),
        ]
    }

    private static func body(_ place: UnitPlace) throws -> PlayerBody {
        guard let body = place.unit.body as? PlayerBody else { throw StatusError(kAudioUnitErr_InvalidProperty) }
        return body
    }

    private static func files(_ place: UnitPlace) throws -> PlayerBody {
        let body = try body(place)
        guard body.playsFiles else { throw StatusError(kAudioUnitErr_InvalidProperty) }
        return body
    }

    /// The client's own structure: it stays where it is, and what becomes of it is written there.
    private static func structure<Value>(_ data: PropertyData, _: Value.Type) throws -> UnsafeMutablePointer<Value> {
        guard let memory = data.bytes.baseAddress, data.bytes.count >= MemoryLayout<Value>.size,
            UInt(bitPattern: memory) % UInt(MemoryLayout<Value>.alignment) == 0
        else { throw StatusError(kAudioUnitErr_InvalidPropertyValue) }
        return UnsafeMutableRawPointer(mutating: memory).assumingMemoryBound(to: Value.self)
    }

    private static func schedule(_ place: UnitPlace, _ data: PropertyData) throws {
        let body = try body(place)
        guard !body.playsFiles else { throw StatusError(kAudioUnitErr_InvalidProperty) }
        try body.playing().schedule(structure(data, ScheduledAudioSlice.self))
    }

    private static func scheduleRegion(_ place: UnitPlace, _ data: PropertyData) throws {
        let body = try files(place), rig = try body.playing()
        let region = try structure(data, ScheduledAudioFileRegion.self)
        // The client's memory may hold 0 where Swift believes in a pointer.
        let offset = MemoryLayout<ScheduledAudioFileRegion>.offset(of: \.mAudioFile) ?? 0
        let file = UnsafeRawPointer(region).load(fromByteOffset: offset, as: UInt.self)
        guard file != 0, body.fileSettings.withLock({ $0.files.contains(file) }) else {
            throw StatusError(kAudioUnitErr_FileNotSpecified)
        }
        try rig.schedule(region)
    }
}
