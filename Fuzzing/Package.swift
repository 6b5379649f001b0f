// swift-tools-version:6.2
import PackageDescription

// libFuzzer over what takes bytes from outside. A package of its own, because the modules it tests have to be compiled
// for it: `Sources` holds links to theirs.
let instrumented: [SwiftSetting] = [.unsafeFlags(["-sanitize=fuzzer,address", "-parse-as-library"])]

let ffmpeg = Target.Dependency.target(name: "CFFmpeg", condition: .when(traits: ["FFmpeg"]))

func module(_ name: String, _ dependencies: [Target.Dependency], in floor: String) -> Target {
    .target(name: name, dependencies: dependencies, path: "Sources/\(floor)/\(name)", swiftSettings: instrumented)
}

func library(_ name: String, _ pkgConfig: String) -> Target {
    .systemLibrary(name: name, path: "Sources/System/\(name)", pkgConfig: pkgConfig)
}

func fuzzer(_ name: String, of modules: [Target.Dependency] = ["OssicleFiles", "OssicleCodecs"]) -> Target {
    .executableTarget(
        name: name, dependencies: ["Driver"] + modules, path: "Sources/Targets/\(name)",
        swiftSettings: instrumented,
        linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])])
}

let package = Package(
    name: "Fuzzing",
    traits: [.trait(name: "FFmpeg"), .default(enabledTraits: [])],
    targets: [
        fuzzer("fuzz-reader"), fuzzer("fuzz-parser"), fuzzer("fuzz-decoders"),
        fuzzer("fuzz-midi", of: ["OssicleMIDI"]),
        fuzzer("fuzz-instruments", of: ["OssicleInstruments", "OssicleFiles", "OssicleRender"]),
        fuzzer("fuzz-scenes", of: ["OssicleScenes"]),
        .target(name: "Driver", dependencies: ["CFuzzer"], path: "Sources/Targets/Driver"),
        .systemLibrary(name: "CFuzzer", path: "Sources/Targets/CFuzzer"),
        module(
            "OssicleFiles",
            [
                "OssicleCodecs", "OssicleMessages", "OssicleChannels", "OssicleCore", "CSndfile", "CSoxr", "CEbur128",
                ffmpeg,
            ], in: "Services"
        ),
        module("OssicleScenes", ["OssicleReaders", "OssicleAcoustics", "OssicleCore", "CAssimp"], in: "Services"),
        module("OssicleReaders", ["CReaderProcess"], in: "Services"),
        module("OssicleAcoustics", ["OssicleCore", "CScheduling"], in: "Services"),
        .target(name: "CRuntimeLibrary", path: "Sources/System/CRuntimeLibrary", publicHeadersPath: "."),
        .target(
            name: "CScheduling", dependencies: ["CRuntimeLibrary"], path: "Sources/System/CScheduling",
            publicHeadersPath: "."),
        .systemLibrary(name: "CReaderProcess", path: "Sources/System/CReaderProcess"),
        module("OssicleMIDI", ["OssicleProperties", "OssicleRender", "OssicleCore"], in: "Engine"),
        module("OssicleInstruments", ["OssicleFiles", "OssicleRender", "OssicleCore"], in: "Engine"),
        module("OssicleProperties", ["OssicleCore"], in: "Services"),
        module("OssicleRender", ["OssicleDSP", "OssicleChannels", "OssicleCore", "COssicle"], in: "RealTime"),
        module("OssicleDSP", ["OssicleChannels", "OssicleCore", "COssicle"], in: "RealTime"),
        module("OssicleChannels", ["OssicleCore"], in: "RealTime"),
        .target(name: "COssicle", path: "Sources/RealTime/COssicle", exclude: ["Resources"]),
        module(
            "OssicleCodecs", ["OssicleChannels", "OssicleCore", "CSndfile", "COpus", "CFlac", "CMpg123", ffmpeg],
            in: "Services"),
        module("OssicleMessages", [], in: "Services"), module("OssicleCore", [], in: "RealTime"),
        library("CAssimp", "assimp"), library("CFFmpeg", "libavformat"), library("CFlac", "flac"),
        library("CMpg123", "libmpg123"),
        library("COpus", "opus"),
        library("CSndfile", "sndfile"), library("CSoxr", "soxr"), library("CEbur128", "libebur128"),
    ],
    swiftLanguageModes: [.v6]
)
