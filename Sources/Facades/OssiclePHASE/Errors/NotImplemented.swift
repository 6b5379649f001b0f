/// What is declared, so that clients compile, but not built yet. Every place that calls this is listed in `Documentation/Status.md`.
func notImplemented(_ feature: String, _ consequence: String) -> PHASEError {
    PHASEError(.initializeFailed, "Not implemented: \(feature). \(consequence)")
}
