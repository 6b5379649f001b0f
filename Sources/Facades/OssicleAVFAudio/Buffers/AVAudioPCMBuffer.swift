// Memory for audio.

import OssicleCodecs
import OssicleConversion
import OssicleCoreAudioTypes

/// Audio of one format in memory, as a buffer list. For one thread at a time.
open class AVAudioBuffer: NSObject, NSCopying, NSMutableCopying {
    /// The format of the audio.
    public let format: AVAudioFormat

    let lists: BufferListPair

    init(format: AVAudioFormat, lists: BufferListPair) {
        self.format = format
        self.lists = lists
        super.init()
    }

    /// The buffers, sized to the valid audio. Not to be changed; valid while this object lives.
    open var audioBufferList: UnsafePointer<AudioBufferList> { lists.valid.unsafePointer }

    /// The buffers, sized to the capacity; valid while this object lives.
    open var mutableAudioBufferList: UnsafeMutablePointer<AudioBufferList> { lists.whole.unsafeMutablePointer }

    /// A buffer of the same format; subclasses copy the audio.
    @discardableResult
    open func copy(with zone: NSZone? = nil) -> Any { mutableCopy(with: zone) }

    /// A buffer of the same format; subclasses copy the audio.
    @discardableResult
    open func mutableCopy(with zone: NSZone? = nil) -> Any { self }
}

/// Linear PCM in memory: `frameCapacity` frames of which `frameLength` are valid. Starts as silence with no valid
/// frames. For one thread at a time.
open class AVAudioPCMBuffer: AVAudioBuffer {
    /// Frames there is room for.
    public let frameCapacity: AVAudioFrameCount

    private let channelPointers: UnsafeMutablePointer<UnsafeMutableRawPointer>
    private var validFrames: AVAudioFrameCount = 0

    /// Room for `frameCapacity` frames, which may be 0. `nil` when the format is not linear PCM or has no samples, when
    /// a buffer's size does not fit 32 bits, or when the memory is not there.
    public init?(pcmFormat format: AVAudioFormat, frameCapacity: AVAudioFrameCount) {
        let asbd = format.streamDescription.pointee
        let (bytes, overflow) = asbd.mBytesPerFrame.multipliedReportingOverflow(by: frameCapacity)
        guard format.isPCM, asbd.mBytesPerFrame > 0, asbd.mChannelsPerFrame > 0, !overflow,
            let lists = BufferListPair(
                buffers: format.bufferCount, channelsPerBuffer: format.channelsPerBuffer, byteCount: Int(bytes))
        else { return nil }
        self.frameCapacity = frameCapacity
        channelPointers = Self.channelPointers(format, lists)
        super.init(format: format, lists: lists)
        setFrameLength(0)
    }

