import OssicleDevices

/// Whether a program's session may sound, and what moves it: the program's own calls, other programs, the sound server.
///
///     inactive ── activate ──▶ active ── interrupt ──▶ interrupted ── end of all that interrupts ──▶ inactive
///         ◀── deactivate ───────┘   ◀── activate, unless a call interrupts ──┘
///
/// A value: every call returns what has to be posted or done, in order.
package struct SessionActivation: Sendable, Hashable {
    package enum Phase: Sendable, Hashable { case inactive, active, interrupted }

    /// Why the session does not get what it asks for.
    package enum Refusal: Error, Sendable, Hashable {
        /// The sound server is gone.
        case servicesLost
        /// Somebody speaks on the telephone.
        case call
    }

    package private(set) var phase = Phase.inactive
    package private(set) var intent = SessionIntent()
    package private(set) var otherSound = OtherSound.none
    package private(set) var areServicesLost = false
    /// What wants the sound for itself now, whether or not it interrupts this session.
    private var claims: Set<SoundClaim> = []

    package init() {}

    /// Whether a telephone call goes on.
    package var isCalled: Bool { claims.contains(.call) }

    // MARK: The program's own calls

    package mutating func activate() throws(Refusal) -> [SessionChange] {
        if areServicesLost { throw .servicesLost }
        if claims.contains(.call) { throw .call }
        guard phase != .active else { return [] }
        // What else wanted the sound has lost it to this session.
        claims = []
        phase = .active
        return [.activated] + Self.demands(since: nil, now: intent)
    }

    /// - Parameter mayResume: whether the programs it interrupted should go on.
    /// - Returns: nothing for a session that is not active; one that is interrupted is not notified of the end.
    package mutating func deactivate(mayResume: Bool = false) -> [SessionChange] {
        let changes = phase == .active ? released(mayResume: mayResume) + [.deactivated(by: nil)] : []
        phase = .inactive
        return changes
    }

    /// What the session wants has changed: others are ducked or interrupted, or restored, at once.
    package mutating func adopt(_ intent: SessionIntent) -> [SessionChange] {
        defer { self.intent = intent }
        return phase == .active ? Self.demands(since: self.intent, now: intent) : []
    }

    /// What the sound of others has to yield to; `nil` stands for a session that is not active.
    private static func demands(
        since before: SessionIntent?, now: SessionIntent?, mayResume: Bool = false
    ) -> [SessionChange] {
        let (held, holds) = (before.map { !$0.mixes } ?? false, now.map { !$0.mixes } ?? false)
        let (ducked, ducks) = (before?.ducksOthers ?? false, now?.ducksOthers ?? false)
        let hold = holds ? SoundHold.exclusive : .released(mayResume: mayResume)
        return (held != holds ? [.hold(hold)] : []) + (ducked != ducks ? [.duckOthers(ducks)] : [])
    }

    private func released(mayResume: Bool = false) -> [SessionChange] {
        phase == .active ? Self.demands(since: intent, now: nil, mayResume: mayResume) : []
    }

    // MARK: Other programs

    /// Somebody wants the sound.
    package mutating func begin(_ claim: SoundClaim) -> [SessionChange] {
        claims.insert(claim)
        guard phase == .active, claim.interrupts(intent) else { return [] }
        let changes = released() + [.deactivated(by: claim), .interrupted(by: claim)]
        phase = .interrupted
        return changes
    }

    /// Somebody no longer wants it. An interruption ends with the last of those that interrupt.
    /// - Parameter mayResume: whether the program should go on with what it played.
    package mutating func end(_ claim: SoundClaim, mayResume: Bool) -> [SessionChange] {
        guard claims.remove(claim) != nil, phase == .interrupted else { return [] }
        guard !claims.contains(where: { $0.interrupts(intent) }) else { return [] }
        phase = .inactive
        return [.interruptionEnded(mayResume: mayResume)]
    }

    /// Other programs began to sound, or ceased.
    package mutating func note(_ sound: OtherSound) -> [SessionChange] {
        let hint = otherSound == .primary
        otherSound = sound
        guard phase == .active, hint != (sound == .primary) else { return [] }
        return [.silenceHint(sound == .primary)]
    }

    /// Other programs play streams of these roles now: a telephone is a call, an announcement a prompt.
    package mutating func note(_ roles: [StreamRole]) -> [SessionChange] {
        var changes: [SessionChange] = []
        for (claim, role) in [(SoundClaim.call, StreamRole.phone), (.prompt, .announcement)] {
            changes += roles.contains(role) ? begin(claim) : end(claim, mayResume: true)
        }
        let isPrimary = roles.contains { !$0.isSecondary }
        return changes + note(isPrimary ? .primary : roles.isEmpty ? .none : .secondary)
    }

    // MARK: The server

    package mutating func loseServices() -> [SessionChange] {
        guard !areServicesLost else { return [] }
        let changes = released() + [.servicesLost]
        areServicesLost = true
        phase = .inactive
        claims = []
        otherSound = .none
        return changes
    }

    /// The server is back. The session is inactive, whether or not the loss was noticed.
    package mutating func resetServices() -> [SessionChange] {
        let lost = loseServices()
        areServicesLost = false
        return lost + [.servicesReset]
    }
}

/// What a session wants of the sound of other programs.
package struct SessionIntent: Sendable, Hashable {
    /// It sounds beside others.
    package var mixes = false
    /// Others are lowered as long as it is active.
    package var ducksOthers = false
    /// It is speech that is better paused than talked over.
    package var isSpoken = false
    /// It needs the microphone, and has not said that it does without.
    package var needsMicrophone = false
    /// It plays for the listener's sake and is to halt when the headphones are pulled.
    package var haltsWithRoute = false

    package init() {}
}

/// Who wants the sound for himself.
package enum SoundClaim: Sendable, Hashable {
    /// A telephone call, or another program of that role.
    case call
    /// Another program that does not mix.
    case program
    /// The server, by a policy for the roles of streams.
    case policy
    /// A short spoken prompt.
    case prompt
    /// The microphone was muted by a switch of the device's.
    case mutedMicrophone
    /// The device that played is gone.
    case routeDisconnected

    /// Whether a session of that intent is interrupted.
    package func interrupts(_ intent: SessionIntent) -> Bool {
        switch self {
        case .call, .policy: true
        case .program: !intent.mixes
        case .prompt: intent.isSpoken
        case .mutedMicrophone: intent.needsMicrophone
        case .routeDisconnected: intent.haltsWithRoute
        }
    }
}

/// What other programs play.
package enum OtherSound: Sendable, Hashable {
    case none
    /// Effects and announcements, beside which anything may sound.
    case secondary
    /// Music, a film, a call: secondary sound should be silent.
    case primary
}

/// What a session has to post, or to have done.
package enum SessionChange: Sendable, Hashable {
    case activated
    /// By itself for nil.
    case deactivated(by: SoundClaim?)
    case interrupted(by: SoundClaim)
    case interruptionEnded(mayResume: Bool)
    case silenceHint(Bool)
    case duckOthers(Bool)
    /// What other programs are to know.
    case hold(SoundHold)
    case servicesLost
    case servicesReset
}
