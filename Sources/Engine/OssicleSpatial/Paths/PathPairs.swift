import OssicleAcoustics
import OssicleCore

/// Pairs of a source and a listener, the histories of both, and what is heard: arrays that keep their memory from
/// update to update. Under the engine's lock.
struct PathPairs {
    /// What an update looks at first in a pair.
    struct Link {
        /// Places of the histories.
        let source, listener: Int
        /// Sound leaves a surface, not a point.
        let isBody: Bool
        /// The direct path is known.
        fileprivate(set) var isTraced = false
        /// Engine time since which it is the same, and will be if nothing is moved; nil while it is not.
        fileprivate(set) var restsSince: Int64?
        /// Turns in which it was received, and in which something that plays needed it.
        fileprivate(set) var received: UInt64 = 0
        fileprivate(set) var attended: UInt64 = 0
    }

    /// Turns between two in which a path is received that nothing needs that plays.
    static let longestWait: UInt64 = 4

    /// Changes whenever pairs get other places.
    private(set) var arrangement: UInt64 = 0
    private(set) var keys: [ScenePaths.Key] = []
    private(set) var places: [ScenePaths.Key: Int] = [:]
    private(set) var links: [Link] = []
    /// Counts the updates that receive paths.
    private(set) var turn: UInt64 = 0
    var heard: [ReceivedPath] = []
    /// Sources that are no points, by number.
    private(set) var bodies: [UInt64: SceneSnapshot.Source] = [:]

    // By object.
    private var numbers: [UInt64: Int] = [:]
    private var histories = PositionHistories(capacity: 0)
    /// Whether the history has begun.
    private var isFollowed: [Bool] = []
    private var poses: [Pose] = []
    private var hasMoved: [Bool] = []
    private var movers: [Int] = []
    /// Histories of the scene's sources, by their places there; −1 where that is not known yet.
    private var sourceHistories: [Int] = []

    // MARK: Places

    /// Histories and paths of pairs that were there before go on. An object that belongs to no pair any more has no
    /// past when it comes back.
    mutating func arrange(_ pairs: [ScenePaths.Pair]) {
        let before = self
        forget()
        arrangement = before.arrangement &+ 1
        bodies = [:]
        histories = PositionHistories(capacity: 2 * pairs.count)
        func history(_ number: UInt64, _ pose: Pose) -> Int {
            if let place = numbers[number] { return place }
            let (place, old) = (histories.count, before.numbers[number])
            numbers[number] = place
            histories.append(old.map { before.histories.take($0) } ?? PositionHistory(pose, at: 0))
            isFollowed.append(old.map { before.isFollowed[$0] } ?? false)
            poses.append(pose)
            let isSame = old.map { before.poses[$0] == pose && !before.hasMoved[$0] } ?? false
            hasMoved.append(!isSame)
            if !isSame { movers.append(place) }
            return place
        }
        for pair in pairs where places[pair.key] == nil {
            let (source, listener) = (pair.source, pair.listener)
            places[pair.key] = keys.count
            keys.append(pair.key)
            var link = Link(
                source: history(source.number, source.pose), listener: history(listener.number, listener.head),
                isBody: !source.meshes.isEmpty)
            if link.isBody { bodies[source.number] = source }
            if let place = before.places[pair.key], before.links[place].isTraced {
                let old = before.links[place]
                (link.isTraced, link.restsSince) = (true, old.restsSince)
                (link.received, link.attended) = (old.received, old.attended)
                heard.append(before.heard[place])
            } else {
                heard.append(.unknown)
            }
            links.append(link)
        }
    }

    /// - Parameter place: in the scene's list of sources.
    mutating func move(_ number: UInt64, sourceAt place: Int, to pose: Pose) {
        while sourceHistories.count <= place { sourceHistories.append(-1) }
        if sourceHistories[place] < 0 { sourceHistories[place] = numbers[number] ?? -1 }
        if sourceHistories[place] >= 0 { move(sourceHistories[place], to: pose) }
    }

    mutating func move(_ number: UInt64, to pose: Pose) {
        if let place = numbers[number] { move(place, to: pose) }
    }

    private mutating func move(_ history: Int, to pose: Pose) {
        poses[history] = pose
        if hasMoved[history] { return }
        hasMoved[history] = true
        movers.append(history)
    }

