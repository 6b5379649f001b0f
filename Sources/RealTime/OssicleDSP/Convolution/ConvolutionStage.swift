import COssicle
import OssicleCore

/// The partitions of one size in a convolver: transforms of what came in, products with the response's, transforms
/// back.
///
/// The work on a block of N frames is a list of small pieces in a fixed order, with what each costs. N frames hold
/// N/128 quanta, and behind each of them as many pieces are done as make its share of the cost: so the last partition
/// of a long response costs every quantum the same. Audio thread, but for `init`.
struct ConvolutionStage: ~Copyable {
    private enum Work: UInt8, BitwiseCopyable {
        case twist, forwardStage, forwardLeaf, products, inverseLeaf, inverseStage, untwist
    }

    private struct Piece: BitwiseCopyable {
        var work: Work
        /// Of the input or the output.
        var channel: Int
        /// First number and width of the transform that it is a piece of.
        var start = 0
        var width = 0
        var range = PartitionRange(0, 0)
        var cost: Int
    }

    private let shape: PartitionShape
    private let transform: UnsafePointer<PartitionTransform>
    private let response: UnsafePointer<Float>
    private let routes: UnsafePointer<Convolver.Route>
    private let routeCount: Int
    private let pieces: OwnedMemory<Piece>
    /// How many pieces are done behind each quantum.
    private let ends: OwnedMemory<Int>
    /// By input and partition, a ring of blocks.
    private let signals: SampleMemory
    /// By output.
    private let products: SampleMemory
    /// By output, two blocks: one that is heard and one that is made.
    private let blocks: SampleMemory

    /// - Parameter routes: sorted by output; as long as this lives.
    init(
        _ stage: ConvolutionResponse.Stage, routes: UnsafePointer<Convolver.Route>, routeCount: Int, inputCount: Int,
        outputCount: Int
    ) {
        shape = stage.shape
        transform = stage.transform
        response = UnsafePointer(stage.spectra.pointer)
        (self.routes, self.routeCount) = (routes, routeCount)
        let load = (0..<outputCount).map { output in (0..<routeCount).filter { routes[$0].output == output }.count }
        let list = Self.pieces(shape, inputCount: inputCount, routesOfOutputs: load)
        pieces = OwnedMemory(count: list.count, list[0])
        for (place, piece) in list.enumerated() { pieces.pointer[place] = piece }
        ends = OwnedMemory(count: shape.quanta, 0)
        let (total, quanta) = (list.reduce(0) { $0 + $1.cost }, shape.quanta)
        var (done, cost) = (0, 0)
        for quantum in 0..<quanta {
            // A piece belongs to the quantum in whose share its middle lies.
            while done < list.count, (2 * cost + list[done].cost) * quanta < 2 * (quantum + 1) * total {
                cost += list[done].cost
                done += 1
            }
            ends.pointer[quantum] = quantum + 1 == quanta ? list.count : done
        }
        signals = SampleMemory(count: inputCount * shape.spectraCount)
        products = SampleMemory(count: outputCount * 2 * shape.size)
        blocks = SampleMemory(count: outputCount * 2 * shape.size)
    }

    func reset() {
        signals.clear()
        products.clear()
        blocks.clear()
    }

    /// Quanta of silence in that leave nothing but zeros in all memory.
    var patience: Int { (shape.count + 4) * shape.quanta }

    /// Adds what is heard of the present quantum, from its frame `phase` on.
    func add(to outputs: UnsafePointer<UnsafeMutablePointer<Float>>, offset: Int, quantum: Int, phase: Int, _ n: Int) {
        let block = quantum / shape.quanta - shape.firstTap / shape.size
        let frame = (block & 1) * shape.size + quantum % shape.quanta * Grid.quantum + phase
        for route in 0..<routeCount where route == 0 || routes[route].output != routes[route - 1].output {
            let output = routes[route].output
            ossicle_add(blocks.pointer + output * 2 * shape.size + frame, outputs[output] + offset, n)
        }
    }

