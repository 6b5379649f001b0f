import OssicleCore

extension Executor {
    /// The render side's half of the executor.
    struct State: ~Copyable {
        var position: Int64 = 0
        var plan: UnsafePointer<RenderPlan.View>?
        private var carriedOut: Int64 = 0
        private let published: PositionCell
        private let carriedOutCell: PositionCell
        private let commands: Ring<StampedCommand>

        init(commands: Ring<StampedCommand>, published: PositionCell, carriedOut: PositionCell) {
            (self.commands, self.published, carriedOutCell) = (commands, published, carriedOut)
        }

        mutating func render(_ frames: Int, into outputs: UnsafePointer<UnsafeMutablePointer<Float>>, channels: Int, leftAfterwards: Int) {
            var done = 0
            while done < frames {
                let nextCommand = carryOutDueCommands()
                let block = min(frames - done, Grid.framesToNextLine(from: position), nextCommand)
                let isLine = position & Int64(Grid.quantum - 1) == 0
                renderBlock(RenderContext(position: position, frames: block, isControlPoint: done == 0 || isLine, framesLeftInCall: frames - done + leftAfterwards),
                            into: outputs, channels: channels, offset: done)
                position += Int64(block)
                done += block
            }
            published.store(position)
        }

        /// Carries out what is due and returns the frames until the next command waits (a quantum if none does).
        private mutating func carryOutDueCommands() -> Int {
            let before = carriedOut
            defer { if carriedOut != before { carriedOutCell.store(carriedOut) } }
            while let stamped = commands.peek() {
                if stamped.position > position { return Int(min(stamped.position - position, Int64(Grid.quantum))) }
                _ = commands.pop()
                carryOut(stamped.command)
            }
            return Grid.quantum
        }

        mutating func carryOut(_ command: RenderCommand) {
            switch command {
            case .swapPlan(let slot):
                if let next = slot.take() { plan = next }
            case .voice(let voice, let command):
                voice.carryOut(command, at: position)
            case .openGate(let gate):
                gate.open()
            case .reset(let renderer):
                renderer.reset()
            }
            carriedOut += 1
        }

        /// Forgets the plan; `sent` commands count as carried out.
        mutating func abandon(_ sent: Int64) {
            plan = nil
            carriedOut = sent
            carriedOutCell.store(sent)
        }

        private func renderBlock(_ context: RenderContext, into outputs: UnsafePointer<UnsafeMutablePointer<Float>>,
                                 channels: Int, offset: Int) {
            let available = plan?.pointee.outputCount ?? 0
            if let plan = plan?.pointee {
                for index in 0..<plan.stepCount { plan.steps[index].run(context) }
                for channel in 0..<min(channels, available) {
                    (outputs[channel] + offset).update(from: plan.outputs[channel], count: context.frames)
                }
            }
            for channel in min(channels, available)..<channels { Mixing.clear(outputs[channel] + offset, context.frames) }
        }
    }
}
