import OssicleAudioToolbox
import OssicleCoreAudioTypes
import OssiclePlayback
import OssicleProperties
import OssicleRender

/// A region of a file on its way to a player: read by the functions of extended audio files, at the player's rate, as
/// often as it repeats.
///
/// Channels as in a player node: surplus ones of the file are dropped, a mono file goes to the first two, others that
/// the file does not have are silent. Where the file breaks off there is silence. For one thread at a time.
final class FileRegion: StreamContent {
    /// Frames of one pass, at the player's rate.
    private let passFrames: Int64
    /// Frames of all passes; `nil` for ever.
    private let totalFrames: Int64?
    private let file: ExtAudioFileRef
    private let start: Int64
    private let channels: Int
    private let list: UnsafeMutableAudioBufferListPointer
    private let planes: [UnsafeMutablePointer<Float>]
    private var done: Int64 = 0
    private(set) var fault: (any Error)?

    /// Throws a `StatusError` for a file that cannot be read, and for a start outside it.
    init(_ region: ScheduledAudioFileRegion, format: AVAudioFormat) throws {
        var reference: ExtAudioFileRef?
        try Self.check(ExtAudioFileWrapAudioFileID(region.mAudioFile, false, &reference))
        guard let file = reference else { throw StatusError(kAudioUnitErr_InvalidFile) }
        do {
            var description = AudioStreamBasicDescription()
            var length: Int64 = 0
            try Self.get(kExtAudioFileProperty_FileDataFormat, of: file, &description)
            try Self.get(kExtAudioFileProperty_FileLengthFrames, of: file, &length)
            guard region.mStartFrame >= 0, region.mStartFrame <= length, description.mSampleRate > 0 else {
                throw StatusError(kAudioUnitErr_InvalidPropertyValue)
            }
            let count = min(Int64(region.mFramesToPlay), length - region.mStartFrame)
            passFrames = Int64((Double(count) * format.sampleRate / description.mSampleRate).rounded())
            channels = Int(description.mChannelsPerFrame)
            var client = AVAudioCommonFormat.pcmFormatFloat32.description(
                sampleRate: format.sampleRate, channels: description.mChannelsPerFrame, interleaved: false)
            try Self.check(
                ExtAudioFileSetProperty(
                    file, kExtAudioFileProperty_ClientDataFormat,
                    UInt32(MemoryLayout<AudioStreamBasicDescription>.size), &client))
            try Self.check(ExtAudioFileSeek(file, region.mStartFrame))
        } catch {
            ExtAudioFileDispose(file)
            throw error
        }
        (self.file, start) = (file, region.mStartFrame)
        totalFrames = region.mLoopCount == .max || passFrames == 0 ? nil : passFrames * (Int64(region.mLoopCount) + 1)
        list = AudioBufferList.allocate(maximumBuffers: max(channels, 1))
        planes = (0..<channels).map { _ in .allocate(capacity: FileStream.chunk) }
    }

    deinit {
        ExtAudioFileDispose(file)
        planes.forEach { $0.deallocate() }
        free(list.unsafeMutablePointer)
    }

    /// What a player plays of a region. Throws as `init`.
    static func stream(_ region: ScheduledAudioFileRegion, _ format: AVAudioFormat) throws -> FileStream {
        let content = try FileRegion(region, format: format)
        let (pass, total) = (content.passFrames, content.totalFrames)
        let window = StreamWindow(
            channelCount: Int(format.channelCount), capacity: max(131_072, Int(1.5 * min(format.sampleRate, 1e6))),
            start: 0)
        return FileStream(
            pass > 0 ? content : nil, frameCount: total ?? pass, loops: total == nil && pass > 0,
            rate: format.sampleRate, window: window)
    }

    func write(to window: StreamWindow) -> Bool {
        let left = totalFrames.map { $0 - window.nextFrame } ?? .max
        window.write(atMost: Int(min(left, Int64(FileStream.chunk)))) { targets, count in
            fill(targets, count)
            return count
        }
        return totalFrames.map { window.nextFrame < $0 } ?? true
    }

    private func fill(_ targets: [UnsafeMutablePointer<Float>], _ count: Int) {
        var filled = 0
        while filled < count {
            if done == passFrames {
                done = 0
                note(ExtAudioFileSeek(file, start))
            }
            let run = Int(min(Int64(count - filled), passFrames - done))
            let read = fault == nil ? self.read(run) : 0
            for (channel, target) in targets.enumerated() {
                let copied = source(of: channel).map { source in
                    (target + filled).update(from: planes[source], count: read)
                    return read
                }
                (target + filled + (copied ?? 0)).update(repeating: 0, count: run - (copied ?? 0))
            }
            filled += run
            done += Int64(run)
        }
    }

    private func source(of channel: Int) -> Int? {
        channel < channels ? channel : channels == 1 && channel == 1 ? 0 : nil
    }

    /// Frames that could be read into the planes.
    private func read(_ count: Int) -> Int {
        var done = 0
        while done < count {
            for channel in 0..<channels {
                list[channel] = AudioBuffer(
                    mNumberChannels: 1, mDataByteSize: UInt32(4 * (count - done)), mData: planes[channel] + done)
            }
            var frames = UInt32(count - done)
            note(ExtAudioFileRead(file, &frames, list.unsafeMutablePointer))
            // Behind a conversion the last frames may be missing.
            if frames == 0 { break }
            done += Int(frames)
        }
        return done
    }

    private func note(_ status: OSStatus) {
        if status != noErr, fault == nil { fault = StatusError(status) }
    }

    private static func check(_ status: OSStatus) throws {
        if status != noErr { throw StatusError(status) }
    }

    private static func get<Value>(_ id: ExtAudioFilePropertyID, of file: ExtAudioFileRef, _ value: inout Value) throws
    {
        var size = UInt32(MemoryLayout<Value>.size)
        try withUnsafeMutablePointer(to: &value) { try check(ExtAudioFileGetProperty(file, id, &size, $0)) }
    }
}
