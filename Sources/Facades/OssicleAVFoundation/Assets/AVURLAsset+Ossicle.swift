// Additions to Apple's assets.

/// Among the options of `AVURLAsset`: seconds, as a number of at least 1, that a server may take to connect, or stay
/// silent, before loading fails. Default 60.
public let AVURLAssetTimeoutKey = "OssicleURLAssetTimeout"
