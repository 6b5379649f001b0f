public import OssicleInspection

extension OssicleAdditions where Self: PHASEEngine {
    /// What watches the engine while it plays (an addition of Ossicle); nil, the default, for nothing.
    ///
    ///     import OssicleInspector
    ///     engine.inspector = try Inspector()      // prints the address of a page
    ///
    /// The engine holds it. It sees what the engine's reports say (paths, levels, explanations, meters), on threads of
    /// its own; what is heard does not change by it, unless somebody at the view moves, mutes or sets something.
    public var inspector: (any EngineInspector)? {
        get { control.locked { control.inspection }?.inspector }
        set {
            let (old, new) = control.locked {
                let old = control.inspection
                let new = newValue.map { SceneInspection(control, inspector: $0) }
                control.inspection = new
                return (old, new)
            }
            old?.end()
            new?.begin()
        }
    }
}
