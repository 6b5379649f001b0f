/// What a SOFA file says, as it says it. Nothing is checked here but that it could be read.
struct SofaFile: Sendable {
    struct Variable: Sendable {
        var values: [Float] = []
        /// Type, Units …
        var attributes: [String: String] = [:]
    }

    var name: String
    var attributes: [String: String] = [:]
    /// Dimensions of AES69: receivers, emitters, samples, measurements.
    var receivers = 0, emitters = 0, samples = 0, measurements = 0
    var listenerPosition = Variable(), listenerView = Variable(), listenerUp = Variable()
    var receiverPosition = Variable(), sourcePosition = Variable(), emitterPosition = Variable()
    /// measurements × receivers × samples
    var responses = Variable()
    var samplingRate = Variable()
    /// Samples; 1 or measurements × receivers.
    var delay = Variable()
}
