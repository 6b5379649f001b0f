import OssicleCore
@testable import OssicleRender
import OssicleTestSupport
import Testing

/// Everything here is compared sample by sample: a queue player copies.
@Suite struct QueuePlayerRendererTests {
    private let a = noise(300, seed: 1), b = noise(200, seed: 2), c = noise(77, seed: 3)

    // MARK: Order

    @Test func `plays what was scheduled first in first out without a gap`() throws {
        let player = try QueueBench()
        player.schedule("a", a)
        player.schedule("b", b)
        player.play()
        #expect(player.render(600) == a + b + silence(100))
        #expect(
            player.endings == [
                .init(name: "a", outcome: .finished, at: 300), .init(name: "b", outcome: .finished, at: 500),
            ])
    }

    @Test func `is silent until it is told to play, and then begins with the first frame of the next call`() throws {
        let player = try QueueBench()
        player.schedule("a", a)
        #expect(player.render(100) == silence(100))
        player.play()
        #expect(player.render(400) == a + silence(100))
    }

    @Test func `plays at once what is scheduled while nothing is queued`() throws {
        let player = try QueueBench()
        player.play()
        #expect(player.render(1000) == silence(1000))
        player.schedule("b", b)
        #expect(player.render(300) == b + silence(100))
        #expect(player.endings == [.init(name: "b", outcome: .finished, at: 1200)])
    }

    @Test func `keeps channels apart, and leaves those silent that a sound has not`() throws {
        let player = try QueueBench(channels: 3)
        player.schedule("two", [a, Array(a.reversed())] as [[Float]])
        player.play()
        #expect(player.renderAll(350) == [a + silence(50), Array(a.reversed()) + silence(50), silence(350)])
    }

    @Test func `ends many sounds within one block, those without frames too`() throws {
        let player = try QueueBench()
        let pieces = (0..<40).map { noise($0 % 4, seed: UInt64($0)) }
        for (index, piece) in pieces.enumerated() { player.schedule("\(index)", piece) }
        player.play()
        #expect(player.render(128) == Array(pieces.joined()) + silence(68))
        #expect(player.endings.map(\.name) == (0..<40).map(String.init))
        #expect(player.endings.map(\.at) == (0..<40).map { Int64(pieces[0...$0].joined().count) })
    }

    @Test func `plays ten thousand queued sounds without losing one or its report`() throws {
        let player = try QueueBench()
        for index in 0..<10_000 { player.schedule("\(index)", [Float(index), 0.5, -Float(index)]) }
        player.play()
        let expected: [Float] = (0..<10_000).flatMap { [Float($0), 0.5, -Float($0)] as [Float] }
        // All in one go: no report is collected before the end.
        let output = player.bench.render(30_000, cuts: [30_000])[0]
        player.collect()
        #expect(output == expected)
        #expect(player.endings.map(\.name) == (0..<10_000).map(String.init))
        #expect(player.endings.allSatisfy { $0.outcome == .finished })
    }

    @Test func `copies bits: minus zero, the smallest and the largest numbers pass unchanged`() throws {
        let player = try QueueBench()
        let odd: [Float] = [-0.0, 1e-30, .greatestFiniteMagnitude, -1, .leastNormalMagnitude, 3]
        player.schedule("odd", odd)
        player.play()
        #expect(player.render(6).map(\.bitPattern) == odd.map(\.bitPattern))
    }

    // MARK: Times

    @Test func `starts a sound on exactly its player time, inside a block`() throws {
        let player = try QueueBench()
        player.schedule("a", a, at: 1001)
        player.play(at: 50)
        #expect(player.render(1500) == silence(1051) + a + silence(149))
        #expect(player.endings == [.init(name: "a", outcome: .finished, at: 1351)])
    }

    @Test func `starts a sound whose time has passed right behind what plays`() throws {
        let player = try QueueBench()
        player.schedule("a", a)
        player.schedule("b", b, at: 100)
        player.schedule("c", c, at: 510)
        player.play()
        #expect(player.render(600) == a + b + silence(10) + c + silence(13))
    }

    @Test func `begins at the node time of play, and now if that has passed`() throws {
        let late = try QueueBench()
        late.schedule("a", a)
        late.play(at: 333)
        #expect(late.render(700) == silence(333) + a + silence(67))
        let past = try QueueBench()
        _ = past.render(1000)
        past.schedule("a", a)
        past.play(at: 5)
        #expect(past.render(300) == a)
    }

    @Test func `takes the most extreme times without harm`() throws {
        for time in [Int64.min, .max, -1, 0] {
            let player = try QueueBench()
            player.schedule("a", a, at: time)
            player.schedule("b", b, at: time, .cut)
            player.schedule("c", c, at: time, .atLoop)
            player.play(at: time)
            #expect(player.render(300, cuts: [100, 7]) == (time == .max ? silence(300) : b + c + silence(23)))
        }
    }

    // MARK: Pause and stop

    @Test func `pauses between two frames and goes on with the next one`() throws {
        let player = try QueueBench()
        player.schedule("a", a)
        player.schedule("b", b, at: 310)
        player.play()
        var output = player.render(101)
        player.pause()
        output += player.render(1000)
        player.play()
        output += player.render(500)
        #expect(output == a[..<101] + silence(1000) + a[101...] + silence(10) + b + silence(91))
    }

    @Test func `resumes at a node time`() throws {
        let player = try QueueBench()
        player.schedule("a", a)
        player.play()
        var output = player.render(150)
        player.pause()
        player.play(at: 400)
        output += player.render(450)
        let expected: [Float] = a[..<150] + silence(250) + a[150...] + silence(50)
        #expect(output == expected)
    }

    @Test func `pausing before the first frame keeps everything`() throws {
        let player = try QueueBench()
        player.schedule("a", a)
        player.play(at: 1000)
        #expect(player.render(500) == silence(500))
        player.pause()
        #expect(player.render(1000) == silence(1000))
        player.play()
        #expect(player.render(300) == a)
    }

    @Test func `stop drops everything at once and sets player time back`() throws {
        let player = try QueueBench()
        player.schedule("a", a)
        player.schedule("b", b)
        player.play()
        #expect(player.render(111) == Array(a[..<111]))
        player.stop()
        #expect(player.render(100) == silence(100))
        #expect(
            player.endings == [
                .init(name: "a", outcome: .stopped, at: 111), .init(name: "b", outcome: .stopped, at: 111),
            ])
        player.schedule("c", c, at: 20)
        player.play()
        #expect(player.render(100) == silence(20) + c + silence(3))
    }

    @Test func `stop, schedule and play between two calls leave no gap`() throws {
        let player = try QueueBench()
        player.schedule("a", a)
        player.play()
        var output = player.render(50)
        player.stop()
        player.schedule("b", b)
        player.play()
        output += player.render(200)
        #expect(output == a[..<50] + b)
    }

    @Test func `a second play changes nothing`() throws {
        let player = try QueueBench()
        player.schedule("a", a)
        player.play()
        var output = player.render(100)
        player.play(at: 500)
        output += player.render(200)
        #expect(output == a)
    }

    @Test func `player time goes on where it was when the node's clock begins anew`() throws {
        let player = try QueueBench()
        player.schedule("a", a)
        player.schedule("b", b, at: 400)
        player.play()
        var output = player.render(100)
        player.bench.executor.resetTime()
        output += player.render(500)
        #expect(output == a + silence(100) + b)
    }

    @Test func `what waits for a node time begins at once if that has passed unheard`() throws {
        for (resumed, start) in [(Int64(800), Int64(1000)), (5000, 5000)] {
            let renderer = ControlledBox(QueuePlayerRenderer())
            TestEntry("", .play(at: 1000, gate: nil), nil).send(to: renderer.control)
            for position in [0, resumed] { _ = isSilent(renderer, at: position) }
            #expect(renderer.control.pointee.clock.zero == start)
        }
    }

    @Test func `tells where player time stands on the node's clock`() throws {
        let player = try QueueBench()
        _ = player.render(70)
        player.play(at: 200)
        _ = player.render(10)
        #expect(player.mail.pointee.clock.isRunning && player.mail.pointee.clock.zero == 200)
        _ = player.render(220)
        player.pause()
        _ = player.render(50)
        #expect(!player.mail.pointee.clock.isRunning && player.mail.pointee.clock.halt == 100)
        player.play()
        _ = player.render(50)
        #expect(player.mail.pointee.clock.isRunning && player.mail.pointee.clock.zero == 250)
        #expect(player.mail.pointee.clock.carriedOut == 3)
    }

    // MARK: Silence

    @Test func `marks blocks without sound as silent, and no others`() throws {
        let player = try QueueBench()
        player.schedule("a", a, at: 128)
        player.play()
        #expect((0..<6).map { isSilent(player.box, at: $0 * 128) } == [true, false, false, false, true, true])
    }

    /// Renders one block and tells whether it was marked silent.
    private func isSilent(_ renderer: ControlledBox<QueuePlayerRenderer>, at position: Int64) -> Bool {
        let samples = SampleBlock(128)
        var flag = false
        withUnsafeMutablePointer(to: &flag) { flag in
            var (output, flags) = (samples.pointer, flag)
            withUnsafePointer(to: &output) { outputs in
                withUnsafePointer(to: &flags) { flags in
                    let ports = Ports(
                        inputs: outputs, inputCount: 0, outputs: outputs, outputCount: 1, inputFlags: flags,
                        outputFlags: flags, outputPortCount: 1)
                    renderer.pointer.pointee.render(
                        ports,
                        RenderContext(position: position, frames: 128, isControlPoint: true, framesLeftInCall: 128))
                }
            }
        }
        return flag
    }
}
