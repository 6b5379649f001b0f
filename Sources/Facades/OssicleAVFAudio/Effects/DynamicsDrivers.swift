import OssicleAudioToolbox
import OssicleCore
import OssicleDSP
import OssicleRender

/// A cell that a kernel reports to from the render thread, and its reader.
private final class MeterCell<Meter: BitwiseCopyable>: @unchecked Sendable {
    let cell: LatestValueCell<Meter>
    private let lock = NSLock()

    init(_ initial: Meter) { cell = LatestValueCell(initial) }

    deinit { cell.deallocate() }

    var newest: Meter { lock.withLock { cell.takeIfNew() ?? cell.current } }
}

extension ParameterReader {
    /// Lets a parameter show what `read` tells.
    fileprivate func show(_ id: AudioUnitParameterID, _ read: @escaping () -> Float) {
        tree.parameter(withAddress: AUParameterAddress(id))?.implementorValueProvider = { _ in read() }
    }
}

extension UnitDrivers {
    static func dynamicsProcessor(_ value: ParameterReader) -> any UnitDriver {
        let meter = MeterCell(DynamicsMeter())
        value.show(kDynamicsProcessorParam_CompressionAmount) { meter.newest.compressionAmount }
        value.show(kDynamicsProcessorParam_InputAmplitude) { meter.newest.inputAmplitude }
        value.show(kDynamicsProcessorParam_OutputAmplitude) { meter.newest.outputAmplitude }
        return KernelDriver(RendererReference.dynamics, companion: meter, make: { rate, channels, parameters in
            var kernel = DynamicsProcessor(sampleRate: rate, channelCount: channels, parameters: parameters)
            kernel.report = meter.cell
            return kernel
        }, read: {
            var parameters = DynamicsProcessor.Parameters()
            parameters.threshold = value[kDynamicsProcessorParam_Threshold]
            parameters.headRoom = value[kDynamicsProcessorParam_HeadRoom]
            parameters.expansionRatio = value[kDynamicsProcessorParam_ExpansionRatio]
            parameters.expansionThreshold = value[kDynamicsProcessorParam_ExpansionThreshold]
            parameters.attackTime = value[kDynamicsProcessorParam_AttackTime]
            parameters.releaseTime = value[kDynamicsProcessorParam_ReleaseTime]
            parameters.overallGain = value[kDynamicsProcessorParam_OverallGain]
            return parameters
        })
    }

    static func multibandCompressor(_ value: ParameterReader) -> any UnitDriver {
        let meter = MeterCell(InlineArray<4, DynamicsMeter>(repeating: DynamicsMeter()))
        for band in 0..<MultibandCompressor.bandCount {
            let step = AudioUnitParameterID(1000 * band)
            value.show(kMultibandCompressorParam_CompressionAmount1 + step) { meter.newest[band].compressionAmount }
            value.show(kMultibandCompressorParam_InputAmplitude1 + step) { meter.newest[band].inputAmplitude }
            value.show(kMultibandCompressorParam_OutputAmplitude1 + step) { meter.newest[band].outputAmplitude }
        }
        return KernelDriver(RendererReference.multibandCompressor, companion: meter, make: { rate, channels, parameters in
            var kernel = MultibandCompressor(sampleRate: rate, channelCount: channels, parameters: parameters)
            kernel.report = meter.cell
            return kernel
        }, read: {
            func four(_ first: AudioUnitParameterID) -> SIMD4<Float> { SIMD4(value[first], value[first + 1], value[first + 2], value[first + 3]) }
            var parameters = MultibandCompressor.Parameters()
            parameters.pregain = value[kMultibandCompressorParam_Pregain]
            parameters.postgain = value[kMultibandCompressorParam_Postgain]
            parameters.crossovers = SIMD3(value[kMultibandCompressorParam_Crossover1], value[kMultibandCompressorParam_Crossover2],
                                          value[kMultibandCompressorParam_Crossover3])
            parameters.thresholds = four(kMultibandCompressorParam_Threshold1)
            parameters.headrooms = four(kMultibandCompressorParam_Headroom1)
            parameters.attackTime = value[kMultibandCompressorParam_AttackTime]
            parameters.releaseTime = value[kMultibandCompressorParam_ReleaseTime]
            parameters.equalization = four(kMultibandCompressorParam_EQ1)
            return parameters
        })
    }
}
