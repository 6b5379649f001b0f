import Foundation
import OssicleAVFAudio
import OssicleAudioToolbox
import OssicleCoreAudioTypes

extension HostContract {
    /// Renders a phrase: the host's sound for what takes sound, two notes for what takes MIDI.
    func perform(_ host: ContractHost, _ frames: Int = 4096, cuts: [Int] = [512]) throws -> Take {
        if kind.takesMIDI {
            for (frame, bytes) in [(100, [0x90, 60, 100]), (700, [0x90, 67, 80]), (1900, [0x80, 60, 0])]
                as [(Int, [UInt8])]
            {
                host.send(bytes, at: host.time + frame)
            }
        }
        return try host.render(frames, cuts: cuts)
    }

    /// What comes before allocation and behind it: errors and statuses instead of sound, and sound again after.
    func lifeCycle() throws -> Outcome {
        let host = try host(), unit = host.unit
        _ = try perform(host, 512)
        if unit.outputBusses.count > 0 {
            let format = unit.outputBusses[0].format
            let other = try ContractHost.format(format.sampleRate == 44_100 ? 48_000 : 44_100, host.outputs)
            if (try? unit.outputBusses[0].setFormat(other)) != nil {
                return .broken("took another format while allocated")
            }
        }
        if (try? host.cycle(4097)) != nil { return .broken("rendered more frames than maximumFramesToRender") }
        unit.deallocateRenderResources()
        if (try? host.cycle(64)) != nil { return .broken("rendered without resources") }
        let refusal = host.lastStatus
        try unit.allocateRenderResources()
        // Ahead of rendering: else the unit would make its internal block on the render thread.
        _ = unit.renderBlock
        let again = try perform(host, 512)
        return Outcome(again.isFinite, "status \(refusal) without resources, sound again with them")
    }

    /// Noise or notes give sound or notes; what is silent of itself keeps the checks of sound in vain.
    func sound() throws -> Outcome {
        guard kind.takesSound || kind.takesMIDI else { return .idle }
        let take = try perform(try host(), 24_000)
        if !take.events.isEmpty { return .kept("\(take.events.count) messages") }
        return Outcome(take.peak > 1e-4, Self.decibels(take.peak))
    }

    func sampleRates() throws -> Outcome {
        var (good, refused) = ([Double](), [String]())
        for rate in Self.rates {
            let host: ContractHost
            do { host = try self.host(rate: rate) } catch {
                if rate == 44_100 || rate == 48_000 { throw error }
                refused.append("\(Int(rate))")
                continue
            }
            guard try perform(host, 3000, cuts: [31, 97, 640]).isFinite else {
                return .broken("not finite at \(Int(rate)) Hz")
            }
            good.append(rate)
        }
        let figure = "\(Int(good.first ?? 0)) to \(Int(good.last ?? 0)) Hz"
        return .kept(refused.isEmpty ? figure : figure + ", refused \(refused.joined(separator: ", "))")
    }

    func channels() throws -> Outcome {
        var heard: [String] = []
        for (inputs, outputs) in configurations(of: try make()) where outputs > 0 {
            let host = try ContractHost(
                make(), rate: 48_000, inputs: inputs, outputs: outputs, maximum: 512, watch: watch, sound: Self.noise)
            guard try perform(host, 1024).isFinite else { return .broken("not finite with \(inputs) to \(outputs)") }
            heard.append("\(inputs) to \(outputs)")
        }
        return heard.isEmpty ? .idle : .kept(heard.joined(separator: ", "))
    }

    func blockSizes() throws -> Outcome {
        let host = try host()
        for block in Self.blocks {
            guard try perform(host, max(block, 64), cuts: [block]).isFinite else {
                return .broken("not finite in blocks of \(block)")
            }
        }
        return .kept("\(Self.blocks.first ?? 0) to \(Self.blocks.last ?? 0) frames")
    }

    /// However the cycles are cut, the sound is the same.
    func cuts() throws -> Outcome {
        let whole = try perform(try host())
        var worst = (difference: 0.0, cuts: [512])
        for cuts in [[1], [64], [127, 1, 300], [4096], [1, 63, 64, 500]] {
            let difference = Self.difference(whole, try perform(try host(), cuts: cuts))
            if difference > worst.difference { worst = (difference, cuts) }
        }
        return alike(worst.difference, worst.difference == 0 ? "blocks of 1 to 4096" : "blocks of \(worst.cuts)")
    }

