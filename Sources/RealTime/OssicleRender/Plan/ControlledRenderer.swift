import OssicleCore

/// A renderer that the control side tells and asks things while it renders.
package protocol ControlledRenderer: ~Copyable {
    /// Handles to the memory that the two sides share, valid as long as the renderer lives.
    associatedtype Control: BitwiseCopyable
    /// Copied when the renderer has been made: once it renders, it is the audio thread's alone.
    var control: Control { get }
}

/// The control of a renderer that takes parameters, and goes on sounding after its input fell silent.
package struct RingingControl<Parameters: BitwiseCopyable>: BitwiseCopyable {
    package let cell: LatestValueCell<Parameters>
    let ringing: PositionCell

    /// Frames it goes on sounding, as things are.
    package var tail: Int { Int(ringing.load()) }
}
