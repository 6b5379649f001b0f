import Foundation

extension URL {
    /// The path on disk that a client means; `nil` for an address elsewhere. A URL without scheme and host, as `URL(string: "/sounds/a.caf")`
    /// makes it, stands for its path, as Core Foundation takes it.
    package var localPath: String? {
        guard isFileURL || (scheme == nil && host == nil && !path.isEmpty) else { return nil }
        return path
    }
}
