import OssicleCore
import OssicleDSP

/// The late field of a measured room: sends are convolved with its response. Ports: mono send → one without channels,
/// for the order: it adds to the ambisonic bus.
///
///     in ──▶ departure ──▶ gain ──▶ convolver ═▶ allpasses ═▶ 16 channels ──▶ bus
///
/// Nothing in it is later than in `ReverbRenderer`. Silent for as long as the response lasts, it rests.
package struct ConvolutionRenderer: ControlledRenderer, ~Copyable {
    /// How loud sends arrive.
    package struct Parameters: BitwiseCopyable, Sendable {
        /// Amplitude.
        package var gain: Float
        package var rampFrames: Int

        package init(gain: Float, rampFrames: Int) { (self.gain, self.rampFrames) = (gain, rampFrames) }
    }

    package struct Control: BitwiseCopyable {
        package let cell: LatestValueCell<Parameters>
        /// Frames of the response.
        package let tail: Int
        package let departure: LatestValueCell<BuildUp>
    }

    package var control: Control {
        Control(cell: cell, tail: response.length + 2 * Grid.quantum, departure: departure.cell)
    }

    /// Seconds in which the allpasses and the filters of ears have fallen by 120 dB.
    private static let afterglow = 0.25

    private let cell: LatestValueCell<Parameters>
    private let response: ConvolutionResponse
    private var departure = RoomDeparture()
    private var gain: GainRamp
    private var convolver: Convolver
    private var spread: DiffuseSpread
    private var rest = Rest()
    private let longestSilence: Int
    private let fed = ChannelMemory(count: 1)
    private let heard: ChannelMemory
    private let channels = ChannelMemory(count: FieldSums.channelCount)

    /// - Parameters:
    ///   - response: of one or two channels, at this rate. - gain: at the beginning.
    package init(_ response: ConvolutionResponse, gain: Float, sampleRate: Double) {
        let channels = min(response.channelCount, 2)
        cell = LatestValueCell(Parameters(gain: gain, rampFrames: 0))
        self.gain = GainRamp(gain)
        self.response = response
        convolver = Convolver(
            response, routes: (0..<channels).map { Convolver.Route(from: 0, to: $0, channel: $0) }, inputCount: 1,
            outputCount: channels)
        spread = DiffuseSpread(sampleRate: sampleRate, inputCount: channels)
        longestSilence = convolver.length + Int(Self.afterglow * sampleRate)
        heard = ChannelMemory(count: channels)
    }

    deinit { cell.deallocate() }

    package mutating func render(_ ports: Ports, _ context: RenderContext, _ sums: FieldSums) {
        let frames = context.frames
        let wasResting = rest.isResting
        rest.listen(ports, context, longest: longestSilence)
        if context.isControlPoint, let new = cell.takeIfNew() {
            gain.setTarget(new.gain, frames: rest.isResting ? 0 : min(max(new.rampFrames, 0), 1 << 16))
        }
        gain.process(from: departure.input(ports.input(0), context), to: fed[0], frames)
        // At rest too, where it costs a look at its input: it counts quanta of its own.
        convolver.process(fed.channels, to: heard.channels, frames)
        if rest.isResting {
            if !wasResting { spread.reset() }
            guard rest.wakes(longest: longestSilence) else { return ports.silenceOutputs(frames) }
        }
        spread.process(heard.channels, to: channels.channels, frames)
        for channel in 0..<FieldSums.channelCount { sums.add(channels[channel], to: channel, frames) }
    }
}
