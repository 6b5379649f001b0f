import OssicleCore

/// One factor of a voice's gain, and what it means if it is next to nothing.
struct Link {
    /// Which of the ways to the listener it lies on.
    enum Reach { case everything, directSound }

    let factor: PHASEExplanation.Factor
    let reach: Reach
    let cause: PHASEExplanation.Cause
    /// Whether it is enough to keep a voice from being heard on that way.
    let silences: Bool

    /// - Parameters:
    ///   - cause: of silence; by default the factor's name. - silences: by default where the gain is inaudible.
    init(_ name: String, _ gain: Double, _ detail: String = "", bands: [Double]? = nil, on reach: Reach = .everything,
         cause: PHASEExplanation.Cause? = nil, silences: Bool? = nil) {
        factor = PHASEExplanation.Factor(name: name, gain: gain, bands: bands, detail: detail)
        self.reach = reach
        self.cause = cause ?? .gain(of: name)
        self.silences = silences ?? !(gain > Self.inaudible)
    }

    /// Linear; nobody hears what is below it.
    static let inaudible = Decibels.amplitude(-90)
}
