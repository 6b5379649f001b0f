import OssicleCore
import OssicleRender

/// An instrument that can be played: the table for synthesisers, and what its programs are called.
package final class Instrument: Sendable {
    package let name: String
    package let table: InstrumentTable
    /// In the order of the table's programs.
    package let programNames: [String]
    /// What was odd in its file.
    package let warnings: [String]

    init(name: String, table: InstrumentTable, programNames: [String], warnings: [String]) {
        (self.name, self.table, self.programNames, self.warnings) = (name, table, programNames, warnings)
    }

    package var isEmpty: Bool { programNames.isEmpty }

    /// The name of a program.
    package func programName(bank: Int, number: Int) -> String? {
        table.programList.firstIndex { $0.bank == bank && $0.number == number }.map { programNames[$0] }
    }
}

/// The memory of one sample.
package final class SampleBlock: @unchecked Sendable {
    package let sample: InstrumentSample
    private let memory: UnsafeMutableRawPointer

    /// Integers in memory, which become this object's.
    init(int16 frames: UnsafeMutablePointer<Int16>, count: Int, rate: Double) {
        memory = UnsafeMutableRawPointer(frames)
        sample = InstrumentSample(data: UnsafeRawPointer(memory), form: .int16, frameCount: count, rate: rate)
    }

    /// Numbers in memory, which become this object's.
    init(float frames: UnsafeMutablePointer<Float>, count: Int, rate: Double) {
        memory = UnsafeMutableRawPointer(frames)
        sample = InstrumentSample(data: UnsafeRawPointer(memory), form: .float, frameCount: count, rate: rate)
    }

    deinit { memory.deallocate() }

    package var frameCount: Int { sample.frameCount }
}
