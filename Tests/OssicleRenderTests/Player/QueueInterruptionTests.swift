import OssicleCore
import OssicleRender
import Testing

@Suite struct QueueInterruptionTests {
    private let a = noise(300, seed: 1), b = noise(200, seed: 2), c = noise(77, seed: 3), loop = noise(130, seed: 4)

    private func looped(_ count: Int) -> [Float] { (0..<count).map { loop[$0 % loop.count] } }

    @Test func `a loop has no seam and no end`() throws {
        let player = try QueueBench()
        player.schedule("loop", loop, loops: true)
        player.play()
        #expect(player.render(5000, cuts: [97]) == looped(5000))
        #expect(player.endings.isEmpty)
    }

    @Test func `a plain sound behind a loop waits`() throws {
        let player = try QueueBench()
        player.schedule("loop", loop, loops: true)
        player.schedule("b", b)
        player.schedule("c", c, at: 100)
        player.play()
        #expect(player.render(2000) == looped(2000))
    }

    @Test func `a cut takes effect at once, and takes the place of all that was scheduled before it`() throws {
        let player = try QueueBench()
        player.schedule("a", a)
        player.schedule("b", b)
        player.play()
        var output = player.render(45)
        player.schedule("c", c, .cut)
        player.schedule("a again", a)
        output += player.render(400)
        #expect(output == a[..<45] + c + a + silence(23))
        #expect(player.endings.map(\.name) == ["a", "b", "c", "a again"])
        #expect(player.endings.map(\.outcome) == [.interrupted, .interrupted, .finished, .finished])
        #expect(player.endings.map(\.at) == [45, 45, 122, 422])
    }

    @Test func `a cut with a time takes effect exactly then`() throws {
        let player = try QueueBench()
        player.schedule("loop", loop, loops: true)
        player.schedule("c", c, at: 777, .cut)
        player.play()
        #expect(player.render(900) == looped(777) + c + silence(46))
        #expect(player.endings.first == .init(name: "loop", outcome: .interrupted, at: 777))
    }

    @Test func `of several cuts that are due the last one plays`() throws {
        let player = try QueueBench()
        for index in 0..<10_000 { player.schedule("\(index)", b, .cut) }
        player.schedule("c", c, .cut)
        player.play()
        #expect(player.render(100) == c + silence(23))
        #expect(player.endings.count == 10_001)
    }

    @Test func `cuts in the order of their times leave one another alone`() throws {
        let player = try QueueBench()
        player.schedule("loop", loop, loops: true)
        player.schedule("b", b, at: 400, .cut)
        player.schedule("c", c, at: 450, .cut)
        player.play()
        #expect(player.render(600) == looped(400) + b[..<50] + c + silence(73))
    }

    @Test func `an interruption at the loop waits for the end of the pass`() throws {
        let player = try QueueBench()
        player.schedule("attack", a)
        player.schedule("sustain", loop, loops: true)
        player.play()
        var output = player.render(500)
        player.schedule("release", b, .atLoop)
        output += player.render(400)
        #expect(output == a + looped(260) + b + silence(140))
        #expect(player.endings.map(\.outcome) == [.finished, .interrupted, .finished])
        #expect(player.endings.map(\.at) == [300, 560, 760])
    }

    @Test func `an interruption sent just as a pass is over needs no other pass`() throws {
        let player = try QueueBench()
        player.schedule("loop", loop, loops: true)
        player.play()
        var output = player.render(260)
        player.schedule("release", b, .atLoop)
        output += player.render(200)
        #expect(output == looped(260) + b)
    }

    @Test func `an interruption at the loop with a time waits for the first pass that ends at or behind it`() throws {
        for (time, end) in [(Int64(1), 130), (130, 130), (131, 260), (1000, 1040)] {
            let player = try QueueBench()
            player.schedule("loop", loop, loops: true)
            player.schedule("release", b, at: time, .atLoop)
            player.play()
            #expect(player.render(end + 200, cuts: [61]) == looped(end) + b)
        }
    }

    @Test func `what waits before an interruption at the loop is played, loops for one pass`() throws {
        let player = try QueueBench()
        player.schedule("loop", loop, loops: true)
        player.schedule("c", c)
        player.schedule("other loop", b, loops: true)
        player.schedule("release", a, .atLoop)
        player.play()
        #expect(player.render(800) == loop + c + b + a + silence(93))
        #expect(player.endings.map(\.outcome) == [.interrupted, .finished, .interrupted, .finished])
    }

    @Test func `an interruption at the loop lets a plain sound play to its end`() throws {
        let player = try QueueBench()
        player.schedule("a", a)
        player.play()
        var output = player.render(10)
        player.schedule("b", b, .atLoop)
        output += player.render(490)
        #expect(output == a + b)
    }

    @Test func `a loop that interrupts a loop goes on until it is interrupted itself`() throws {
        let player = try QueueBench()
        player.schedule("b", b, loops: true)
        player.schedule("loop", loop, loops: true, .atLoop)
        player.play()
        #expect(player.render(1000) == b + looped(800))
        player.schedule("c", c, .cut)
        #expect(player.render(77) == c)
    }
}
