public import OssicleInspection

extension OssicleAdditions where Self: AVAudioEngine {
    /// What watches the engine while it plays (an addition of Ossicle); nil, the default, for nothing.
    ///
    ///     import OssicleInspector
    ///     engine.inspector = try Inspector()      // prints the address of a page
    ///
    /// The engine holds it. While somebody looks, `isInspectionEnabled` is on, and what `nodeReports()` says counts
    /// from the last look of either. What is heard does not change by it, unless somebody at the view mutes or sets
    /// something.
    public var inspector: (any EngineInspector)? {
        get { machine.locked { machine.inspection }?.inspector }
        set {
            let (old, new) = machine.locked {
                let old = machine.inspection
                let new = newValue.map { GraphInspection(machine, inspector: $0) }
                machine.inspection = new
                return (old, new)
            }
            old?.end()
            new?.begin()
        }
    }
}
