// libsndfile over bytes that come from anywhere.

import CSndfile
import Foundation
import OssicleCodecs

/// An open file of libsndfile: a handle, and the bytes it works on. Its opening keeps the last failure in global memory, so only one
/// thread opens at a time.
final class VirtualFile {
    let handle: OpaquePointer
    /// What libsndfile found, or was told.
    let header: SF_INFO
    let bytes: VirtualBytes
    private var isOpen = true

    private static let opening = NSLock()

    /// Opens `bytes` for reading (`SFM_READ`) or, with a format in `header`, for writing (`SFM_WRITE`); throws the library's words.
    init(_ bytes: VirtualBytes, mode: Int, header: SF_INFO = SF_INFO()) throws(Refusal) {
        var header = header
        var calls = VirtualBytes.calls
        Self.opening.lock()
        bytes.isOpening = true
        defer {
            bytes.isOpening = false
            Self.opening.unlock()
        }
        guard let handle = sf_open_virtual(&calls, Int32(mode), &header, Unmanaged.passUnretained(bytes).toOpaque()) else {
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
        guard let place = sf_get_chunk_iterator(handle, &chunk), sf_get_chunk_size(place, &chunk) == SF_ERR_NO_ERROR else { return nil }
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
