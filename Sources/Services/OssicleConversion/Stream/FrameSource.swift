import OssicleCodecs

/// The client's side: asked with the number of packets that would be welcome.
typealias Pull = (_ packets: Int) -> ConverterInput

/// What a stage has for the next one.
enum SourcePiece {
    /// One frame or more, valid until the next call.
    case frames(PlanarFrames)
    /// Nothing now, perhaps later.
    case ranDry
    /// Nothing ever again.
    case ended
}

/// A stage of a conversion: gives frames and asks the stage before it for as much as that takes.
protocol FrameSource: AnyObject {
    var channelCount: Int { get }
    /// Up to `limit` frames, at least one when there are any.
    func next(_ limit: Int, _ pull: Pull) throws(ConversionError) -> SourcePiece
}
