extension PHASESoundEvent {
    /// This event's push streams by their definition's identifier; there from the beginning, so that buffers can be scheduled ahead.
    public var pushStreamNodes: [String: PHASEPushStreamNode] { instance.streams?.push ?? [:] }
    /// This event's pull streams by their definition's identifier; there from the beginning, so that handlers can be set ahead.
    public var pullStreamNodes: [String: PHASEPullStreamNode] { instance.streams?.pull ?? [:] }
}
