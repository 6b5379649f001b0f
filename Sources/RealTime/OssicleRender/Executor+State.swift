import OssicleCore

extension Executor {
    /// The render side's half of the executor.
    struct State: ~Copyable {
        var position: Int64 = 0
        var plan: RenderPlan.View?
        let published: PositionCell
        let commands: Ring<StampedCommand>
        let retired: Ring<Unmanaged<AnyObject>>

        init(commands: Ring<StampedCommand>, retired: Ring<Unmanaged<AnyObject>>, published: PositionCell) {
            (self.commands, self.retired, self.published) = (commands, retired, published)
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
            while let stamped = commands.peek() {
                if stamped.position > position { return Int(min(stamped.position - position, Int64(Grid.quantum))) }
                // A plan can only be swapped while there is room to hand the old one back.
                guard retired.count < retired.capacity else { break }
                _ = commands.pop()
                carryOut(stamped.command)
            }
            return Grid.quantum
        }

        private mutating func carryOut(_ command: RenderCommand) {
            switch command {
            case .swapPlan(let view):
                if let old = plan { handBack(Unmanaged<AnyObject>.fromOpaque(old.plan.toOpaque())) }
                plan = view
            case .voice(let voice, let command):
                voice.carryOut(command, at: position)
            case .openGate(let gate):
                gate.open()
            case .reset(let renderer):
                renderer.reset()
            case .release(let object):
                handBack(object)
            }
        }

        private func handBack(_ object: Unmanaged<AnyObject>) { _ = retired.push(object) }

        private func renderBlock(_ context: RenderContext, into outputs: UnsafePointer<UnsafeMutablePointer<Float>>,
                                 channels: Int, offset: Int) {
            let available = plan?.outputCount ?? 0
            if let plan {
                for index in 0..<plan.stepCount { plan.steps[index].run(context) }
                for channel in 0..<min(channels, available) {
                    (outputs[channel] + offset).update(from: plan.outputs[channel], count: context.frames)
                }
            }
            for channel in min(channels, available)..<channels { Mixing.clear(outputs[channel] + offset, context.frames) }
        }
    }
}
