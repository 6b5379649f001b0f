// Files, buffers and formats for tests of the file and converter interfaces.

import Foundation
import OssicleCodecs
import OssicleFiles
import OssicleTestSupport
import Testing
@testable import OssicleAudioToolbox

extension TemporaryFolder {
    func file(_ name: String) -> CFURL { NSURL(fileURLWithPath: path(name)) }
}

/// Frames in a client's buffers, one for each channel or one for all.
final class ClientBuffers<Sample> {
    let list: UnsafeMutableAudioBufferListPointer
    let frames: Int
    private let samplesPerFrame: Int

    init(channels: Int, frames: Int, interleaved: Bool, filling sample: Sample) {
        self.frames = frames
        samplesPerFrame = interleaved ? channels : 1
        list = AudioBufferList.allocate(maximumBuffers: interleaved ? 1 : channels)
        for index in list.indices {
            let memory = UnsafeMutableBufferPointer<Sample>.allocate(capacity: max(1, frames * samplesPerFrame))
            memory.initialize(repeating: sample)
            list[index] = AudioBuffer(memory, numberOfChannels: samplesPerFrame)
        }
        reset()
    }

    deinit {
        list.forEach { $0.mData?.deallocate() }
        free(list.unsafeMutablePointer)
    }

    /// Tells the full size again, which every read changes.
    func reset() {
        for index in list.indices {
            list[index].mDataByteSize = UInt32(frames * samplesPerFrame * MemoryLayout<Sample>.stride)
        }
    }

    /// The samples of a buffer, as many as its size says.
    subscript(buffer: Int) -> [Sample] {
        get { Array(UnsafeBufferPointer<Sample>(list[buffer])) }
        set {
            let target = UnsafeMutableBufferPointer<Sample>(list[buffer])
            for (index, value) in newValue.enumerated() where index < target.count { target[index] = value }
        }
    }
}

extension ClientBuffers<Float> {
    convenience init(channels: Int, frames: Int) {
        self.init(channels: channels, frames: frames, interleaved: false, filling: 0)
    }

    convenience init(_ planes: [[Float]]) {
        self.init(channels: planes.count, frames: planes.first?.count ?? 0)
        for (index, plane) in planes.enumerated() { self[index] = plane }
    }
}

extension AudioStreamBasicDescription {
    /// Planar or interleaved 32-bit floating point.
    static func floats(_ rate: Double, _ channels: UInt32, interleaved: Bool = false) -> AudioStreamBasicDescription {
        let frame = interleaved ? 4 * channels : 4
        return AudioStreamBasicDescription(
            mSampleRate: rate, mFormatID: kAudioFormatLinearPCM,
            mFormatFlags: kAudioFormatFlagsNativeFloatPacked | (interleaved ? 0 : kAudioFormatFlagIsNonInterleaved),
            mBytesPerPacket: frame, mFramesPerPacket: 1, mBytesPerFrame: frame, mChannelsPerFrame: channels,
            mBitsPerChannel: 32, mReserved: 0)
    }

    /// Interleaved integers, little endian if not told otherwise.
    static func integers(
        _ rate: Double, _ channels: UInt32, bits: UInt32 = 16, bigEndian: Bool = false
    ) -> AudioStreamBasicDescription {
        let frame = bits / 8 * channels
        return AudioStreamBasicDescription(
            mSampleRate: rate, mFormatID: kAudioFormatLinearPCM,
            mFormatFlags: kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked
                | (bigEndian ? kAudioFormatFlagIsBigEndian : 0),
            mBytesPerPacket: frame, mFramesPerPacket: 1, mBytesPerFrame: frame, mChannelsPerFrame: channels,
            mBitsPerChannel: bits, mReserved: 0)
    }

    /// A compressed format that tells only what it must.
    static func compressed(
        _ id: AudioFormatID, _ rate: Double, _ channels: UInt32, flags: AudioFormatFlags = 0
    ) -> AudioStreamBasicDescription {
        AudioStreamBasicDescription(
            mSampleRate: rate, mFormatID: id, mFormatFlags: flags, mBytesPerPacket: 0, mFramesPerPacket: 0,
            mBytesPerFrame: 0,
            mChannelsPerFrame: channels, mBitsPerChannel: 0, mReserved: 0)
    }
}

/// A tone for each channel, an octave apart, with some noise.
func tones(channels: Int, frames: Int, rate: Double = 48_000) -> [[Float]] {
    (0..<channels).map { channel in
        let tone = Signal.sine(500 * Double(1 << channel), sampleRate: rate, count: frames, amplitude: 0.5)
        return zip(tone, Signal.noise(count: frames, seed: UInt64(channel + 1), amplitude: 0.05)).map { $0 + $1 }
    }
}

