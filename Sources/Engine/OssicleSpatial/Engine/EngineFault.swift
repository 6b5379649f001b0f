/// What went wrong without a way to throw, for the facade to record as an error of its own.
package struct EngineFault: Error, Sendable {
    package enum Kind: Sendable {
        /// The engine, its output or its plan.
        case engine
        /// Calls on sound events that do not fit together.
        case misuse
        /// A sound that cannot be read.
        case data
        /// A resource that cannot be used.
        case asset
    }

    package enum Account: Sendable {
        case sentence(String)
        case parts(object: String, value: String, rule: String, cure: String)
    }

    package let kind: Kind
    package let account: Account

    package init(_ kind: Kind, _ sentence: String) {
        self.kind = kind
        account = .sentence(sentence)
    }

    package init(_ kind: Kind, object: String, value: String, rule: String, cure: String) {
        self.kind = kind
        account = .parts(object: object, value: value, rule: rule, cure: cure)
    }
}

/// Whom the engine serves. Under the engine's lock.
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
