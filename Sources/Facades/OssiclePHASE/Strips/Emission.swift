import OssicleAcoustics
import OssicleCore

/// What a spatial strip sends, before a way leads it to the listener.
struct Emission {
    /// What the source sends in which direction, from where it was when it sent what is heard now.
    let pattern: Directivity
    let body: Pose
    let head: Pose
    /// The strip's gain without the sends of the pipeline and without distance.
    let common: Double
    /// Sends of the pipeline; 0 for a part it does not have.
    let direct: Double
    let early: Double
    /// The distance law's factor at `distance`, in metres.
    let distanceGain: Double
    let distance: Double
    /// That of any distance.
    let law: (Double) -> Double

    /// Amplitude × metres of early reflections: what reflections are to the direct sound is what their ways and walls make of it, whatever
    /// distance law the mixer has.
    var earlyReference: Double { early * common * distanceGain * max(distance, DistanceLaw.nearest) }
}
