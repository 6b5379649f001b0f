import OssicleChannels
import OssicleDevices
import OssicleRender

/// The output of the engine: at a device, or in memory.
extension SpatialEngine {
    /// Opens the machine's default output: for the loudspeakers that it has, else in stereo, which headphones get
    /// whatever their number of channels.
    /// - Parameters:
    ///   - forEars: whether it is to be stereo in any case. - sampleRate: Hz; nil for the device's own.
    ///   - fallback: for a machine without an output.
    package static func openDevice(
        forEars: Bool, sampleRate: Double? = nil, fallback: DefaultDevice.Fallback
    ) throws -> any OutputDevice {
        let device = try DefaultDevice.open(sampleRate: sampleRate, fallback: fallback)
        if device.channelCount == 2 || speakers(of: device, forEars: forEars) != nil { return device }
        return try DefaultDevice.open(sampleRate: device.sampleRate, channelCount: 2, fallback: fallback)
    }

    /// The loudspeakers of such a device that are rendered for, as labels in Core Audio's numbers; nil for stereo.
    package static func speakers(of device: any OutputDevice, forEars: Bool) -> [UInt32]? {
        forEars || device.transducer == .headphones ? nil : device.channelLabels
    }

    /// Makes the output for a format, in silence. With `keepsSound` events, their levels and the time stay as they are,
    /// and rooms ring out: an update has to follow before the next render call.
    /// - Parameters:
    ///   - labels: of the channels, in Core Audio's numbers. - layoutTag: nil for a layout without a tag.
    ///   - keepsSound: whether it takes the place of one that plays, at the same rate. While nothing renders.
    package func makeOutput(
        sampleRate: Double, channelCount: Int, labels: [UInt32], layoutTag: UInt32?, isBinaural: Bool,
        keepsSound: Bool = false
    ) throws {
        let new = try OutputStage(
            sampleRate: sampleRate, channelCount: channelCount, labels: labels,
            speakers: SpeakerLayout(labels: labels, tag: layoutTag), isBinaural: isBinaural, seed: player.seed)
        // Now, while no thread waits for an update.
        if new.hrtf != nil { _ = try plans.hrtf.filters(sampleRate: new.sampleRate) }
        if keepsSound, let output {
            plans.move(from: output, to: new, player)
            sceneChanged()
        }
        output = new
    }

    /// Engine time begins anew, at frame 0.
    package func resetTime() {
        player.executor.resetTime()
        player.lastUpdate = 0
    }

    // MARK: Offline

    /// The memory that an offline render call fills: a pointer for each channel.
    package struct RenderTarget {
        package let channels: [UnsafeMutablePointer<Float>]
        /// Of the mixes of single listeners.
        package let listeners: [(mix: ListenerMix, channels: [UnsafeMutablePointer<Float>])]

        package init(
            channels: [UnsafeMutablePointer<Float>],
            listeners: [(mix: ListenerMix, channels: [UnsafeMutablePointer<Float>])]
        ) {
            self.channels = channels
            self.listeners = listeners
        }
    }

    /// Renders in runs that end where updates are due, and attends to streams and taps after each.
    /// - Parameters:
    ///   - isAutomatic: whether updates follow each other at `EventPlayer.updateInterval`; otherwise the client makes
    ///     them.
    ///   - update: makes one.
    package func renderOffline(_ frames: Int, into target: RenderTarget, isAutomatic: Bool, update: () -> Void) {
        let executor = player.executor
        let interval = EventPlayer.updateInterval
        var done = 0
        while done < frames {
            let isDue = executor.position % interval == 0
            if isAutomatic && (isDue || (done == 0 && needsUpdate)) { update() }
            let run = min(frames - done, Int(interval - executor.position % interval))
            render(run, into: target, offset: done)
            done += run
            player.feedStreams(now: true)
            plans.outlets.attend(.offline)
        }
        // Handlers should not have to wait for a render call that may never come. Nothing here changes the sound.
        if isAutomatic { player.endFinished() }
    }

    /// The plan's outputs are the engine's channels, and behind them those of every listener's mix.
    private func render(_ frames: Int, into target: RenderTarget, offset: Int) {
        let planned = plans.outlets.planned
        var channels = target.channels.map { $0 + offset }
        var unused: UnsafeMutablePointer<Float>?
        defer { unused?.deallocate() }
        for mix in target.listeners.isEmpty ? [] : planned {
            if let wanted = target.listeners.first(where: { $0.mix === mix }) {
                channels += wanted.channels.map { $0 + offset }
            } else {
                // All that is not wanted shares memory.
                let memory = unused ?? .allocate(capacity: frames * target.channels.count)
                unused = memory
                channels += target.channels.indices.map { memory + $0 * frames }
            }
        }
        for (mix, channels) in target.listeners where !planned.contains(where: { $0 === mix }) {
            for channel in channels { (channel + offset).update(repeating: 0, count: frames) }
        }
        channels.withUnsafeBufferPointer { channels in
            if let base = channels.baseAddress { player.executor.render(frames, into: base, channels: channels.count) }
        }
    }
}
