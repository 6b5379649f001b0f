import CRuntimeLibrary
import OssicleVoice

/// The echo canceller and preprocessor of libspeexdsp, as the judge beside ours; nil where the library is not
/// installed.
///
/// It knows neither delay nor drift, so its tail is 0.556 s: ours of 0.256 s and the longest delay of the scenes.
struct SpeexJudge {
    private typealias Make = @convention(c) (CInt, CInt) -> OpaquePointer?
    private typealias Control = @convention(c) (OpaquePointer, CInt, UnsafeMutableRawPointer) -> CInt
    private typealias Cancel =
        @convention(c) (
            OpaquePointer, UnsafePointer<Int16>, UnsafePointer<Int16>, UnsafeMutablePointer<Int16>
        ) -> Void
    private typealias Suppress = @convention(c) (OpaquePointer, UnsafeMutablePointer<Int16>) -> CInt
    private typealias Destroy = @convention(c) (OpaquePointer) -> Void

    private static let frame = 256
    private static let tail = 0.556
    /// SPEEX_ECHO_SET_SAMPLING_RATE and SPEEX_PREPROCESS_SET_ECHO_STATE, which have the same number.
    private static let setter: CInt = 24
    private let library: UnsafeMutableRawPointer

    init?() {
        guard let library = ossicle_open_library("libspeexdsp.so.1") else { return nil }
        self.library = library
    }

    private func find<Function>(_ name: String, _: Function.Type) -> Function? {
        ossicle_find_function(library, name).map { unsafeBitCast($0, to: Function.self) }
    }

    /// The output for a scene; nil where the library lacks a function.
    func run(_ scene: EchoScene) -> [Float]? {
        guard let makeEcho = find("speex_echo_state_init", Make.self),
            let setEcho = find("speex_echo_ctl", Control.self),
            let cancel = find("speex_echo_cancellation", Cancel.self),
            let makeFilter = find("speex_preprocess_state_init", Make.self),
            let setFilter = find("speex_preprocess_ctl", Control.self),
            let suppress = find("speex_preprocess_run", Suppress.self),
            let destroyEcho = find("speex_echo_state_destroy", Destroy.self),
            let destroyFilter = find("speex_preprocess_state_destroy", Destroy.self)
        else { return nil }
        var rate = CInt(scene.settings.sampleRate)
        guard let echo = makeEcho(CInt(Self.frame), CInt(Self.tail * scene.settings.sampleRate)),
            let filter = makeFilter(CInt(Self.frame), rate)
        else { return nil }
        defer {
            destroyFilter(filter)
            destroyEcho(echo)
        }
        _ = setEcho(echo, Self.setter, &rate)
        _ = setFilter(filter, Self.setter, UnsafeMutableRawPointer(echo))
        let (far, microphone) = (scene.far.map(Self.integer), scene.microphone.map(Self.integer))
        var output = [Int16](repeating: 0, count: microphone.count)
        for start in stride(from: 0, through: microphone.count - Self.frame, by: Self.frame) {
            var block = [Int16](repeating: 0, count: Self.frame)
            cancel(
                echo, Array(microphone[start..<(start + Self.frame)]), Array(far[start..<(start + Self.frame)]), &block)
            _ = suppress(filter, &block)
            output.replaceSubrange(start..<(start + Self.frame), with: block)
        }
        return output.map { Float($0) / 32_768 }
    }

    private static func integer(_ sample: Float) -> Int16 { Int16(max(min(sample * 32_768, 32_767), -32_768)) }
}
