/// Names a fact to be loaded by `load(_:)`.
public struct AVAsyncProperty<Root: AnyObject, Value>: Sendable {
    let value: @Sendable (Root) -> Value
}

extension AVAsyncProperty where Root == AVAsset, Value == CMTime {
    /// Length.
    public static var duration: Self { Self { $0.duration } }
}

extension AVAsyncProperty where Root == AVAsset, Value == [AVMetadataItem] {
    /// Title, artist and the like.
    public static var commonMetadata: Self { Self { $0.commonMetadata } }
    /// All the file says about itself.
    public static var metadata: Self { Self { $0.metadata } }
}

extension AVAsyncProperty where Root == AVAsset, Value == Bool {
    /// Whether there is sound to play.
    public static var isPlayable: Self { Self { $0.isPlayable } }
}

extension AVAsyncProperty where Root == AVMetadataItem, Value == String? {
    /// The text of an item.
    public static var stringValue: Self { Self { $0.stringValue } }
}
