import Foundation
import OssicleAcoustics
import OssicleReaders

extension SourceEmission.Shape {
    /// A loudspeaker in CLF's text form, or SOFA (FreeFieldDirectivityTF) where the name ends in `.sofa`.
    package init(contentsOfFile path: String) throws(ResponseError) {
        let name = (path as NSString).lastPathComponent
        guard case .success(let bytes) = ReaderProcess.bytes(ofFile: path) else {
            throw ResponseError(
                "The directivity \(path) cannot be read: name a loudspeaker in CLF's text form, or SOFA (FreeFieldDirectivityTF)."
            )
        }
        self = .balloon(
            name.lowercased().hasSuffix(".sofa")
                ? try DirectivityFile(bytes, name: name).balloon : try LoudspeakerFile(bytes, name: name).balloon)
    }
}
