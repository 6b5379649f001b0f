import OssicleMessages
import Synchronization

/// Says once that sound goes nowhere, in one line: a program that plays to a silent clock looks as if it worked.
final class SilenceNotice: Sendable {
    /// For the whole process, however many engines it has.
    static let shared = SilenceNotice { StandardError.write($0) }

    private let isGiven = Atomic(false)
    private let write: @Sendable (String) -> Void

    init(_ write: @escaping @Sendable (String) -> Void) { self.write = write }

    func give(_ error: DeviceError) {
        guard !isGiven.exchange(true, ordering: .relaxed) else { return }
        write("Ossicle: no output device, a silent clock keeps time (\(error.reason)).\n")
    }
}
