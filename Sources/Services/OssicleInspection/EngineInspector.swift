/// What watches engines: set one as the `inspector` of a `PHASEEngine` or an `AVAudioEngine`. `OssicleInspector` has
/// one that serves a page; another may write a log.
public protocol EngineInspector: AnyObject, Sendable {
    /// An engine is to be watched. Called without a lock; the engine holds the inspector.
    /// - Parameter engine: to be held weakly: it goes with the engine it stands for.
    func begin(_ engine: any InspectedEngine)
    /// The engine has another inspector now, or is going away.
    func end(_ engine: any InspectedEngine)
}

/// An engine as inspectors see it. Any thread but the one that renders: calls wait for the engine's lock, as its other
/// reports do, and the render thread never takes that.
public protocol InspectedEngine: AnyObject, Sendable {
    /// What changes while the engine plays. Meters begin anew with every call that reports them.
    /// - Parameter extent: `.motion` many times a second, `.all` as often as a reader follows words.
    func snapshot(_ extent: SnapshotExtent) -> EngineSnapshot
    /// As `snapshot(_:)`, for who keeps a pace; nil where the engine's lock stays taken for so long, as it does while
    /// much is loaded. By default it waits without an end.
    func snapshot(_ extent: SnapshotExtent, within seconds: Double) -> EngineSnapshot?
    /// What stands in the scene; empty for a graph.
    func geometry() -> InspectedGeometry
    /// One object, voice, group or node in full; nil where it is gone.
    func detail(of target: InspectedTarget) -> InspectedDetail?
    /// Does what somebody at the view asks for.
    /// - Throws: `InspectorCommandError` for what cannot be done.
    func perform(_ command: InspectorCommand) throws
    /// Whether somebody looks. Voices and nodes are metered, and the output is kept for `takeSound`, while it is so; it
    /// changes no sample.
    func setWatched(_ isWatched: Bool)
    /// The last frames of the output.
    func takeSound() -> InspectedSound
}

extension InspectedEngine {
    /// Everything that changes while the engine plays.
    public func snapshot() -> EngineSnapshot { snapshot(.all) }

    public func snapshot(_ extent: SnapshotExtent, within seconds: Double) -> EngineSnapshot? { snapshot(extent) }
}

/// How much a snapshot reports.
public enum SnapshotExtent: Sendable {
    /// Time, and of a scene its objects, voices, paths and the version of its geometry: what moves. All else is as in
    /// an empty snapshot; its meters go on.
    case motion
    /// Everything.
    case all
}

/// What a snapshot speaks of and a command means: an object of the scene, a voice, a group, a node of a graph.
public struct InspectedTarget: Codable, Hashable, Sendable {
    /// What kinds of things there are.
    public enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
        /// A source of a scene.
        case source
        /// A listener of a scene.
        case listener
        /// A leaf of a sound event that plays.
        case voice
        /// A group of voices.
        case group
        /// A node of a graph.
        case node
        /// The engine as a whole.
        case engine
    }

    /// What kind it is.
    public var kind: Kind
    /// Number of the source, listener, voice or node; identifier of the group; empty for the engine.
    public var id: String

    /// A thing by its identifier.
    public init(_ kind: Kind, _ id: String) { (self.kind, self.id) = (kind, id) }

    /// A thing by its number.
    public init(_ kind: Kind, _ number: UInt64) { self.init(kind, String(number)) }

    /// The number that `id` is; nil for a group.
    public var number: UInt64? { UInt64(id) }
}

/// What somebody at the view wants done.
public struct InspectorCommand: Codable, Hashable, Sendable {
    /// What can be wanted.
    public enum Action: String, Codable, Hashable, Sendable, CaseIterable {
        /// `position`: metres, in the world.
        case move
        /// `value`: degrees to the left about the world's vertical.
        case turn
        /// `value`: 1 for on, 0 for off.
        case mute, solo
        /// `parameter`, by the name that a detail has for it, to `value`.
        case set
    }

    /// What is to be done.
    public var action: Action
    /// To what.
    public var target: InspectedTarget
    /// Of `set`: the parameter's name; nil for the others.
    public var parameter: String?
    /// Of `turn`, `mute`, `solo` and `set`; nil for `move`.
    public var value: Double?
    /// Of `move`: three numbers; nil for the others.
    public var position: [Double]?

    /// Values are not checked before the command is carried out.
    public init(
        _ action: Action, _ target: InspectedTarget, parameter: String? = nil, value: Double? = nil,
        position: [Double]? = nil
    ) {
        self.action = action
        self.target = target
        self.parameter = parameter
        self.value = value
        self.position = position
    }

    /// A number within ±10⁹.
    public func checkedValue() throws -> Double {
        guard let value, value.isFinite, value.magnitude <= 1e9 else {
            throw InspectorCommandError(
                "\(action.rawValue): value is \(value.map { "\($0)" } ?? "missing"), must be a number.")
        }
        return value
    }

    /// Three numbers within ±10⁶ m.
    public func checkedPosition() throws -> SIMD3<Double> {
        guard let position, position.count == 3, position.allSatisfy({ $0.isFinite && $0.magnitude <= 1e6 }) else {
            throw InspectorCommandError(
                "\(action.rawValue): position must be three numbers of metres within ±1,000,000.")
        }
        return SIMD3(position[0], position[1], position[2])
    }
}

/// A command that cannot be carried out, and why.
public struct InspectorCommandError: Error, Hashable, CustomStringConvertible, Sendable {
    public let description: String

    /// With a sentence for the one who asked.
    public init(_ description: String) { self.description = description }

    /// There is no such thing.
    public static func unknown(_ target: InspectedTarget) -> InspectorCommandError {
        InspectorCommandError("There is no \(target.kind.rawValue) “\(target.id)” any more.")
    }

    /// It is there, and cannot do that.
    public static func unfit(_ command: InspectorCommand) -> InspectorCommandError {
        let name = [command.action.rawValue, command.parameter].compactMap(\.self).joined(separator: " ")
        return InspectorCommandError("A \(command.target.kind.rawValue) does not take “\(name)”.")
    }
}
