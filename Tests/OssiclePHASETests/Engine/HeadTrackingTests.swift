import Foundation
import OssicleCore
import OssicleHeadTracking
import OssicleTestSupport
import PHASE
import Testing

@Suite struct HeadTrackingTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    // MARK: Bench

    /// A stage with a broadband source and a head that looks straight ahead until `prepare` does something about it.
    private func stage(
        source position: SIMD3<Float> = SIMD3(0, 0, -2), rolloff: Double = 0,
        _ prepare: (Stage) throws -> Void = { _ in }
    ) throws -> Stage {
        let stage = try Stage()
        let noise = (0..<9600).map { Float(0.05 * sin(0.37 * Double($0 * $0 % 7919))) }
        try stage.register("noise", [noise])
        let mixer = try stage.spatialMixer(rolloff: rolloff)
        let event = try stage.registerEvent("noise", into: mixer, loops: true) { $0.cullOption = .doNotCull }
        try prepare(stage)
        try stage.start()
        try stage.event(event, mixer, stage.source(at: position)).start()
        return stage
    }

    private func recording(_ poses: [HeadPose]) throws -> PHASEHeadTracking {
        let url = URL(fileURLWithPath: folder.path("\(UUID().uuidString).csv"))
        try MotionRecording(poses).write(to: url)
        return PHASEHeadTracking(.recording(url))
    }

    /// A head that stays as it is.
    private func still(_ orientation: Rotation = .identity, position: SIMD3<Double> = .zero) throws -> PHASEHeadTracking
    {
        try recording([HeadPose(orientation: orientation, position: position)])
    }

    /// The same turn as a client writes it.
    private func transform(_ orientation: Rotation) -> simd_float4x4 {
        let (right, up, back) = orientation.axes
        return simd_float4x4(
            columns: (
                SIMD4(SIMD3<Float>(right), 0), SIMD4(SIMD3<Float>(up), 0), SIMD4(SIMD3<Float>(back), 0),
                SIMD4(0, 0, 0, 1)
            ))
    }

    private func levels(_ out: [[Float]]) -> (left: Double, right: Double) {
        (rms(out[0][4800...]), rms(out[1][4800...]))
    }

    private let left = Rotation(yaw: .pi / 2, pitch: 0, roll: 0)

    // MARK: Turning

    @Test
    func `a tracked turn to the left brings what was ahead to the right ear, byte for byte as a turned listener does`()
        throws
    {
        let tracked = try stage {
            $0.engine.headTracking = try still(left)
            $0.listener.automaticHeadTrackingFlags = .orientation
        }
        let turned = try stage { $0.listener.transform = transform(left) }
        let (heard, expected) = (try tracked.render(9600), try turned.render(9600))
        #expect(heard == expected)
        let (leftEar, rightEar) = levels(heard)
        #expect(decibels(rightEar / leftEar) > 6)
        #expect(tracked.engine.lastError == nil)
    }

    @Test func `the turn goes on top of the listener's own`() throws {
        let own = Rotation(yaw: 0, pitch: 0.4, roll: 0), head = Rotation(yaw: 0.6, pitch: 0, roll: 0)
        let tracked = try stage {
            $0.listener.transform = transform(own)
            $0.engine.headTracking = try still(head)
            $0.listener.automaticHeadTrackingFlags = .orientation
        }
        let turned = try stage { $0.listener.transform = transform(own.then(head)) }
        let (heard, expected) = (levels(try tracked.render(9600)), levels(try turned.render(9600)))
        #expect(abs(decibels(heard.left / expected.left)) < 0.001)
        #expect(abs(decibels(heard.right / expected.right)) < 0.001)
        let kept = tracked.listener.transform
        #expect(kept == transform(own))
    }

    @Test
    func `a recorded motion sounds as the same motion made by the client, byte for byte, however the calls are cut`()
        throws
    {
        let poses = [
            HeadPose(), HeadPose(orientation: Rotation(yaw: 1.2, pitch: -0.3, roll: 0.2), time: 0.1),
            HeadPose(orientation: left, time: 0.15),
        ]
        let motion = try MotionRecording(poses), tracking = { try recording(poses) }
        func tracked() throws -> Stage {
            try stage {
                $0.engine.headTracking = try tracking()
                $0.listener.automaticHeadTrackingFlags = .orientation
            }
        }
        let client = try stage()
        var expected: [[Float]] = [[], []]
        for block in 0..<20 {
            client.listener.transform = transform(motion.pose(at: Double(block * 512) / 48_000).orientation)
            let out = try client.render(512)
            for channel in 0..<2 { expected[channel] += out[channel] }
        }
        for call in [512, 1024, 127, 64] {
            let heard = try tracked().render(10_240, call: call)
            #expect(heard == expected, "in calls of \(call)")
        }
    }

    @Test func `without flags the head is not followed`() throws {
        let alone = try stage(),
            tracked = try stage { $0.engine.headTracking = try still(left, position: SIMD3(1, 0, 0)) }
        let (heard, expected) = (try tracked.render(4800), try alone.render(4800))
        #expect(heard == expected)
    }

    @Test func `flags can be taken back, and a tracker too`() throws {
        let stage = try stage {
            $0.engine.headTracking = try still(left)
            $0.listener.automaticHeadTrackingFlags = [.orientation, .position]
        }
        let ratio = { (out: [[Float]]) -> Double in decibels(rms(out[1][2400...]) / rms(out[0][2400...])) }
        #expect(ratio(try stage.render(9600)) > 6)
        stage.listener.automaticHeadTrackingFlags = []
        #expect(abs(ratio(try stage.render(9600))) < 0.1)
        stage.listener.automaticHeadTrackingFlags = .orientation
        #expect(ratio(try stage.render(9600)) > 6)
        stage.engine.headTracking = nil
        #expect(abs(ratio(try stage.render(9600))) < 0.1)
    }

    @Test func `recentring makes the present pose straight ahead`() throws {
        // A quaternion whose product with its inverse is exact.
        let turned = Rotation(unit: SIMD4(0, 0.6, 0, 0.8))
        let tracked = try stage {
            let tracking = try still(turned, position: SIMD3(0.5, 0, 0))
            tracking.recentre()
            $0.engine.headTracking = tracking
            $0.listener.automaticHeadTrackingFlags = [.orientation, .position]
        }
        let (heard, expected) = (try tracked.render(4800), try stage().render(4800))
        #expect(heard == expected)
    }

    @Test func `a bed stays where it is while the head turns`() throws {
        func bed(_ prepare: (Stage) throws -> Void) throws -> [[Float]] {
            let stage = try Stage()
            try stage.register(
                "front", [sine(1000, 9600), [Float](repeating: 0, count: 9600)], layout: kAudioChannelLayoutTag_Stereo)
            let layout = try TestFailure.unwrap(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_Stereo))
            let mixer = PHASEAmbientMixerDefinition(
                channelLayout: layout, orientation: simd_quatf(ix: 0, iy: 0, iz: 0, r: 1))
            let event = try stage.registerEvent("front", into: mixer, loops: true)
            try prepare(stage)
            try stage.start()
            let parameters = PHASEMixerParameters()
            parameters.addAmbientMixerParameters(identifier: mixer.identifier, listener: stage.listener)
            try PHASESoundEvent(engine: stage.engine, assetIdentifier: event, mixerParameters: parameters).start()
            return try stage.render(9600)
        }
        let tracked = try bed {
            $0.engine.headTracking = try still(left)
            $0.listener.automaticHeadTrackingFlags = .orientation
        }
        let turned = try bed { $0.listener.transform = transform(left) }
        #expect(tracked == turned)
        #expect(levels(tracked).right > 0.001)
    }

    // MARK: Moving

    @Test(arguments: [1.0, 100.0])
    func `a step towards a source halves the distance and doubles the level, in any unit`(unitsPerMeter: Double) throws
    {
        func level(_ flags: PHASEAutomaticHeadTrackingFlags) throws -> (level: Double, distance: Double) {
            let stage = try stage(source: SIMD3(0, 0, -2 * Float(unitsPerMeter)), rolloff: 1) {
                $0.engine.unitsPerMeter = unitsPerMeter
                $0.engine.headTracking = try still(position: SIMD3(0, 0, -1))
                $0.listener.automaticHeadTrackingFlags = flags
            }
            let (left, right) = levels(try stage.render(24_000))
            return (
                (left * left + right * right).squareRoot(),
                try TestFailure.unwrap(stage.engine.directPaths.first).distance
            )
        }
        let (near, far) = (try level(.position), try level(.orientation))
        #expect(abs(near.distance - 1) < 1e-6)
        #expect(abs(far.distance - 2) < 1e-6)
        #expect(abs(decibels(near.level / far.level) - 6.02) < 0.1)
    }

    @Test func `a step ahead is along where the listener's object looks, and its scale does not stretch it`() throws {
        let stage = try stage(source: SIMD3(-3, 0, 0)) {
            var matrix = transform(left)
            for (column, axis) in [matrix.columns.0, matrix.columns.1, matrix.columns.2].enumerated() {
                matrix[column] = axis * 5
            }
            $0.listener.transform = matrix
            $0.engine.headTracking = try still(position: SIMD3(0, 0, -1))
            $0.listener.automaticHeadTrackingFlags = .position
        }
        _ = try stage.render(512)
        let distance = try TestFailure.unwrap(stage.engine.directPaths.first).distance
        #expect(abs(distance - 2) < 1e-6)
    }

    // MARK: The network

    @Test func `a head on the network is heard to turn, by OSC and by opentrack`() throws {
        let turned = levels(try stage { $0.listener.transform = transform(left) }.render(9600))
        let port = try DatagramSocket.quietPort()
        for (source, packet) in [
            (PHASEHeadTracking.Source.osc(port: port), HeadPackets.osc("/SceneRotator/ypr", [-90, 0, 0])),
            (.opentrack(port: port), HeadPackets.opentrack(yaw: -90)),
        ] {
            let tracking = PHASEHeadTracking(source), sender = try DatagramSocket()
            let stage = try stage {
                $0.engine.headTracking = tracking
                $0.listener.automaticHeadTrackingFlags = .orientation
            }
            #expect(tracking.port == port && tracking.connection == .waiting)
            try sender.send(packet, to: port)
            let arrived = waitUntil { tracking.poseCount == 1 }
            #expect(arrived)
            let heard = levels(try stage.render(9600))
            #expect(abs(decibels(heard.left / turned.left)) < 0.01)
            #expect(abs(decibels(heard.right / turned.right)) < 0.01)
            stage.engine.stop()
            #expect(!tracking.isRunning)
            // A child process that another test forks has the socket until it executes its program.
            let isFree = waitUntil { (try? DatagramSocket(port: port)) != nil }
            #expect(isFree)
        }
    }

    @Test func `a port in use stops the engine's start by name, and a free one lets it go on`() throws {
        let stage = try Stage()
        do {
            let holder = try DatagramSocket()
            stage.engine.headTracking = PHASEHeadTracking(.osc(port: holder.port))
            do {
                try stage.start()
                Issue.record("the engine started")
            } catch PHASEError.initializeFailed {
                #expect(stage.engine.renderingState == .stopped)
            }
            let error = #expect(throws: PHASEError.self) { try stage.start() }
            #expect(error?.description.contains("\(holder.port)") == true)
        }
        try stage.start()
        #expect(stage.engine.headTracking?.isRunning == true)
    }

    @Test func `a tracker given to an engine that runs starts at once, and a failure is recorded`() throws {
        let stage = try Stage(), holder = try DatagramSocket()
        try stage.start()
        stage.engine.headTracking = PHASEHeadTracking(.osc(port: holder.port))
        #expect((stage.engine.lastError as? PHASEError)?.description.contains("\(holder.port)") == true)
        stage.engine.headTracking = try still()
        #expect(stage.engine.headTracking?.isRunning == true)
    }

    @Test func `a head can be supplied by the program, and nonsense is passed over`() throws {
        let tracking = PHASEHeadTracking(.supplied)
        let stage = try stage {
            $0.engine.headTracking = tracking
            $0.listener.automaticHeadTrackingFlags = [.orientation, .position]
        }
        tracking.supply(orientation: simd_quatd(angle: .pi / 2, axis: SIMD3(0, 1, 0)))
        tracking.supply(orientation: simd_quatd(ix: .nan, iy: 0, iz: 0, r: 0))
        tracking.supply(orientation: simd_quatd(ix: 0, iy: 0, iz: 0, r: 1), position: SIMD3(.infinity, 0, 0))
        let (left, right) = levels(try stage.render(9600))
        #expect(decibels(right / left) > 6)
        #expect(tracking.poseCount == 1)
        #expect(tracking.connection == .connected)
    }

    // MARK: Misuse

    @Test func `flags without anybody to follow are hinted at once, once`() throws {
        let stage = try stage { $0.listener.automaticHeadTrackingFlags = .orientation }
        let heard = try stage.render(4800), expected = try self.stage().render(4800)
        #expect(heard == expected)
        #expect(stage.engine.recordedErrors.count == 1)
        #expect("\(stage.engine.recordedErrors)".contains("engine.headTracking"))
    }

    @Test func `a recording that cannot be read says where`() throws {
        let url = URL(fileURLWithPath: folder.path("bad.csv"))
        try Data("time,x,y,z,qx,qy,qz,qw\n0,0,0,0,0,0,0,one\n".utf8).write(to: url)
        let error = #expect(throws: PHASEError.self) { try PHASEHeadTracking("file:\(url.path)").start() }
        #expect(error?.description.contains("line 2, column 8") == true)
        #expect(throws: PHASEError.self) { try PHASEHeadTracking("osc:none") }
    }

    @Test func `a copy of a listener follows the head as well`() throws {
        let stage = try Stage()
        stage.engine.headTracking = try still(position: SIMD3(0, 0, -1))
        stage.listener.automaticHeadTrackingFlags = .position
        let copy = try TestFailure.unwrap(stage.listener.copy() as? PHASEListener)
        #expect(copy.automaticHeadTrackingFlags == .position)
        try stage.engine.rootObject.addChild(copy)
        try stage.register("tone", [sine(1000, 4800)])
        let mixer = try stage.spatialMixer(), event = try stage.registerEvent("tone", into: mixer, loops: true)
        try stage.start()
        let parameters = PHASEMixerParameters()
        parameters.addSpatialMixerParameters(
            identifier: mixer.identifier, source: try stage.source(at: SIMD3(0, 0, -3)), listener: copy)
        try PHASESoundEvent(engine: stage.engine, assetIdentifier: event, mixerParameters: parameters).start()
        _ = try stage.render(512)
        let distance = try TestFailure.unwrap(stage.engine.directPaths.first).distance
        #expect(abs(distance - 2) < 1e-9)
    }
}
