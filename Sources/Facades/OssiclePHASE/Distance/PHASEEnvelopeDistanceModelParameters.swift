import OssicleSoundEvents

/// A level that follows an envelope: x is the distance, y the linear gain.
open class PHASEEnvelopeDistanceModelParameters: PHASEDistanceModelParameters {
    open private(set) var envelope: PHASEEnvelope

    public init(envelope: PHASEEnvelope) {
        self.envelope = envelope
        super.init(unpublished: ())
    }

    override var law: MixerBlueprint.Distance.Law { .envelope(envelope.envelope) }
}
