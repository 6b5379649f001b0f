import AVFoundation
import Workbench

enum TapeDeck {
    /// Copies a sound file into a 24-bit AIFF of another rate, through deinterleaved floats.
    static func copy(_ source: URL, to target: URL, rate: Double) throws {
        var input: ExtAudioFileRef?
        try check(ExtAudioFileOpenURL(source as CFURL, &input), "open \(source.lastPathComponent)")
        guard let input else { throw Failure("no file to read") }
        defer { ExtAudioFileDispose(input) }

        var inside = AudioStreamBasicDescription()
        var size = UInt32(MemoryLayout<AudioStreamBasicDescription>.size)
        try check(
            ExtAudioFileGetProperty(input, kExtAudioFileProperty_FileDataFormat, &size, &inside), "ask for the format")
        let channels = inside.mChannelsPerFrame
        var client = AudioStreamBasicDescription(
            mSampleRate: rate, mFormatID: kAudioFormatLinearPCM,
            mFormatFlags: kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved,
            mBytesPerPacket: 4, mFramesPerPacket: 1, mBytesPerFrame: 4, mChannelsPerFrame: channels,
            mBitsPerChannel: 32, mReserved: 0)
        try check(
            ExtAudioFileSetProperty(input, kExtAudioFileProperty_ClientDataFormat, size, &client),
            "set the reader's format")

        var outside = AudioStreamBasicDescription(
            mSampleRate: rate, mFormatID: kAudioFormatLinearPCM,
            mFormatFlags: kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsBigEndian | kAudioFormatFlagIsPacked,
            mBytesPerPacket: 3 * channels, mFramesPerPacket: 1, mBytesPerFrame: 3 * channels,
            mChannelsPerFrame: channels, mBitsPerChannel: 24, mReserved: 0)
        var output: ExtAudioFileRef?
        try check(
            ExtAudioFileCreateWithURL(
                target as CFURL, kAudioFileAIFFType, &outside, nil, AudioFileFlags.eraseFile.rawValue, &output),
            "create the copy")
        guard let output else { throw Failure("no file to write") }
        defer { ExtAudioFileDispose(output) }
        try check(
            ExtAudioFileSetProperty(output, kExtAudioFileProperty_ClientDataFormat, size, &client),
            "set the writer's format")

        try move(from: input, to: output, channels: Int(channels))
    }

    private static func move(from input: ExtAudioFileRef, to output: ExtAudioFileRef, channels: Int) throws {
        let capacity: UInt32 = 8192
        let buffers = AudioBufferList.allocate(maximumBuffers: channels)
        defer { free(buffers.unsafeMutablePointer) }
        for channel in 0..<channels { buffers[channel].mData = malloc(Int(capacity) * 4) }
        defer { for buffer in buffers { free(buffer.mData) } }
        while true {
            for channel in 0..<channels {
                buffers[channel].mNumberChannels = 1
                buffers[channel].mDataByteSize = capacity * 4
            }
            var frames = capacity
            try check(ExtAudioFileRead(input, &frames, buffers.unsafeMutablePointer), "read")
            if frames == 0 { return }
            try check(ExtAudioFileWrite(output, frames, buffers.unsafePointer), "write")
        }
    }

    private static func check(_ status: OSStatus, _ deed: String) throws {
        guard status == noErr else { throw Failure("cannot \(deed): \(status)") }
    }
}