    /// Does the share of the work that falls behind a quantum.
    /// - Parameters:
    ///   - history: the inputs' last frames, one ring of `mask` + 1 after the other, the quantum included.
    func work(behind quantum: Int, history: UnsafePointer<Float>, mask: Int) {
        let (block, step) = ((quantum + 1) / shape.quanta - 1, (quantum + 1) % shape.quanta)
        guard block >= 0 else { return }
        for place in (step == 0 ? 0 : ends.pointer[step - 1])..<ends.pointer[step] {
            carryOut(pieces.pointer[place], block: block, history, mask)
        }
    }

    private func carryOut(_ piece: Piece, block: Int, _ history: UnsafePointer<Float>, _ mask: Int) {
        let size = shape.size
        let signal = signals.pointer + piece.channel * shape.spectraCount + block % shape.count * 2 * size
        let product = products.pointer + piece.channel * 2 * size
        switch piece.work {
        case .twist:
            let ring = history + piece.channel * (mask + 1)
            transform.pointee.twist(
                ring + ((block - 1) * size & mask), ring + (block * size & mask), to: signal, piece.range)
        case .forwardStage:
            transform.pointee.forwardStage(signal, start: piece.start, width: piece.width, piece.range)
        case .forwardLeaf: transform.pointee.forwardLeaf(signal, start: piece.start)
        case .products: multiply(piece, block, product)
        case .inverseLeaf: transform.pointee.inverseLeaf(product, start: piece.start)
        case .inverseStage:
            transform.pointee.inverseStage(product, start: piece.start, width: piece.width, piece.range)
        case .untwist:
            let heard = blocks.pointer + piece.channel * 2 * size + (block & 1) * size
            transform.pointee.untwist(product, to: heard, piece.range)
        }
    }

    private func multiply(_ piece: Piece, _ block: Int, _ product: UnsafeMutablePointer<Float>) {
        var adds: Int32 = 0
        for number in 0..<routeCount where routes[number].output == piece.channel {
            let route = routes[number]
            ossicle_convolve_spectra(
                signals.pointer + route.input * shape.spectraCount, block % shape.count,
                response + route.channel * shape.spectraCount, shape.count, shape.size, piece.range.from,
                piece.range.count, adds, product, product + shape.size)
            adds = 1
        }
    }

    // MARK: Control side

    /// Costs are relative, in operations on floats; leaves and products with what loading and storing adds. The
    /// products of the largest partitions wait for memory, which makes them three times as long.
    private static func pieces(_ shape: PartitionShape, inputCount: Int, routesOfOutputs: [Int]) -> [Piece] {
        let (size, leaf) = (shape.size, PartitionTransform.leaf)
        func ranges(_ count: Int, by step: Int) -> [PartitionRange] {
            stride(from: 0, to: count, by: step).map { PartitionRange($0, min(step, count - $0)) }
        }
        func stages(_ work: Work, _ channel: Int) -> [Piece] {
            var (list, width) = ([Piece](), size)
            while width > leaf {
                for start in stride(from: 0, to: size, by: width) {
                    list += ranges(width / 8, by: 128).map {
                        Piece(work: work, channel: channel, start: start, width: width, range: $0, cost: $0.count * 200)
                    }
                }
                width /= 8
            }
            return list
        }
        func leaves(_ work: Work, _ channel: Int) -> [Piece] {
            stride(from: 0, to: size, by: leaf).map { Piece(work: work, channel: channel, start: $0, cost: 6000) }
        }
        var list: [Piece] = []
        for input in 0..<inputCount {
            list += ranges(size, by: 1024).map {
                Piece(work: .twist, channel: input, range: $0, cost: $0.count * 10)
            }
            list += stages(.forwardStage, input) + leaves(.forwardLeaf, input)
        }
        for (output, routes) in routesOfOutputs.enumerated() where routes > 0 {
            let products = shape.count * routes
            let cost = size > 1024 ? 30 : 10
            list += ranges(size, by: min(max(4096 / products & ~15, 16), 256)).map {
                Piece(work: .products, channel: output, range: $0, cost: $0.count * (products * cost + 10))
            }
        }
        for (output, routes) in routesOfOutputs.enumerated() where routes > 0 {
            list += leaves(.inverseLeaf, output) + stages(.inverseStage, output).reversed()
            list += ranges(size, by: 1024).map {
                Piece(work: .untwist, channel: output, range: $0, cost: $0.count * 6)
            }
        }
        return list
    }
}
