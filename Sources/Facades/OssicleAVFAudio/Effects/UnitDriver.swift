import OssicleAudioToolbox
import OssicleDSP
import OssicleRender

/// What makes a unit sound: reads its parameters and keeps a renderer that follows them. Under the node's lock.
protocol UnitDriver: AnyObject {
    /// The renderer for a rate and a number of channels, and what keeps it alive. The one there is goes on if it fits.
    func renderer(sampleRate: Double, channels: Int, bypass: Bool) -> (RendererReference, AnyObject)
    /// Takes the parameters to the renderer, if there is one.
    func update(bypass: Bool)
    /// The renderer there is, and what keeps it alive.
    var current: OwnedRenderer? { get }
    /// Forgets what was heard, for what `RenderCommand.reset` does not reach. Any thread.
    func reset()
    /// Lets the renderer go.
    func forget()
    /// Frames.
    func latency(sampleRate: Double) -> Int
    /// Seconds.
    func tailTime(sampleRate: Double) -> Double
}

extension UnitDriver {
    func reset() {}
}

/// A renderer, and what keeps its memory.
typealias OwnedRenderer = (reference: RendererReference, owner: AnyObject)

/// Drives one effect kernel.
final class KernelDriver<Kernel: EffectKernel & ~Copyable>: UnitDriver {
    typealias Renderer = EffectRenderer<Kernel>

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
    init(_ refer: @escaping (UnsafeMutablePointer<Renderer>) -> RendererReference, companion: AnyObject? = nil,
         make: @escaping (Double, Int, Kernel.Parameters) -> Kernel = { Kernel(sampleRate: $0, channelCount: $1, parameters: $2) },
         read: @escaping () -> Kernel.Parameters) {
        (self.refer, self.companion, self.make, self.read) = (refer, companion, make, read)
    }

    func renderer(sampleRate: Double, channels: Int, bypass: Bool) -> (RendererReference, AnyObject) {
        if let box, shape == (sampleRate, channels) { return (refer(box.pointer), Owner(box, companion)) }
        let parameters = Renderer.Parameters(read(), bypass: bypass)
        let made = ControlledBox(Renderer(make(sampleRate, channels, parameters.kernel), parameters))
        (box, shape) = (made, (sampleRate, channels))
        return (refer(made.pointer), Owner(made, companion))
    }

    func update(bypass: Bool) {
        box?.control.write(Renderer.Parameters(read(), bypass: bypass))
    }

    var current: OwnedRenderer? { box.map { (refer($0.pointer), Owner($0, companion)) } }

    func forget() { box = nil }

    func latency(sampleRate: Double) -> Int { Kernel.latency(read(), sampleRate: sampleRate) }

    func tailTime(sampleRate: Double) -> Double { Kernel.tailTime(read(), sampleRate: sampleRate) }

    /// A plan's hold on the renderer and what it points to.
    private final class Owner {
        private let parts: [AnyObject]

        init(_ box: ControlledBox<Renderer>, _ companion: AnyObject?) { parts = [box] + (companion.map { [$0] } ?? []) }
    }
}
