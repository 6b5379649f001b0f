import Foundation
import OssicleTestSupport
@testable import OssiclePlugins

/// One of the tests' plug-ins, loaded and rendered block by block.
final class ProbeBench {
    let instance: PluginInstance
    let renderer: PluginRenderer
    let reported: Reports
    private let channels: Int
    private let input: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let output: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let side: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    /// What goes in: of a channel and a frame of the block.
    var sound: (Int, Int) -> Float = { _, _ in 1 }
    /// What goes into the side chain, in all channels; `nil` without a connection.
    var key: Float?
    private static let capacity = 1024

    /// What an instance has reported.
    final class Reports: @unchecked Sendable {
        private let lock = NSLock()
        private var list: [PluginError] = []
        var all: [PluginError] { lock.withLock { list } }
        func add(_ error: PluginError) { lock.withLock { list.append(error) } }

        /// Waits for what another thread reports, ten seconds at most.
        func first() -> PluginError? {
            for _ in 0..<1000 where all.isEmpty { usleep(10_000) }
            return all.first
        }
    }

    static let plugins = PluginCatalogue.read(bundles: PluginCatalogue.bundles(in: [ProbePlugins.folder]))

    static func plugin(_ kind: String) -> PluginDescription? {
        plugins.plugins.first { $0.uri == "urn:ossicle:probe:\(kind)" }
    }

    init(_ kind: String, isInProcess: Bool = false, channels: Int = 1) throws {
        guard let plugin = Self.plugin(kind) else { throw PluginError.unknown(uri: kind) }
        let reported = Reports()
        (self.reported, self.channels) = (reported, channels)
        instance = PluginInstance(plugin, isInProcess: isInProcess) { reported.add($0) }
        let routing = PluginRouting(
            inputPorts: plugin.audioInputs, outputPorts: plugin.audioOutputs,
            inputChannels: plugin.audioInputs > 0 ? channels : 0, outputChannels: channels, mayCopy: true,
            sidechains: plugin.sidechains, sidechainChannels: plugin.sidechains.isEmpty ? 0 : channels)
        try instance.prepare(PluginInstance.Shape(rate: 48_000, capacity: Self.capacity, routing: routing))
        guard let made = instance.renderer() else { throw PluginError.noProcess("no renderer") }
        renderer = made
        (input, output, side) = (Self.planes(channels), Self.planes(channels), Self.planes(channels))
    }

    deinit {
        for planes in [input, output, side] {
            for channel in 0..<channels { planes[channel].deallocate() }
            planes.deallocate()
        }
    }

    private static func planes(_ count: Int) -> UnsafeMutablePointer<UnsafeMutablePointer<Float>> {
        let planes = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: count)
        for channel in 0..<count {
            planes[channel] = .allocate(capacity: capacity)
            planes[channel].initialize(repeating: 0, count: capacity)
        }
        return planes
    }

    /// One block; `nil` for silence, else each channel.
    func render(
        _ frames: Int, isOffline: Bool = true, _ events: (PluginRenderer) -> Void = { _ in }
    ) -> [[Float]]? {
        guard renderer.begin(isOffline: isOffline) else { return nil }
        for channel in 0..<channels { for frame in 0..<frames { input[channel][frame] = sound(channel, frame) } }
        for channel in 0..<channels { for frame in 0..<frames { side[channel][frame] = key ?? 0 } }
        renderer.write(
            UnsafePointer(input), sidechain: key == nil ? nil : UnsafePointer(side), frames: frames)
        events(renderer)
        guard renderer.render(frames: frames, isOffline: isOffline) else { return nil }
        renderer.read(into: UnsafePointer(output), channels: channels, frames: frames)
        return (0..<channels).map { Array(UnsafeBufferPointer(start: output[$0], count: frames)) }
    }
}
