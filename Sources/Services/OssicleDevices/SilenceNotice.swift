import Foundation
import Synchronization

/// Says once that sound goes nowhere, in one line: a program that plays to a silent clock looks as if it worked.
final class SilenceNotice: Sendable {
    /// For the whole process, however many engines it has.
    static let shared = SilenceNotice { line in
        // A standard error that is closed or full takes nothing, which is no reason to end the program.
        _ = Array(line.utf8).withUnsafeBytes { Foundation.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    private let isGiven = Atomic(false)
    private let write: @Sendable (String) -> Void

    init(_ write: @escaping @Sendable (String) -> Void) { self.write = write }

    func give(_ error: DeviceError) {
        guard !isGiven.exchange(true, ordering: .relaxed) else { return }
        write("Ossicle: no output device, a silent clock keeps time (\(error.reason)).\n")
    }
}