    /// A buffer over `bufferList`'s memory, which `deallocator` gets back when the buffer goes. All of it counts as
    /// valid. `nil` when the list does not fit the format, or its buffers are empty, of different sizes or without
    /// memory.
    public init?(
        pcmFormat format: AVAudioFormat, bufferListNoCopy bufferList: UnsafePointer<AudioBufferList>,
        deallocator: ((UnsafePointer<AudioBufferList>) -> Void)? = nil
    ) {
        let list = UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: bufferList))
        let asbd = format.streamDescription.pointee
        guard format.isPCM, asbd.mBytesPerFrame > 0, list.count == format.bufferCount, let first = list.first,
            first.mDataByteSize >= asbd.mBytesPerFrame,
            list.allSatisfy({
                $0.mDataByteSize == first.mDataByteSize && $0.mData != nil
                    && $0.mNumberChannels == format.channelsPerBuffer
            })
        else { return nil }
        let lists = BufferListPair(pointingAt: list) { deallocator?(bufferList) }
        frameCapacity = first.mDataByteSize / asbd.mBytesPerFrame
        channelPointers = Self.channelPointers(format, lists)
        super.init(format: format, lists: lists)
        setFrameLength(frameCapacity)
    }

    deinit { channelPointers.deallocate() }

    /// Valid frames; more than the capacity becomes the capacity. Follows a size that was written into
    /// `mutableAudioBufferList`, and the sizes in `audioBufferList` follow it.
    open var frameLength: AVAudioFrameCount {
        get {
            adoptForeignSize()
            return validFrames
        }
        set { setFrameLength(newValue) }
    }

    private func setFrameLength(_ frames: AVAudioFrameCount) {
        let bytesPerFrame = format.streamDescription.pointee.mBytesPerFrame
        validFrames = min(frames, frameCapacity)
        lists.setByteSize(validFrames * bytesPerFrame, of: lists.valid)
        lists.setByteSize(frameCapacity * bytesPerFrame, of: lists.whole)
    }

    /// C functions tell how much they wrote by the sizes in the list they were given.
    private func adoptForeignSize() {
        let bytesPerFrame = format.streamDescription.pointee.mBytesPerFrame
        guard let stated = lists.whole.first?.mDataByteSize, stated != frameCapacity * bytesPerFrame else { return }
        setFrameLength(stated / bytesPerFrame)
    }

    open override var audioBufferList: UnsafePointer<AudioBufferList> {
        adoptForeignSize()
        return super.audioBufferList
    }

    open override var mutableAudioBufferList: UnsafeMutablePointer<AudioBufferList> {
        adoptForeignSize()
        return super.mutableAudioBufferList
    }

    /// Samples from one frame to the next in a channel's pointer: 1, or the number of channels when interleaved.
    open var stride: Int { format.isInterleaved ? Int(format.channelCount) : 1 }

    /// One pointer per channel, `stride` samples from frame to frame; `nil` unless samples are 32-bit floating point.
    open var floatChannelData: UnsafePointer<UnsafeMutablePointer<Float>>? { channelData(.pcmFormatFloat32) }

    /// One pointer per channel; `nil` unless samples are 16-bit integers.
    open var int16ChannelData: UnsafePointer<UnsafeMutablePointer<Int16>>? { channelData(.pcmFormatInt16) }

    /// One pointer per channel; `nil` unless samples are 32-bit integers.
    open var int32ChannelData: UnsafePointer<UnsafeMutablePointer<Int32>>? { channelData(.pcmFormatInt32) }

    private func channelData<Sample>(_ form: AVAudioCommonFormat) -> UnsafePointer<UnsafeMutablePointer<Sample>>? {
        guard format.commonFormat == form else { return nil }
        return UnsafeRawPointer(channelPointers).assumingMemoryBound(to: UnsafeMutablePointer<Sample>.self)
    }

    /// Runs `body` with the valid audio.
    open func withUnsafeAudioBufferList<R>(_ body: (UnsafePointer<AudioBufferList>) throws -> R) rethrows -> R {
        try body(audioBufferList)
    }

    /// A buffer of its own with the same valid frames and capacity. Should the memory not be there, this buffer itself.
    @discardableResult
    open override func mutableCopy(with zone: NSZone? = nil) -> Any {
        guard let copy = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: frameCapacity) else { return self }
        copy.frameLength = frameLength
        for (source, target) in zip(lists.valid, copy.lists.valid) {
            guard let from = source.mData, let to = target.mData else { continue }
            to.copyMemory(from: from, byteCount: Int(source.mDataByteSize))
        }
        return copy
    }

    private static func channelPointers(
        _ format: AVAudioFormat, _ lists: BufferListPair
    ) -> UnsafeMutablePointer<UnsafeMutableRawPointer> {
        let channels = Int(format.channelCount)
        let sample = Int(format.streamDescription.pointee.mBytesPerFrame) / (format.isInterleaved ? channels : 1)
        let pointers = UnsafeMutablePointer<UnsafeMutableRawPointer>.allocate(capacity: channels)
        for channel in 0..<channels {
            let buffer = lists.whole[format.isInterleaved ? 0 : channel].mData ?? UnsafeMutableRawPointer(pointers)
            (pointers + channel).initialize(to: buffer + (format.isInterleaved ? channel * sample : 0))
        }
        return pointers
    }
}

extension AVAudioPCMBuffer {
    /// Writes `frames` frames of `planes` from frame `start` on. Integers follow Apple's rule: -1 is the smallest. The
    /// caller keeps within the capacity.
    func store(_ planes: [UnsafeMutablePointer<Double>], at start: Int, frames: Int) {
        packing?.pack(
            planes.map { UnsafePointer($0) }, count: frames, into: lists.whole.compactMap(\.mData), from: start)
    }

    /// Reads `frames` frames from frame `start` on into `planes`.
    func load(_ planes: [UnsafeMutablePointer<Double>], at start: Int, frames: Int) {
        packing?.unpack(
            lists.whole.compactMap { $0.mData.map { UnsafeRawPointer($0) } }, from: start, count: frames, into: planes)
    }

    /// `nil` for samples no codec knows.
    var packing: SamplePacking? {
        guard case .pcm(let form)? = format.stream else { return nil }
        return try? SamplePacking(form)
    }
}
