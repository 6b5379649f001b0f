// What parameters and their groups have in common: a name, a place in the tree, observers, and the unit's callbacks.

/// A node of a parameter tree: an `AUParameter` or an `AUParameterGroup`. Any thread but the render thread.
open class AUParameterNode: NSObject, @unchecked Sendable {
    /// Name for programs: unique among siblings, the same for ever.
    public let identifier: String
    /// Name for people.
    public let displayName: String

    let lock = NSLock()
    private weak var storedParent: AUParameterGroup?
    private var observers: [ParameterObserver] = []
    private var implementor = Implementor()

    init(identifier: String, displayName: String) {
        self.identifier = identifier
        self.displayName = displayName
    }

    /// The identifiers from the root of the tree to this node, joined by dots. The root has none.
    public var keyPath: String {
        guard let above = parent?.keyPath, !above.isEmpty else { return identifier }
        return above + "." + identifier
    }

    /// The display name in at most `maximumLength` characters; the unit may have a callback that knows a better
    /// abbreviation.
    @discardableResult
    open func displayName(withLength maximumLength: Int) -> String {
        nearest(\.displayName)?(self, maximumLength) ?? String(displayName.prefix(max(maximumLength, 0)))
    }

    var parent: AUParameterGroup? {
        get { lock.withLock { storedParent } }
        set { lock.withLock { storedParent = newValue } }
    }
}

// MARK: Observers

extension AUParameterNode {
    /// Calls `observer` when a parameter here or below changes: off the render thread, at most 50 times a second, with
    /// the newest value. The token removes the observer, and keeps it from hearing of changes made with the token as
    /// originator.
    @discardableResult
    public func token(byAddingParameterObserver observer: @escaping AUParameterObserver) -> AUParameterObserverToken {
        add(ParameterObserver(.value(observer)))
    }

    /// Calls `observer` with every change of a parameter here or below and its host time, off the render thread.
    @discardableResult
    public func token(
        byAddingParameterRecordingObserver observer: @escaping AUParameterRecordingObserver
    ) -> AUParameterObserverToken {
        add(ParameterObserver(.recording(observer)))
    }

    /// Calls `observer` with every change, touch and release of a parameter here or below, off the render thread.
    @discardableResult
    public func token(
        byAddingParameterAutomationObserver observer: @escaping AUParameterAutomationObserver
    ) -> AUParameterObserverToken {
        add(ParameterObserver(.automation(observer)))
    }

    /// Removes an observer that was added to this node and waits until its call in flight has returned, unless that
    /// call is where this is called. An unknown token does nothing.
    public func removeParameterObserver(_ token: AUParameterObserverToken) {
        let removed = lock.withLock { () -> ParameterObserver? in
            guard let index = observers.firstIndex(where: { $0.token == token }) else { return nil }
            return observers.remove(at: index)
        }
        removed?.remove()
    }

    private func add(_ observer: ParameterObserver) -> AUParameterObserverToken {
        lock.withLock { observers.append(observer) }
        return observer.token
    }

    /// Tells the observers here and above, all but `originator`.
    func report(_ change: ParameterChange, except originator: AUParameterObserverToken?) {
        let (listening, above) = lock.withLock { (observers, storedParent) }
        for observer in listening where observer.token != originator { observer.receive(change) }
        above?.report(change, except: originator)
    }
}

// MARK: The unit's side

extension AUParameterNode {
    struct Implementor {
        /// Of the unit that made the tree, so that clients may use the public callbacks as they like.
        var owner: ((AUParameterAddress) -> Void)?
        var valueObserver: AUImplementorValueObserver?
        var valueProvider: AUImplementorValueProvider?
        var stringFromValue: AUImplementorStringFromValueCallback?
        var valueFromString: AUImplementorValueFromStringCallback?
        var displayName: AUImplementorDisplayNameWithLengthCallback?
    }

    /// Called with the address after each change here or below, on the thread that makes it, whatever callbacks clients
    /// set.
    func callOwner(_ body: @escaping (AUParameterAddress) -> Void) { lock.withLock { implementor.owner = body } }

    /// How the unit learns of changes, on the thread that makes them. Holds for the parameters below that have none of
    /// their own.
    public var implementorValueObserver: AUImplementorValueObserver {
        get { nearest(\.valueObserver) ?? { _, _ in } }
        set { lock.withLock { implementor.valueObserver = newValue } }
    }

    /// Where values come from. Holds for the parameters below that have none of their own; default: the value last set.
    public var implementorValueProvider: AUImplementorValueProvider {
        get { nearest(\.valueProvider) ?? { $0.storedValue } }
        set { lock.withLock { implementor.valueProvider = newValue } }
    }

    /// How values are put in words. Holds for the parameters below that have none of their own; default: the value's
    /// string, or the number with three decimals at most.
    public var implementorStringFromValueCallback: AUImplementorStringFromValueCallback {
        get { nearest(\.stringFromValue) ?? { $0.plainString(of: $1?.pointee ?? $0.value) } }
        set { lock.withLock { implementor.stringFromValue = newValue } }
    }

    /// How words become values. Holds for the parameters below that have none of their own; default: one of the value
    /// strings, or the number the text begins with.
    public var implementorValueFromStringCallback: AUImplementorValueFromStringCallback {
        get { nearest(\.valueFromString) ?? { $0.plainValue(of: $1) } }
        set { lock.withLock { implementor.valueFromString = newValue } }
    }

    /// How names are shortened. Holds for the nodes below that have none of their own; default: the first characters.
    public var implementorDisplayNameWithLengthCallback: AUImplementorDisplayNameWithLengthCallback {
        get { nearest(\.displayName) ?? { String($0.displayName.prefix(max($1, 0))) } }
        set { lock.withLock { implementor.displayName = newValue } }
    }

    /// The callback of this node, or of the next one above that has it.
    func nearest<Callback>(_ callback: KeyPath<Implementor, Callback?>) -> Callback? {
        let (own, above) = lock.withLock { (implementor[keyPath: callback], storedParent) }
        return own ?? above?.nearest(callback)
    }
}
