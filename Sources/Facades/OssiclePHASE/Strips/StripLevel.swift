import OssicleAcoustics
import OssicleCore

/// What the levels of a strip are made of, as of the last update.
struct StripLevel {
    /// Definition and gain meta-parameter.
    var mixer = 1.0
    var listener = 1.0
    /// The rest holds for spatial strips.
    var source = 1.0
    /// Distance law, and fade-out towards the cull distance.
    var distance = 1.0
    var cull = 1.0
    /// Send levels of the pipeline; nil for a part it does not have.
    var direct: Double?
    var early: Double?
    var late: Double?
    /// What the air takes on the direct way.
    var air = OctaveBands.ones
    var sourceDirectivity = OctaveBands.ones
    var listenerDirectivity = OctaveBands.ones
    /// Share of the energy that comes through or around what is in the way.
    var passing = OctaveBands.ones
    /// nil while source or listener is out of the scene.
    var path: DirectPath?
}