    mutating func forget() {
        (keys, places, links, heard, bodies) = ([], [:], [], [], [:])
        (numbers, poses, hasMoved, movers, sourceHistories) = ([:], [], [], [], [])
        (histories, isFollowed) = (PositionHistories(capacity: 0), [])
    }

    // MARK: Updates

    /// Notes the present poses of what has moved.
    mutating func follow(at moment: ScenePaths.Moment) {
        for (number, place) in movers.enumerated() {
            // Of the next but one its state, of the next what that points to.
            if number + 4 < movers.count { histories.prefetch(movers[number + 4]) }
            if number + 2 < movers.count { histories[movers[number + 2]].pointee.prefetch() }
            if isFollowed[place] {
                histories[place].pointee.follow(poses[place], at: moment.position, moment.pace)
            } else {
                histories[place].pointee = PositionHistory(poses[place], at: moment.position)
                isFollowed[place] = true
            }
        }
    }

    /// All that has moved has been heard.
    mutating func settle() {
        for place in movers { hasMoved[place] = false }
        movers.removeAll(keepingCapacity: true)
    }

    /// Whether a pair's path is what it was: it was at rest, and neither end has moved.
    mutating func rests(_ place: Int, at moment: ScenePaths.Moment) -> Bool {
        let link = links[place]
        guard let since = link.restsSince, !hasMoved[link.source], !hasMoved[link.listener] else { return false }
        // A renderer may still be on its way there.
        if moment.position - since <= ReceivedPath.longestApproach { heard[place].frames = moment.ahead }
        return true
    }

    /// Another update receives paths.
    mutating func beginTurn() { turn &+= 1 }

    /// Notes that something needs the path at a place that plays, or is about to.
    mutating func attend(_ place: Int) { links[place].attended = turn }

    /// Whether it is a path's turn, also where nothing needs it that plays.
    func isDue(_ place: Int) -> Bool { (turn &+ UInt64(truncatingIfNeeded: place)) % Self.longestWait == 0 }

    /// Whether a path is that of now.
    func isFresh(_ place: Int) -> Bool { links[place].received == turn || links[place].restsSince != nil }

    /// Whether a path that nothing needs is left as it was, until its turn.
    mutating func waits(_ place: Int) -> Bool {
        guard links[place].isTraced, links[place].attended &+ 1 != turn, !isDue(place) else { return false }
        links[place].restsSince = nil
        return true
    }

    /// What is heard, without the rays: at the time of the next update, but not later than it is known where the two
    /// will be.
    /// - Parameter media: how often the medium has changed.
    /// - Returns: whether it is at rest, and whether it is a path between other places than before.
    mutating func hear(
        _ place: Int, _ wanted: PathReception, _ moment: ScenePaths.Moment, media: UInt32
    ) -> (isAtRest: Bool, isElsewhere: Bool) {
        let (source, listener) = (histories[links[place].source], histories[links[place].listener])
        var hearing = wanted
        let position = Double(moment.position)
        var found = hearing.find(source.pointee, listener.pointee)
        var known = hearing.time
        let (sourceKnown, listenerKnown) = (source.pointee.isKnownUntil, listener.pointee.isKnownUntil)
        if sourceKnown > position { known = min(known, hearing.time - max(found.sent - sourceKnown, 0)) }
        if listenerKnown > position { known = min(known, listenerKnown) }
        if known < hearing.time {
            hearing.time = max(known.rounded(), position + 1)
            found = hearing.find(source.pointee, listener.pointee)
        }
        let isAtRest = found.sent >= source.pointee.restsFrom && hearing.time >= listener.pointee.restsFrom
        let isSettled = isAtRest && sourceKnown <= position && listenerKnown <= position
        let isElsewhere = heard[place].receive(
            found, at: hearing, source.pointee, listener.pointee,
            leaps: source.pointee.leaps &+ listener.pointee.leaps &+ media, frames: Int(hearing.time - position),
            isAtRest: isAtRest)
        defer {
            links[place].isTraced = true
            links[place].restsSince = isSettled ? moment.position : nil
            links[place].received = turn
        }
        return (isAtRest, isElsewhere || !links[place].isTraced)
    }
}
