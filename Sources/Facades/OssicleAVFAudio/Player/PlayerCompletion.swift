/// Whom to tell when a sound is over, and at which moment of its way.
package struct PlayerCompletion: Sendable {
    let type: AVAudioPlayerNodeCompletionCallbackType
    let tell: @Sendable (AVAudioPlayerNodeCompletionCallbackType, AVAudioPlayerNodeCompletionReason) -> Void

    package init(
        _ type: AVAudioPlayerNodeCompletionCallbackType = .dataConsumed,
        _ tell: @escaping @Sendable (AVAudioPlayerNodeCompletionCallbackType, AVAudioPlayerNodeCompletionReason) -> Void
    ) {
        (self.type, self.tell) = (type, tell)
    }

    init?(_ handler: AVAudioNodeCompletionHandler?) {
        guard let handler else { return nil }
        self.init { _, _ in handler() }
    }

    init?(_ type: AVAudioPlayerNodeCompletionCallbackType, _ handler: AVAudioPlayerNodeCompletionHandler?) {
        guard let handler else { return nil }
        self.init(type) { type, _ in handler(type) }
    }

    func call(_ reason: AVAudioPlayerNodeCompletionReason) { tell(type, reason) }
}
