import OssicleCore

/// What went wrong without a way to throw, for the facade to record as an error of its own.
package typealias SpatialError = Fault<SpatialFault>

package enum SpatialFault: FaultKind {
    /// The engine, its output or its plan.
    case engine
    /// Calls on sound events that do not fit together.
    case misuse
    /// A sound that cannot be read.
    case data
    /// A resource that cannot be used.
    case asset
}

/// The client's side of the engine: handlers, errors, objects to release. Under the engine's lock.
package protocol SpatialHost: AnyObject {
    func record(_ error: any Error)
    /// Calls a handler of the client's, never on the thread that renders and without the lock.
    func call(_ handler: @escaping @Sendable () -> Void)
    /// Releases an object of the client's where client code may run.
    func release(_ object: AnyObject)
    /// Assets may be free.
    func eventHasEnded()
    /// Rendering was set up anew: fades that were begun before are at their end.
    func timeHasBegunAnew()
}