    /// Guards behind the host's memory are looked at in every cycle of every check; here the unit lends its own.
    func memory() throws -> Outcome {
        let host = try host()
        guard host.outputs > 0 else { return .idle }
        for frames in [1, 512, 4096] where !host.cycleWithoutMemory(frames) {
            return .broken("lent no memory for \(frames) frames, status \(host.lastStatus)")
        }
        return .kept("lends its own, writes none beyond the host's")
    }

    func reset() throws -> Outcome {
        let host = try host()
        let first = try perform(host)
        host.unit.reset()
        host.rewind()
        return alike(Self.difference(first, try perform(host)), "after a reset")
    }

    /// Silence and no notes give silence.
    func silence() throws -> Outcome {
        let take = try host(sound: { _, _ in 0 }).render(8192)
        guard take.events.isEmpty else { return .broken("\(take.events.count) messages out of nothing") }
        return Outcome(take.peak <= 1e-5, "\(Self.decibels(take.peak)) out of silence")
    }

    /// Behind the tail it reports it is 60 dB below what went in.
    func tail() throws -> Outcome {
        let host = try host()
        guard kind.takesSound, host.inputs > 0 else { return .idle }
        let seconds = host.unit.tailTime + host.unit.latency
        guard seconds.isFinite, seconds >= 0 else { return .kept("unlimited") }
        guard seconds <= 30 else { return .kept(String(format: "%.1f s, not waited for", seconds)) }
        host.rewind(until: 4096)
        _ = try host.render(4096 + Int((seconds * 48_000).rounded(.up)), cuts: [4096])
        let rest = try host.render(2048).peak / 0.25
        return Outcome(
            rest <= 1e-3, String(format: "%.3f s reported, then ", host.unit.tailTime) + Self.decibels(rest))
    }

    /// The delay at which output and input resemble each other most.
    func latency() throws -> Outcome {
        let host = try host()
        guard kind.takesSound, kind.isEven, host.inputs > 0, host.outputs > 0 else { return .idle }
        let reported = host.unit.latency * 48_000
        guard reported >= 0, reported < 20_000 else { return .broken("\(reported) frames") }
        let length = 4096, lags = Int(reported) + 1024
        let output = try host.render(length + lags).planes[0].map(Double.init)
        let input = (0..<length).map { Double(Self.noise($0, 0)) }
        let power = input.reduce(0) { $0 + $1 * $1 }
        var (best, likeness) = (0, 0.0)
        for lag in 0..<lags {
            var (sum, own) = (0.0, 0.0)
            for frame in 0..<length {
                sum += input[frame] * output[frame + lag]
                own += output[frame + lag] * output[frame + lag]
            }
            let value = own > 0 ? abs(sum) / (own * power).squareRoot() : 0
            if value > likeness { (best, likeness) = (lag, value) }
        }
        guard likeness >= 0.3 else { return .kept(String(format: "%.1f frames reported, not measurable", reported)) }
        return Outcome(
            abs(Double(best) - reported) <= 24, String(format: "%.1f frames reported, %d measured", reported, best))
    }

    /// Input that is not finite leaves nothing behind a reset.
    func notFinite() throws -> Outcome {
        let host = try host(sound: { frame, channel in
            switch frame {
            case 200..<232: .nan
            case 300..<332: channel == 0 ? .infinity : -.infinity
            default: Self.noise(frame, channel)
            }
        })
        guard host.inputs > 0 else { return .idle }
        let wrong = try host.render(2048).planes.reduce(0) { $0 + $1.count { !$0.isFinite } }
        host.unit.reset()
        let isClean = try host.render(2048).isFinite
        return Outcome(
            isClean, "\(wrong) samples of 64 that were not finite came out; after a reset \(isClean ? 0 : 1)")
    }

    func bypass() throws -> Outcome {
        guard kind.isEffect, kind.takesSound else { return .idle }
        let host = try host(prepare: {
            scramble($0, 5)
            $0.shouldBypassEffect = true
        })
        guard host.inputs > 0 else { return .idle }
        let take = try host.render(1024)
        guard take.isFinite else { return .broken("not finite") }
        guard host.inputs == host.outputs, kind.isEven else { return .kept("renders") }
        let dry = Take(planes: (0..<host.inputs).map { channel in (0..<1024).map { Self.noise($0, channel) } })
        return alike(Self.difference(dry, take), "output and input")
    }
}
