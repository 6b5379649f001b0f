// libsndfile over bytes that come from anywhere.

import CSndfile
import Foundation
import OssicleCodecs

/// An open file of libsndfile: a handle, and the bytes it works on. Its opening keeps the last failure in global
/// memory, so only one thread opens at a time.
final class VirtualFile {
    let handle: OpaquePointer
    /// What libsndfile found, or was given.
    let header: SF_INFO
    let bytes: VirtualBytes
    private var isOpen = true

    private static let opening = NSLock()

    /// Opens `bytes` for reading (`SFM_READ`) or, with a format in `header`, for writing (`SFM_WRITE`); throws the
    /// library's words.
    init(_ bytes: VirtualBytes, mode: Int, header: SF_INFO = SF_INFO()) throws(Refusal) {
        var header = header
        var calls = VirtualBytes.calls
        Self.opening.lock()
        bytes.isOpening = true
        defer {
            bytes.isOpening = false
            Self.opening.unlock()
        }
        guard let handle = sf_open_virtual(&calls, Int32(mode), &header, Unmanaged.passUnretained(bytes).toOpaque())
        else {
            throw Refusal(reason: Self.sentence(sf_strerror(nil)))
        }
        self.handle = handle
        self.header = header
        self.bytes = bytes
    }

    deinit { close() }

    /// Finishes and gives back the file; nothing may be asked of it afterwards.
    func close() {
        if isOpen { sf_close(handle) }
        isOpen = false
    }

    struct Refusal: Error { let reason: String }

    /// What went wrong last.
    var failure: String { Self.sentence(sf_strerror(handle)) }

    var container: AudioContainer { AudioContainer(sndfileFormat: header.format) }
    var codec: AudioCodec { AudioCodec(sndfileFormat: header.format, in: container) }

    /// Whether samples lie most significant byte first; false where samples have no byte order.
    var isBigEndian: Bool {
        let hasOrder = codec.isLinear && codec.bitDepth > 8
        let isForeign = sf_command(handle, Int32(SFC_RAW_DATA_NEEDS_ENDSWAP), nil, 0) == SF_TRUE
        return hasOrder && isForeign == (Int(littleEndian: 1) == 1)
    }

    /// The content of the first chunk of that name, up to 64 KiB of it; `nil` when there is none.
    func chunk(_ name: String) -> [UInt8]? {
        if container == .wave64 { return bytes.source.flatMap { Wave64Chunks.content(of: name, in: $0) } }
        var chunk = SF_CHUNK_INFO()
        withUnsafeMutableBytes(of: &chunk.id) { $0.copyBytes(from: name.utf8.prefix($0.count)) }
        chunk.id_size = 4
        guard let place = sf_get_chunk_iterator(handle, &chunk), sf_get_chunk_size(place, &chunk) == SF_ERR_NO_ERROR
        else { return nil }
        // The library divides by the length.
        guard chunk.datalen > 0 else { return [] }
        chunk.datalen = min(chunk.datalen, 65_536)
        var content = [UInt8](repeating: 0, count: Int(chunk.datalen))
        let result = content.withUnsafeMutableBytes { memory in
            chunk.data = memory.baseAddress
            return sf_get_chunk_data(place, &chunk)
        }
        return result == SF_ERR_NO_ERROR ? content : nil
    }

    /// Puts a chunk before the samples; its length is a multiple of four.
    func setChunk(_ name: String, _ content: [UInt8]) {
        var chunk = SF_CHUNK_INFO()
        withUnsafeMutableBytes(of: &chunk.id) { $0.copyBytes(from: name.utf8.prefix($0.count)) }
        chunk.id_size = 4
        chunk.datalen = UInt32(clamping: content.count)
        var content = content
        content.withUnsafeMutableBytes { memory in
            chunk.data = memory.baseAddress
            sf_set_chunk(handle, &chunk)
        }
    }

    /// The library's words without the full stop that some of them end in: ours follows.
    private static func sentence(_ text: UnsafePointer<CChar>) -> String {
        let words = String(cString: text)
        return words.hasSuffix(".") ? String(words.dropLast()) : words
    }
}

extension VirtualFile {
    /// The frames of the recording; `nil` when the file does not tell, for which the library gives the largest number.
    var statedLength: Int64? {
        guard header.frames != .max else { return nil }
        switch codec {
        case .imaADPCM, .microsoftADPCM: return adpcmLength
        case .mp1, .mp2, .mp3: return bytes.source.flatMap { MPEGFrames.untaggedLength(of: $0) } ?? header.frames
        default: return container == .aiff && codec != .ima4 ? aiffLength : header.frames
        }
    }

    /// What the library counts less what the last block only fills up: WAVE's `fact` chunk tells. Its number is taken
    /// when it lies within the last block; some writers put others there.
    private var adpcmLength: Int64 {
        guard let fact = chunk("fact"), let format = chunk("fmt "), format.count >= 20 else { return header.frames }
        let stated = Int64(Self.number(fact.prefix(container == .wave64 ? 8 : 4), isBigEndian: isRIFX))
        let framesPerBlock = Int64(Self.number(format[18..<20], isBigEndian: isRIFX))
        return stated <= header.frames && header.frames - stated < framesPerBlock ? stated : header.frames
    }

    /// The library takes the byte that makes a chunk's length even for a frame; the common chunk tells how many there
    /// are. A writer that was killed may have left 0 there.
    private var aiffLength: Int64 {
        guard let common = chunk("COMM"), common.count >= 6 else { return header.frames }
        let stated = Int64(Self.number(common[2..<6], isBigEndian: true))
        return stated > 0 ? min(stated, header.frames) : header.frames
    }

    /// Where a header has the number of frames, and how.
    struct LengthPlace {
        var offset: Int64
        var byteCount: Int
        var isBigEndian: Bool
    }

    /// The place in a header being written of a number that the library may get wrong: the fact chunk of ADPCM in WAVE
    /// and W64, and AIFF's common chunk. May be asked after the file is closed.
    var lengthPlace: LengthPlace? {
        func place(behind name: String, _ distance: Int, byteCount: Int, isBigEndian: Bool) -> LengthPlace? {
            bytes.head.firstRange(of: Array(name.utf8)).map {
                LengthPlace(offset: Int64($0.lowerBound + distance), byteCount: byteCount, isBigEndian: isBigEndian)
            }
        }
        switch container {
        case .wav where codec == .imaADPCM || codec == .microsoftADPCM:
            return place(behind: "fact", 8, byteCount: 4, isBigEndian: isRIFX)
        case .wave64 where codec == .imaADPCM || codec == .microsoftADPCM:
            return place(behind: "fact", 24, byteCount: 8, isBigEndian: false)
        case .aiff where codec != .ima4: return place(behind: "COMM", 10, byteCount: 4, isBigEndian: true)
        default: return nil
        }
    }

    static func number(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) -> UInt32 {
        (isBigEndian ? Array(bytes) : bytes.reversed()).reduce(0) { $0 << 8 | UInt32($1) }
    }
}
