// Headphones that several devices share.

import OssicleCoreAudioTypes

/// Decides which of a person's devices has the wireless headphones; here there is only this one.
open class AVAudioRoutingArbiter: NSObject, @unchecked Sendable {
    private static let ofProgram = AVAudioRoutingArbiter()

    /// What the program is about to do.
    public enum Category: Int, Sendable {
        /// Sound goes out only.
        case playback = 0
        /// Sound goes out and comes in.
        case playAndRecord = 1
        /// A conversation: sound goes out and comes in, with voice processing.
        case playAndRecordVoice = 2
    }

    /// The program's.
    open class var shared: AVAudioRoutingArbiter { ofProgram }

    /// Answers at once, on the calling thread: the default device has not changed.
    open func begin(category: Category, completionHandler handler: @escaping @Sendable (Bool, (any Error)?) -> Void) {
        handler(false, nil)
    }

    /// False: the default device has not changed.
    @discardableResult
    open func begin(category: Category) async throws -> Bool { false }

    /// The program no longer needs the headphones.
    open func leave() {}
}
