import OssicleDSP
import OssicleRender

/// A renderer, and what keeps its memory.
package typealias OwnedRenderer = (reference: RendererReference, owner: AnyObject)

/// A read-only parameter, and what it shows.
package struct UnitMeter {
    package let id: UInt32
    package let read: () -> Float
}

/// Renders a unit: reads its parameters and keeps a renderer that follows them. Under the node's lock.
package protocol UnitDriver: AnyObject {
    /// The renderer for a rate and a number of channels; the one before continues if it fits.
    func renderer(sampleRate: Double, channels: Int, bypass: Bool) -> OwnedRenderer
    /// Sends the parameters to the renderer, if there is one.
    func update(bypass: Bool)
    /// The renderer in use.
    var current: OwnedRenderer? { get }
    /// Clears memory that `RenderCommand.reset` does not reach. Any thread.
    func reset()
    /// Drops the renderer.
    func forget()
    /// Frames.
    func latency(sampleRate: Double) -> Int
    /// Seconds.
    func tailTime(sampleRate: Double) -> Double
    /// Takes the part of a factory preset that is no parameter.
    func choose(preset: Int)
    var meters: [UnitMeter] { get }
}

extension UnitDriver {
    package func reset() {}
    package func choose(preset: Int) {}
    package var meters: [UnitMeter] { [] }
}

/// Drives one effect kernel.
final class KernelDriver<Kernel: EffectKernel & ~Copyable>: UnitDriver {
    typealias Renderer = EffectRenderer<Kernel>

    let meters: [UnitMeter]
    private let read: () -> Kernel.Parameters
    private let make: (Double, Int, Kernel.Parameters) -> Kernel
    private let refer: (UnsafeMutablePointer<Renderer>) -> RendererReference
    private let companion: AnyObject?
    private var box: ControlledBox<Renderer>?
    private var shape: (rate: Double, channels: Int) = (0, 0)

    /// - Parameters:
    ///   - refer: the case of the kernel's renderer.
    ///   - companion: what the kernel points to; kept alive as long as it is in a plan.
    ///   - make: makes a kernel, where more has to be done than to call its initialiser.
    ///   - read: the kernel's parameters as the unit's are now.
    init(
        _ refer: @escaping (UnsafeMutablePointer<Renderer>) -> RendererReference, companion: AnyObject? = nil,
        meters: [UnitMeter] = [],
        make: @escaping (Double, Int, Kernel.Parameters) -> Kernel = {
            Kernel(sampleRate: $0, channelCount: $1, parameters: $2)
        },
        read: @escaping () -> Kernel.Parameters
    ) {
        self.refer = refer
        self.companion = companion
        self.meters = meters
        self.make = make
        self.read = read
    }

    func renderer(sampleRate: Double, channels: Int, bypass: Bool) -> OwnedRenderer {
        if let box, shape == (sampleRate, channels) { return owned(box) }
        let parameters = Renderer.Parameters(read(), bypass: bypass)
        let made = ControlledBox(Renderer(make(sampleRate, channels, parameters.kernel), parameters))
        (box, shape) = (made, (sampleRate, channels))
        return owned(made)
    }

    func update(bypass: Bool) { box?.control.write(Renderer.Parameters(read(), bypass: bypass)) }

    var current: OwnedRenderer? { box.map(owned) }

    func forget() { box = nil }

    func latency(sampleRate: Double) -> Int { Kernel.latency(read(), sampleRate: sampleRate) }

    func tailTime(sampleRate: Double) -> Double { Kernel.tailTime(read(), sampleRate: sampleRate) }

    private func owned(_ box: ControlledBox<Renderer>) -> OwnedRenderer {
        (refer(box.pointer), Owner(box, companion))
    }

    /// A plan's hold on the renderer and what it points to.
    private final class Owner {
        private let parts: [AnyObject]

        init(_ box: ControlledBox<Renderer>, _ companion: AnyObject?) { parts = [box] + (companion.map { [$0] } ?? []) }
    }
}
