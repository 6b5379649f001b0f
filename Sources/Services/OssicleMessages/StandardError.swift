import Foundation

/// Where the library and the tool say what no caller can receive.
///
/// A message never ends the program: standard error may be closed, on a full disk, or a pipe without a reader. Any
/// thread; not the audio thread.
package enum StandardError {
    /// Writes as much of `text` as `file` takes.
    package static func write(_ text: String, to file: Int32 = STDERR_FILENO) {
        var bytes = Array(text.utf8)[...]
        withoutBrokenPipe {
            while !bytes.isEmpty {
                let count = bytes.withUnsafeBytes { Foundation.write(file, $0.baseAddress, $0.count) }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return }
                bytes = bytes.dropFirst(count)
            }
        }
    }

    /// Runs `body` while this thread takes no SIGPIPE. One that `body` raises is taken back; one that waited before
    /// stays.
    private static func withoutBrokenPipe(_ body: () -> Void) {
        var pipe = sigset_t(), before = sigset_t()
        sigemptyset(&pipe)
        sigaddset(&pipe, SIGPIPE)
        guard pthread_sigmask(SIG_BLOCK, &pipe, &before) == 0 else { return }
        let waited = isPending
        body()
        if isPending, !waited {
            var taken: Int32 = 0
            sigwait(&pipe, &taken)
        }
        pthread_sigmask(SIG_SETMASK, &before, nil)
    }

    private static var isPending: Bool {
        var pending = sigset_t()
        return sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE) == 1
    }
}
