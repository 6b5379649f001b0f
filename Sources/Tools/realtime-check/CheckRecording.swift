import COssicle
import Foundation
import OssicleAudioToolbox
import OssicleCoreAudioTypes

/// Writes to a file from under watch, as a render callback does: `ExtAudioFileWriteAsync` in blocks of every size, once
/// primed.
struct CheckRecording {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let rate = 48_000.0
    private let largest = 1024

    /// - Returns: seconds written.
    func run() throws -> Double {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(
            "realtime-check-\(ProcessInfo.processInfo.processIdentifier).wav")
        defer { try? FileManager.default.removeItem(at: url) }
        var client = stereo(bits: 32, kAudioFormatFlagIsFloat),
            inside = stereo(bits: 16, kAudioFormatFlagIsSignedInteger)
        var reference: ExtAudioFileRef?
        ExtAudioFileCreateWithURL(
            url as CFURL, kAudioFileWAVEType, &inside, nil, AudioFileFlags.eraseFile.rawValue, &reference)
        guard let file = reference else { throw Failure(description: "no file at \(url.path)") }
        ExtAudioFileSetProperty(
            file, kExtAudioFileProperty_ClientDataFormat, UInt32(MemoryLayout.size(ofValue: client)), &client)
        ExtAudioFileWriteAsync(file, 0, nil)
        let written = try write(to: file)
        ExtAudioFileDispose(file)
        var bytes = stat()
        guard stat(url.path, &bytes) == 0, bytes.st_size >= 4 * written else {
            throw Failure(description: "\(written) frames gave a file of \(bytes.st_size) bytes")
        }
        return Double(written) / rate
    }

    private func write(to file: ExtAudioFileRef) throws -> Int {
        let samples = UnsafeMutablePointer<Float>.allocate(capacity: 2 * largest)
        samples.initialize(repeating: 0.25, count: 2 * largest)
        defer { samples.deallocate() }
        var written = 0, status = noErr
        for block in 1...64 {
            let frames = block * 16
            var list = AudioBufferList(
                mNumberBuffers: 1,
                mBuffers: AudioBuffer(mNumberChannels: 2, mDataByteSize: UInt32(8 * frames), mData: samples))
            ossicle_rtsan_enter()
            status = ExtAudioFileWriteAsync(file, UInt32(frames), &list)
            ossicle_rtsan_exit()
            guard status == noErr else { throw Failure(description: "block \(block) was refused: \(status)") }
            written += frames
        }
        return written
    }

    private func stereo(bits: UInt32, _ kind: AudioFormatFlags) -> AudioStreamBasicDescription {
        AudioStreamBasicDescription(
            mSampleRate: rate, mFormatID: kAudioFormatLinearPCM, mFormatFlags: kind | kAudioFormatFlagIsPacked,
            mBytesPerPacket: bits / 4, mFramesPerPacket: 1, mBytesPerFrame: bits / 4, mChannelsPerFrame: 2,
            mBitsPerChannel: bits, mReserved: 0)
    }
}