/// Writes a file by the service beneath, so that what reads it is tested alone.
func makeFile(
    _ path: String, _ container: AudioContainer, _ codec: AudioCodec, _ channels: [[Float]], rate: Double = 48_000,
    labels: [UInt32]? = nil, metadata: AudioMetadata = AudioMetadata()
) throws {
    let writer = try AudioFileWriter(
        FileEncoderRequest(
            path: path, container: container, codec: codec, sampleRate: rate, channelCount: channels.count,
            channelLabels: labels, metadata: metadata))
    let buffers = ClientBuffers(channels)
    let planes = buffers.list.compactMap { buffer in
        buffer.mData.map { UnsafePointer($0.assumingMemoryBound(to: Float.self)) }
    }
    try writer.write(planes, frames: buffers.frames)
    try writer.finish()
}

/// All samples of a file by the service beneath.
func samples(of path: String) throws -> [[Float]] {
    let reader = try AudioFileReader(path: path)
    let frames = Int(reader.info.frameCount)
    let buffers = ClientBuffers(channels: reader.info.channelCount, frames: frames)
    let planes = buffers.list.compactMap { $0.mData?.assumingMemoryBound(to: Float.self) }
    let count = try reader.read(into: planes, frames: frames)
    return buffers.list.indices.map { Array(buffers[$0].prefix(count)) }
}

/// Packets in memory that an input procedure gives out, five at a time.
final class PacketFeeder {
    /// Whether descriptions are given where packets differ in size.
    var describes = true
    private let format: AudioStreamBasicDescription
    private let bytes: UnsafeMutableBufferPointer<UInt8>
    private let packets: UnsafeMutableBufferPointer<AudioStreamPacketDescription>
    private var next = 0

    init(_ format: AudioStreamBasicDescription, _ bytes: [UInt8], _ packets: [AudioStreamPacketDescription]) {
        self.format = format
        self.bytes = .allocate(capacity: max(1, bytes.count))
        self.packets = .allocate(capacity: max(1, packets.count))
        self.bytes.initialize(repeating: 0)
        _ = self.bytes.update(fromContentsOf: bytes)
        _ = self.packets.initialize(fromContentsOf: packets)
        count = packets.count
    }

    private let count: Int

    deinit {
        bytes.deallocate()
        packets.deallocate()
    }

    fileprivate func give(
        _ number: UnsafeMutablePointer<UInt32>, _ data: UnsafeMutablePointer<AudioBufferList>,
        _ descriptions: UnsafeMutablePointer<UnsafeMutablePointer<AudioStreamPacketDescription>?>?
    ) -> OSStatus {
        let given = min(5, count - next)
        number.pointee = UInt32(given)
        guard given > 0, let base = bytes.baseAddress else { return noErr }
        let start = next * Int(format.mBytesPerPacket)
        data.pointee.mBuffers = AudioBuffer(
            mNumberChannels: format.mChannelsPerFrame, mDataByteSize: UInt32(bytes.count - start), mData: base + start)
        if format.mBytesPerPacket == 0, describes { descriptions?.pointee = packets.baseAddress.map { $0 + next } }
        next += given
        return noErr
    }
}

/// The input procedure of a `PacketFeeder`, which is its user data.
let givePackets: AudioConverterComplexInputDataProc = { _, number, data, descriptions, user in
    guard let user else { return kAudio_ParamError }
    return Unmanaged<PacketFeeder>.fromOpaque(user).takeUnretainedValue().give(number, data, descriptions)
}

/// Bytes that a client keeps, and what its functions answer about them.
final class ClientBytes {
    var data: Data
    var status = noErr
    /// The size that is told instead of the true one.
    var claim: Int64?

    init(_ data: Data = Data()) { self.data = data }

    static func of(_ reference: UnsafeMutableRawPointer) -> ClientBytes {
        Unmanaged<ClientBytes>.fromOpaque(reference).takeUnretainedValue()
    }
}

let readBytes: AudioFile_ReadProc = { reference, position, count, buffer, actual in
    let bytes = ClientBytes.of(reference)
    let start = min(Int(clamping: position), bytes.data.count), end = min(bytes.data.count, start + Int(count))
    bytes.data.copyBytes(
        to: UnsafeMutableRawBufferPointer(start: buffer, count: Int(count)).bindMemory(to: UInt8.self),
        from: start..<end)
    actual.pointee = UInt32(end - start)
    return bytes.status
}

let writeBytes: AudioFile_WriteProc = { reference, position, count, buffer, actual in
    let bytes = ClientBytes.of(reference)
    let start = Int(position), end = start + Int(count)
    if bytes.data.count < end { bytes.data.append(Data(count: end - bytes.data.count)) }
    bytes.data.replaceSubrange(start..<end, with: UnsafeRawBufferPointer(start: buffer, count: Int(count)))
    actual.pointee = count
    return bytes.status
}

let sizeOfBytes: AudioFile_GetSizeProc = { reference in
    let bytes = ClientBytes.of(reference)
    return bytes.claim ?? Int64(bytes.data.count)
}

let setSizeOfBytes: AudioFile_SetSizeProc = { reference, size in
    ClientBytes.of(reference).data = Data(count: Int(size))
    return noErr
}
