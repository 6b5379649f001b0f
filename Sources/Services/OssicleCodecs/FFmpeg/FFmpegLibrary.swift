#if FFmpeg
// What concerns FFmpeg as a whole.

import CFFmpeg

package enum FFmpegLibrary {
    /// Silences the library's log and bounds its allocations, once for the process: what it has to tell comes back in errors, and no single piece of
    /// memory a file asks for may exceed 256 MiB (the packet table of a day of AAC takes a third of that).
    package static let isReady: Bool = {
        av_log_set_level(AV_LOG_QUIET)
        av_max_alloc(256 << 20)
        return true
    }()

    /// The library's words for an error number.
    package static func words(_ code: Int32) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { text in
            guard let start = text.baseAddress, av_strerror(code, start, text.count) == 0 else { return "error \(code)" }
            return String(cString: start)
        }
    }
}
#endif
