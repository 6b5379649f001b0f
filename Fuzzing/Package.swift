// swift-tools-version:6.2
import PackageDescription

// libFuzzer over what takes bytes from outside. A package of its own, because the modules it tests have to be compiled
// for it: `Sources` holds links to theirs.
let instrumented: [SwiftSetting] = [.unsafeFlags(["-sanitize=fuzzer,address", "-parse-as-library"])]

let ffmpeg = Target.Dependency.target(name: "CFFmpeg", condition: .when(traits: ["FFmpeg"]))

func module(_ name: String, _ dependencies: [Target.Dependency], in floor: String) -> Target {
    .target(name: name, dependencies: dependencies, path: "Sources/\(floor)/\(name)", swiftSettings: instrumented)
}

/// A library that is looked for at run time.
func library(_ name: String) -> Target {
    .target(
        name: name, dependencies: ["CRuntimeLibrary"], path: "Sources/System/\(name)", publicHeadersPath: ".")
}

func fuzzer(_ name: String, of modules: [Target.Dependency] = ["OssicleFiles", "OssicleCodecs"]) -> Target {
    .executableTarget(
        name: name, dependencies: ["Driver"] + modules, path: "Sources/Targets/\(name)",
        swiftSettings: instrumented,
        linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])])
}

let package = Package(
    name: "Fuzzing",
    traits: [.trait(name: "FFmpeg"), .trait(name: "SystemLibraries"), .default(enabledTraits: ["SystemLibraries"])],
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
                "OssicleConversion", "OssicleCodecs", "OssicleLibraries", "OssicleMessages", "OssicleChannels",
                "OssicleCore", "CSndfile", "CSoxr", ffmpeg,
            ], in: "Services"
        ),
        module(
            "OssicleConversion", ["OssicleCodecs", "OssicleLibraries", "OssicleChannels", "OssicleCore", "CSoxr"],
            in: "Services"),
        module(
            "OssicleLibraries", ["CSndfile", "CSoxr", "CFlac", "COpus", "CMpg123", "CMysofa", "CAssimp"],
            in: "Services"),
        module(
            "OssicleScenes", ["OssicleReaders", "OssicleLibraries", "OssicleAcoustics", "OssicleCore", "CAssimp"],
            in: "Services"),
        module("OssicleReaders", ["CReaderProcess"], in: "Services"),
        module("OssicleAcoustics", ["OssicleCore", "CScheduling", "CEmbree"], in: "Services"),
        .target(name: "CRuntimeLibrary", path: "Sources/System/CRuntimeLibrary", publicHeadersPath: "."),
        .systemLibrary(name: "CReaderProcess", path: "Sources/System/CReaderProcess"),
        module(
            "OssicleMIDI",
            ["OssicleMIDINetwork", "OssicleProperties", "OssicleDevices", "OssicleRender", "OssicleCore"], in: "Engine"),
        module("OssicleMIDINetwork", ["OssicleDevices", "OssicleCore", "CAvahi"], in: "Services"),
        module(
            "OssicleDevices",
            [
                "OssicleMessages", "OssicleChannels", "OssicleDSP", "OssicleCore", "COssicle", "CPulse", "CJack",
                "CAlsa", "CScheduling",
            ], in: "Services"),
        module("OssicleInstruments", ["OssicleFiles", "OssicleRender", "OssicleCore"], in: "Engine"),
        module("OssicleProperties", ["OssicleCore"], in: "Services"),
        module("OssicleRender", ["OssicleDSP", "OssicleChannels", "OssicleCore", "COssicle"], in: "RealTime"),
        module("OssicleDSP", ["OssicleChannels", "OssicleCore", "COssicle"], in: "RealTime"),
        module("OssicleChannels", ["OssicleCore"], in: "RealTime"),
        .target(name: "COssicle", path: "Sources/RealTime/COssicle", exclude: ["Resources"]),
        module(
            "OssicleCodecs",
            ["OssicleLibraries", "OssicleChannels", "OssicleCore", "COpus", "CFlac", "CMpg123", ffmpeg],
            in: "Services"),
        module("OssicleMessages", [], in: "Services"), module("OssicleCore", [], in: "RealTime"),
        library("CAlsa"), library("CAssimp"), library("CAvahi"), library("CEmbree"), library("CFFmpeg"),
        library("CFlac"), library("CJack"), library("CMpg123"), library("CMysofa"), library("COpus"),
        library("CPulse"), library("CScheduling"), library("CSndfile"), library("CSoxr"),
    ],
    swiftLanguageModes: [.v6]
)
