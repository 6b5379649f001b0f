import OssicleHeadTracking

/// Head tracking, from the engine's start to its stop.
extension EngineCore {
    func setHeadTracking(_ tracking: PHASEHeadTracking?) {
        locked {
            guard tracking !== trackedHead.tracking else { return }
            stopHeadTracking()
            trackedHead.tracking = tracking
            trackedHead.pose = nil
            trackedHead.followers.forEach(poseChanged)
            guard renderingState != .stopped else { return }
            do { try startHeadTracking() } catch { record(error) }
        }
    }

    /// Under the lock. What the client chose has to work; what the environment asks for may fail.
    func startHeadTracking() throws {
        if let tracking = trackedHead.tracking {
            guard !tracking.isRunning else { return }
            try tracking.start()
            trackedHead.isOurs = true
            return
        }
        do {
            guard let source = try HeadTrackingSource.fromEnvironment() else { return }
            let tracking = PHASEHeadTracking(HeadTracker(source))
            try tracking.start()
            (trackedHead.tracking, trackedHead.isOurs) = (tracking, true)
        } catch let error as HeadTrackingError {
            record(PHASEError(error))
        } catch {
            record(error)
        }
    }

    /// Under the lock. What the client started itself goes on.
    func stopHeadTracking() {
        if trackedHead.isOurs { trackedHead.tracking?.stop() }
        trackedHead.isOurs = false
    }

    /// Once per update: where the head is now, for all listeners that follow it.
    func followHead() {
        let followers = trackedHead.followers
        guard !followers.isEmpty else { return }
        guard let tracking = trackedHead.tracking else { return hintAtMissingHead(followers) }
        let pose = tracking.tracker.pose(at: now)
        guard pose?.orientation != trackedHead.pose?.orientation || pose?.position != trackedHead.pose?.position else { return }
        trackedHead.pose = pose
        followers.forEach(poseChanged)
    }

    private func hintAtMissingHead(_ followers: [PHASEListener]) {
        guard !trackedHead.hasHinted, let listener = followers.first else { return }
        trackedHead.hasHinted = true
        record(PHASEError(.invalidObject, object: listener.reportName, value: "automaticHeadTrackingFlags are set and nothing tracks the head",
                          rule: "A head is followed if the engine has a source for it; without one the flags have no effect.",
                          cure: "Set engine.headTracking, or the environment variable \(HeadTrackingSource.variable)."))
    }
}
