import AVFoundation
import Workbench

/// Every ball has a player of its own, which comes and goes with it while the engine renders.
///
///     player ─┐
///     player ─┼─▶ environment ──▶ main mixer ──▶ output
///     player ─┘   (mono)        (stereo)
final class BallGame {
    struct Flight {
        var ball: Ball
        let number: Int
        let player: AVAudioPlayerNode
        /// Frame on which the player began, its own time 0.
        let launch: Int
    }

    let engine = AVAudioEngine()
    let environment = AVAudioEnvironmentNode()
    private let pop: AVAudioPCMBuffer
    private let rate: Double
    private(set) var flights: [Flight] = []
    private(set) var mostAtOnce = 0
    private let landed = Landed()
    /// Told the frame of every collision before it is heard.
    var onCollision: (_ number: Int, _ frame: Int, Ball.Collision) -> Void = { _, _, _ in }
    /// Told of every player that joins.
    var onLaunch: (_ number: Int, AVAudioPlayerNode) -> Void = { _, _ in }

    init(pop: AVAudioPCMBuffer, rate: Double) throws {
        (self.pop, self.rate) = (pop, rate)
        engine.attach(environment)
        engine.connect(
            environment, to: engine.mainMixerNode,
            format: AVAudioFormat(standardFormatWithSampleRate: rate, channels: 2))
        environment.listenerPosition = AVAudio3DPoint(x: 0, y: 1.7, z: 0)
        environment.distanceAttenuationParameters.referenceDistance = 1
        environment.reverbParameters.enable = true
        environment.reverbParameters.loadFactoryReverbPreset(.mediumHall)
    }

    /// Makes a player for a ball and starts it. Nothing is heard of it before it hits the floor.
    func launch(_ ball: Ball, number: Int, at frame: Int) {
        let player = AVAudioPlayerNode()
        engine.attach(player)
        engine.connect(player, to: environment, format: pop.format)
        player.renderingAlgorithm = number.isMultiple(of: 2) ? .equalPowerPanning : .HRTFHQ
        player.reverbBlend = 0.15
        onLaunch(number, player)
        player.play()
        flights.append(Flight(ball: ball, number: number, player: player, launch: frame))
        mostAtOnce = max(mostAtOnce, flights.count)
    }

    /// Lets the world go on from one frame to another, before these are rendered.
    func step(from frame: Int, to end: Int) {
        for index in flights.indices {
            while let collision = flights[index].ball.collision(before: Double(end) / rate) {
                bounce(flights[index], collision, notBefore: frame)
            }
        }
        for number in landed.take() {
            flights.removeAll { flight in
                if flight.number == number { engine.detach(flight.player) }
                return flight.number == number
            }
        }
    }

    private func bounce(_ flight: Flight, _ collision: Ball.Collision, notBefore now: Int) {
        let frame = max(Int(collision.time * rate), now)
        onCollision(flight.number, frame, collision)
        flight.player.position = collision.position
        flight.player.volume = collision.impulse
        let when = AVAudioTime(sampleTime: AVAudioFramePosition(frame - flight.launch), atRate: rate)
        flight.player.scheduleBuffer(pop, at: when, completionCallbackType: .dataRendered) {
            [landed, number = flight.number, isLast = collision.isLast] _ in
            if isLast { landed.add(number) }
        }
    }
}

/// Balls that will not be heard again. Players tell on threads of their own.
private final class Landed: @unchecked Sendable {
    private let lock = NSLock()
    private var numbers: [Int] = []

    func add(_ number: Int) { lock.withLock { numbers.append(number) } }

    func take() -> [Int] {
        lock.withLock {
            defer { numbers = [] }
            return numbers
        }
    }
}
