import Foundation
import OssicleCore
import OssicleHeadTracking
import OssicleSIMD

/// Tracks the head of the person who listens, for listeners with `automaticHeadTrackingFlags` (an addition of Ossicle).
///
/// Assigned to `engine.headTracking`, it starts and stops with the engine. Nothing is opened before. Any thread.
public final class PHASEHeadTracking: @unchecked Sendable {
    /// Where the head's pose comes from. Ports are UDP; 127.0.0.1 receives from this machine only, 0.0.0.0 from every
    /// network it is on.
    public enum Source: Hashable, Sendable {
        /// OSC messages of common head trackers; see “Head tracking” in the documentation. `inverting`: angles of
        /// which the sender has the sign reversed.
        case osc(port: UInt16, address: String = "127.0.0.1", inverting: Set<Angle> = [])
        /// opentrack's “UDP over network”.
        case opentrack(port: UInt16 = 4242, address: String = "127.0.0.1", inverting: Set<Angle> = [])
        /// A text file of poses. Its clock is the engine's, so that rendering offline gives the same bytes each time.
        case recording(URL)
        /// The program calls `supply(orientation:position:)`.
        case supplied
    }

    /// One of the three angles a head is described by.
    public enum Angle: Int, Sendable {
        /// Around the vertical.
        case yaw
        /// Around the axis through the ears.
        case pitch
        /// Around the axis straight ahead.
        case roll
    }

    /// Whether poses arrive.
    public enum Connection: Sendable {
        /// Stopped, or nothing has come yet.
        case waiting
        /// A pose came within the last second; a recording is being played.
        case connected
        /// Poses came, and none for a second. The listener keeps the last.
        case lost
    }

    let tracker: HeadTracker

    /// A tracker that is stopped.
    public init(_ source: Source) { tracker = HeadTracker(source.tracked) }

    /// From a source spelled as in the environment variable `OSSICLE_HEAD_TRACKING`: `osc:8000`, `opentrack:4242`,
    /// `osc:0.0.0.0:8000`, `osc:8000,invert=pitch+roll`, `file:/path`.
    /// - Throws: `PHASEError.initializeFailed`, naming the part that is not understood.
    public init(_ text: String) throws {
        do { tracker = HeadTracker(try HeadTrackingSource(text)) } catch { throw PHASEError(error) }
    }

    init(_ tracker: HeadTracker) { self.tracker = tracker }

    // MARK: Life

    /// Opens the port or reads the file. Does nothing if it runs. The engine calls it, too.
    /// - Throws: `PHASEError.initializeFailed`: the port is in use, or the line and column of the file that cannot be
    ///   read.
    public func start() throws {
        do { try tracker.start() } catch { throw PHASEError(error) }
    }

    /// Closes the port. May be started again.
    public func stop() { tracker.stop() }

    /// Whether the port is open or the recording plays.
    public var isRunning: Bool { tracker.isRunning }

    // MARK: Head

    /// Makes the present orientation straight ahead, and the present position the origin, from the next update on.
    public func recentre() { tracker.recentre() }

    /// A pose from the program itself, with the source `.supplied` and while running.
    ///
    /// - Parameters:
    ///   - orientation: from straight ahead, in a listener's axes: X right, Y up, Z back. Passed over if it is no
    ///     rotation.
    ///   - position: metres in the same axes, at most 10 km; passed over if it is not finite.
    public func supply(orientation: simd_quatd, position: SIMD3<Double> = .zero) {
        let q = orientation.vector
        guard let rotation = Rotation(x: q.x, y: q.y, z: q.z, w: q.w), position.magnitude <= HeadPose.farthest else {
            return
        }
        tracker.supply(HeadPose(orientation: rotation, position: position))
    }

    // MARK: Health

    /// Whether poses arrive.
    public var connection: Connection {
        switch tracker.connection() {
        case .waiting: .waiting
        case .connected: .connected
        case .lost: .lost
        }
    }

    /// The port that is listened to, if there is one: with port 0, the one the system chose.
    public var port: UInt16? { tracker.port }

    /// Poses in a second, smoothed; sinks towards 0 while none come.
    public var poseRate: Double { tracker.count().rate }
    /// Packets since the start that held a pose.
    public var poseCount: Int { tracker.count().poses }
    /// Packets that were well made and about something else.
    public var otherPacketCount: Int { tracker.count().others }
    /// Packets that were truncated, or held a pose out of range.
    public var malformedPacketCount: Int { tracker.count().malformed }
    /// Seconds since the last pose came; nil before the first, and for recordings.
    public var secondsSinceLastPose: Double? {
        let now = MonotonicClock.now
        return tracker.count(at: now).lastArrival.map { now - $0 }
    }
}

extension PHASEHeadTracking.Source {
    var tracked: HeadTrackingSource {
        func angles(_ inverting: Set<PHASEHeadTracking.Angle>) -> Set<HeadAngle> {
            Set(inverting.compactMap { HeadAngle(rawValue: $0.rawValue) })
        }
        return switch self {
        case .osc(let port, let address, let inverting):
            .network(PoseReceiver.Endpoint(.osc, address: address, port: port, inverted: angles(inverting)))
        case .opentrack(let port, let address, let inverting):
            .network(PoseReceiver.Endpoint(.opentrack, address: address, port: port, inverted: angles(inverting)))
        case .recording(let url): .recording(url)
        case .supplied: .supplied
        }
    }
}

extension PHASEError {
    init(_ error: HeadTrackingError) {
        self.init(.initializeFailed, object: error.object, value: error.value, rule: error.rule, cure: error.cure)
    }
}
