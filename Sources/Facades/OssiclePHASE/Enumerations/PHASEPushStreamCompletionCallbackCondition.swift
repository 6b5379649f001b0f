/// When a push stream reports that it is done with a buffer.
public enum PHASEPushStreamCompletionCallbackCondition: Int, Sendable {
    /// When the buffer has been rendered; what the output adds in latency is not counted.
    case dataRendered = 0
}
