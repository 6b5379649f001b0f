import OssicleCore
@testable import OssicleDSP
import OssicleTestSupport
import Testing

@Suite struct ConvolverTests {
    typealias Route = Convolver.Route

    /// Noise that decays by 60 dB over its length.
    static func response(_ length: Int, seed: UInt64) -> [Float] {
        let noise = Signal.noise(count: length, seed: seed)
        return noise.indices.map {
            noise[$0] * Float(DeterministicMath.exp(-6.907755 * Double($0) / Double(length)))
        }
    }

    /// The sum over all routes in double precision, at every `stride`-th frame.
    static func direct(
        _ inputs: [[Float]], _ responses: [[Float]], _ routes: [Route], output: Int, at frames: [Int]
    ) -> [Double] {
        frames.map { frame in
            routes.filter { $0.output == output }.reduce(0.0) { total, route in
                let (x, h) = (inputs[route.input], responses[route.channel])
                return total
                    + (0..<min(h.count, frame + 1)).reduce(0.0) { $0 + Double(h[$1]) * Double(x[frame - $1]) }
            }
        }
    }

    static func run(
        _ convolver: inout Convolver, _ inputs: [[Float]], blocks: [Int] = [Grid.quantum]
    ) -> [[Float]] {
        let count = inputs[0].count
        let from = inputs.map { TestMemory(count: count, Float(0), $0) }
        let to = (0..<convolver.outputCount).map { _ in TestMemory(count: count, Float.nan) }
        let sources = TestMemory(count: inputs.count, from[0].pointer),
            targets = TestMemory(count: to.count, to[0].pointer)
        var (done, turn) = (0, 0)
        while done < count {
            let n = min(blocks[turn % blocks.count], count - done)
            for (place, memory) in from.enumerated() { sources.pointer[place] = memory.pointer + done }
            for (place, memory) in to.enumerated() { targets.pointer[place] = memory.pointer + done }
            convolver.process(sources.pointer, to: targets.pointer, n)
            done += n
            turn += 1
        }
        return to.map { Array(UnsafeBufferPointer(start: $0.pointer, count: count)) }
    }

    @Test(
        "Every length agrees with the direct sum in double precision to −120 dB",
        arguments: [1, 3, 127, 128, 129, 255, 2047, 2048, 2049, 5000, 16_384, 16_385, 40_000])
    func accuracy(length: Int) {
        let (input, response) = (Signal.noise(count: length + 20_000, seed: 7), Self.response(length, seed: 3))
        let routes = [Route(from: 0, to: 0, channel: 0)]
        var convolver = Convolver(ConvolutionResponse([response]), routes: routes, inputCount: 1, outputCount: 1)
        let output = Self.run(&convolver, [input])[0]
        let frames = Array(0..<300) + stride(from: 300, to: output.count, by: 397)
        let expected = Self.direct([input], [response], routes, output: 0, at: frames)
        let error = zip(frames, expected).reduce(0.0) {
            $0 + (Double(output[$1.0]) - $1.1) * (Double(output[$1.0]) - $1.1)
        }
        let energy = expected.reduce(0.0) { $0 + $1 * $1 }
        #expect(Decibels.of(energy: error / energy) < -120, "\(Decibels.of(energy: error / energy)) dB")
    }

    @Test("An impulse gives the response from its own frame on: there is no latency")
    func noLatency() {
        let response = Self.response(20_000, seed: 5)
        var convolver = Convolver(
            ConvolutionResponse([response]), routes: [Route(from: 0, to: 0, channel: 0)], inputCount: 1, outputCount: 1)
        var impulse = Signal.silence(count: 25_000)
        impulse[777] = 1
        let output = Self.run(&convolver, [impulse])[0]
        #expect(Measure.peak(Array(output.prefix(777))) == 0)
        #expect(output[777] == response[0])
        let differences = (0..<20_000).map { abs(output[777 + $0] - response[$0]) }
        #expect((differences.max() ?? 1) < 1e-6)
        #expect(Measure.peak(Array(output.suffix(25_000 - 20_777))) < 1e-6)
    }

