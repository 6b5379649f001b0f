/// Seeing why something is heard as it is.
extension OssicleAdditions where Self: PHASEEngine {
    /// What becomes of a sound event, factor by factor, and why it is not heard, if it is not (an addition of Ossicle).
    ///
    /// Print it. Nothing that is heard changes by asking. An event of another engine is recorded as `lastError`; it is explained by its own.
    public func explain(_ event: PHASESoundEvent) -> PHASEExplanation {
        if event.core !== core {
            core.record(PHASESoundEventError(.apiMisuse,
                "explain(_:) was asked about event “\(event.instance.assetIdentifier)” of another engine; ask the engine that it was made with."))
        }
        return event.core.explain(event.instance)
    }
}