    @Test("Two inputs, two outputs and four responses: each route is its own")
    func trueStereo() {
        let responses = (0..<4).map { Self.response(3000 + 400 * $0, seed: UInt64($0 + 1)) }
        let routes = [
            Route(from: 0, to: 0, channel: 0), Route(from: 0, to: 1, channel: 1), Route(from: 1, to: 0, channel: 2),
            Route(from: 1, to: 1, channel: 3),
        ]
        let inputs = [Signal.noise(count: 9000, seed: 11), Signal.noise(count: 9000, seed: 12)]
        var convolver = Convolver(ConvolutionResponse(responses), routes: routes, inputCount: 2, outputCount: 2)
        let outputs = Self.run(&convolver, inputs)
        let frames = Array(stride(from: 0, to: 9000, by: 41))
        for output in 0..<2 {
            let expected = Self.direct(inputs, responses, routes, output: output, at: frames)
            for (frame, value) in zip(frames, expected) { #expect(abs(Double(outputs[output][frame]) - value) < 2e-5) }
        }
    }

    @Test("Any cut of blocks gives the same bytes")
    func cuts() {
        let inputs = [Signal.noise(count: 30_000, seed: 1), Signal.noise(count: 30_000, seed: 2)]
        let response = ConvolutionResponse([Self.response(20_000, seed: 8), Self.response(17_000, seed: 9)])
        let results = [[128], [64], awkwardCuts, [4096], [127]].map { blocks in
            var convolver = Convolver(
                response, routes: [Route(from: 0, to: 0, channel: 0), Route(from: 1, to: 1, channel: 1)], inputCount: 2,
                outputCount: 2)
            return Self.run(&convolver, inputs, blocks: blocks)
        }
        for result in results.dropFirst() {
            #expect(Measure.sameBytes(result[0], results[0][0]) && Measure.sameBytes(result[1], results[0][1]))
        }
    }

    @Test("Reset and long silence both leave nothing: what follows sounds as from a fresh one")
    func rest() {
        let response = ConvolutionResponse([Self.response(20_000, seed: 8)])
        func make() -> Convolver {
            Convolver(response, routes: [Route(from: 0, to: 0, channel: 0)], inputCount: 1, outputCount: 1)
        }
        let input = [Signal.noise(count: 30_000, seed: 1)]
        var used = make()
        var fresh = make()
        _ = Self.run(&used, input)
        let soundsOn = !used.isIdle
        used.reset()
        let isReset = used.isIdle
        #expect(soundsOn && isReset)
        let expected = Self.run(&fresh, input)[0]
        #expect(Measure.sameBytes(Self.run(&used, input)[0], expected))
        // To a multiple of its largest block, so that it wakes in step with the first.
        let silence = (used.length + 30_000 + 2 * 8192) / 8192 * 8192 - 30_000
        let tail = Self.run(&used, [Signal.silence(count: silence)])[0]
        #expect(Measure.peak(Array(tail.prefix(2000))) > 0.01 && Measure.peak(Array(tail.suffix(128))) == 0)
        let rests = used.isIdle
        #expect(rests && Measure.sameBytes(Self.run(&used, input)[0], expected))
    }

    @Test("What is not finite or beyond reason is silence")
    func notFinite() {
        var convolver = Convolver(
            ConvolutionResponse([Self.response(3000, seed: 8)]), routes: [Route(from: 0, to: 0, channel: 0)],
            inputCount: 1, outputCount: 1)
        var input = Signal.silence(count: 8000)
        (input[5], input[700], input[701], input[3000]) = (.nan, .infinity, 3e38, -.infinity)
        #expect(Measure.peak(Self.run(&convolver, [input])[0]) == 0)
    }

    @Test("A twentieth and nine tenths of the energy of an exponential decay come when the closed form says")
    func buildUp() {
        // 1 − e^(−2at) is a twentieth at −ln 0.95/2a, nine tenths at ln 10/2a.
        let response = (0..<48_000).map { Float(DeterministicMath.exp(-Double($0) / 4000)) }
        let buildUp = ConvolutionResponse([response]).buildUp
        #expect(abs(buildUp.start - 103) <= 2 && abs(buildUp.end - 4605) <= 2)
    }
}
