// swift-tools-version:6.2
import PackageDescription

// The floors of the house, from the names a client imports down to the base.
// Imports point down only: `./test` builds with `--explicit-target-dependency-import-check error`.

let names: [(name: String, facades: [Target.Dependency])] = [
    ("PHASE", ["OssiclePHASE", "OssicleAVFoundation"]),
    ("AVFAudio", ["OssicleAVFAudio"]),
    ("AVFoundation", ["OssicleAVFoundation", "OssicleAVFAudio", "OssicleAudioToolbox"]),
    ("AudioToolbox", ["OssicleAudioToolbox", "OssicleAVFAudio"]),
    ("AudioUnit", ["OssicleAudioToolbox", "OssicleAVFAudio"]),
    ("CoreAudio", ["OssicleCoreAudioTypes"]),
    ("CoreAudioTypes", ["OssicleCoreAudioTypes"]),
    ("CoreMIDI", ["OssicleCoreMIDI"]),
    ("CoreMotion", ["OssicleCoreMotion"]),
    ("ModelIO", ["OssicleModelIO"]),
    ("simd", ["OssicleSIMD"]),
]

let facades: [Target] = [
    .target(
        name: "OssiclePHASE",
        dependencies: [
            "OssicleAVFAudio", "OssicleModelIO", "OssicleSIMD", "OssicleCoreAudioTypes", "OssiclePlayback",
            "OssicleSpatial", "OssicleSoundEvents", "OssicleHeadTracking", "OssicleHRTF", "OssicleAcoustics",
            "OssicleScenes", "OssicleRecording", "OssicleFiles", "OssicleDevices", "OssicleMessages",
            "OssicleInspection", "OssicleRender",
            "OssicleDSP", "OssicleChannels", "OssicleCore",
        ],
        path: "Sources/Facades/OssiclePHASE"),
    .target(
        name: "OssicleAVFoundation",
        dependencies: ["OssicleAVFAudio", "OssicleCoreAudioTypes", "OssicleFiles", "OssicleMessages", "CCurl"],
        path: "Sources/Facades/OssicleAVFoundation"),
    .target(
        name: "OssicleAVFAudio",
        dependencies: [
            "OssicleCoreAudioTypes", "OssicleAudioToolbox", "OssicleCoreMIDI", "OssiclePlayback", "OssicleNodes",
            "OssicleInstruments", "OssicleMIDI", "OssicleGraph", "OssicleAcoustics", "OssicleFiles",
            "OssicleConversion", "OssicleProperties", "OssiclePlugins", "OssicleCodecs", "OssicleDevices",
            "OssicleMessages", "OssicleInspection", "OssicleRecording", "OssicleRender", "OssicleDSP",
            "OssicleChannels", "OssicleCore",
            "COssicle",
        ],
        path: "Sources/Facades/OssicleAVFAudio"),
    .target(
        name: "OssicleAudioToolbox",
        dependencies: [
            "OssicleCoreAudioTypes", "OssicleCoreMIDI", "OssicleMIDI", "OssicleFiles", "OssicleConversion",
            "OssicleProperties", "OssicleCodecs", "OssicleChannels", "OssicleCore",
        ],
        path: "Sources/Facades/OssicleAudioToolbox"),
    .target(
        name: "OssicleCoreMIDI",
        dependencies: ["OssicleCoreAudioTypes", "OssicleMIDI", "OssicleMIDINetwork", "CMIDIPackets"],
        path: "Sources/Facades/OssicleCoreMIDI"),
    .target(
        name: "OssicleCoreMotion", dependencies: ["OssicleHeadTracking", "OssicleSIMD", "OssicleCore"],
        path: "Sources/Facades/OssicleCoreMotion"),
    .target(
        name: "OssicleModelIO", dependencies: ["OssicleSIMD", "OssicleCore"], path: "Sources/Facades/OssicleModelIO"),
    .target(
        name: "OssicleCoreAudioTypes", dependencies: ["OssicleProperties", "OssicleChannels"],
        path: "Sources/Facades/OssicleCoreAudioTypes"),
    .target(
        name: "OssicleSIMD", dependencies: ["OssicleCore"], path: "Sources/Facades/OssicleSIMD",
        plugins: ["DoubleSources"]),
]

/// GPL as Debian builds it, so only on request: `swift build --traits FFmpeg`.
let ffmpeg = Target.Dependency.target(name: "CFFmpeg", condition: .when(traits: ["FFmpeg"]))

/// Intel's ray tracer, where it is installed; without the trait rays are traced in plain Swift.
let embree = Target.Dependency.target(
    name: "CEmbree", condition: .when(platforms: [.linux], traits: ["SystemLibraries"]))

/// A second synthesiser for banks of sounds, on request: LGPL, and looked for at run time. Nothing of it is needed to
/// build.
let fluidSynth = Target.Dependency.target(
    name: "CFluidSynth", condition: .when(platforms: [.linux], traits: ["FluidSynthSounds"]))

/// What the facades' engines are made of: no Apple type.
let engine: [Target] = [
    .target(
        name: "OssicleNodes",
        dependencies: [
            "OssiclePlayback", "OssicleGraph", "OssicleAcoustics", "OssicleRender", "OssicleDSP", "OssicleChannels",
            "OssicleCore",
        ],
        path: "Sources/Engine/OssicleNodes"),
    .target(
        name: "OssicleMIDI",
        dependencies: ["OssicleMIDINetwork", "OssicleProperties", "OssicleDevices", "OssicleRender", "OssicleCore"],
        path: "Sources/Engine/OssicleMIDI"),
    .target(
        name: "OssicleInstruments", dependencies: ["OssicleFiles", "OssicleRender", "OssicleCore", fluidSynth],
        path: "Sources/Engine/OssicleInstruments"),
    .target(
        name: "OssiclePlayback",
        dependencies: [
            "OssicleGraph", "OssicleFiles", "OssicleCodecs", "OssicleDevices", "OssicleInspection", "OssicleRender",
            "OssicleDSP", "OssicleCore",
        ],
        path: "Sources/Engine/OssiclePlayback"),
    .target(
        name: "OssicleSpatial",
        dependencies: [
            "OssiclePlayback", "OssicleSoundEvents", "OssicleHRTF", "OssicleGraph", "OssicleAcoustics",
            "OssicleFiles", "OssicleDevices", "OssicleRender", "OssicleDSP", "OssicleChannels", "OssicleCore",
            "COssicle",
        ],
        path: "Sources/Engine/OssicleSpatial"),
]

let services: [Target] = [
    .target(name: "OssicleSoundEvents", dependencies: ["OssicleCore"], path: "Sources/Services/OssicleSoundEvents"),
    .target(
        name: "OssicleHeadTracking", dependencies: ["OssicleCore"],
        path: "Sources/Services/OssicleHeadTracking"),
    .target(
        name: "OssicleHRTF",
        dependencies: ["OssicleReaders", "OssicleLibraries", "OssicleDSP", "OssicleCore", "CMysofa"],
        path: "Sources/Services/OssicleHRTF"),
    .target(
        name: "OssicleGraph", dependencies: ["OssicleRender", "OssicleDSP", "OssicleCore"],
        path: "Sources/Services/OssicleGraph"),
    .target(
        name: "OssicleAcoustics", dependencies: ["OssicleCore", "COssicle", "CScheduling", embree],
        path: "Sources/Services/OssicleAcoustics"),
    .target(
        name: "OssicleScenes",
        dependencies: [
            "OssicleReaders", "OssicleLibraries", "OssicleAcoustics", "OssicleChannels", "OssicleCore", "CAssimp",
        ],
        path: "Sources/Services/OssicleScenes"),
    .target(
        name: "OssicleResponses",
        dependencies: [
            "OssicleReaders", "OssicleAcoustics", "OssicleDSP", "OssicleChannels", "OssicleCore", "CNetcdf",
        ],
        path: "Sources/Services/OssicleResponses"),
    .target(
        name: "OssicleRecording", dependencies: ["OssicleFiles"], path: "Sources/Services/OssicleRecording"),
    .target(
        name: "OssicleAnalysis",
        dependencies: ["OssicleResponses", "OssicleAcoustics", "OssicleDSP", "OssicleChannels", "OssicleCore"],
        path: "Sources/Services/OssicleAnalysis"),
    .target(
        name: "OssicleBatch",
        dependencies: [
            "OssicleResponses", "OssicleScenes", "OssicleAcoustics", "OssicleHRTF", "OssicleVoice", "OssicleFiles",
            "OssicleCodecs", "OssicleDSP", "OssicleCore",
        ],
        path: "Sources/Services/OssicleBatch"),
    .target(
        name: "OssicleVoice", dependencies: ["OssicleDSP", "OssicleCore"], path: "Sources/Services/OssicleVoice"),
    .target(
        name: "OssicleVoiceRoom", dependencies: ["OssicleAcoustics", "OssicleCodecs", "OssicleDSP", "OssicleCore"],
        path: "Sources/Services/OssicleVoiceRoom"),
    .target(name: "OssicleReaders", dependencies: ["CReaderProcess"], path: "Sources/Services/OssicleReaders"),
    .target(
        name: "OssiclePlugins", dependencies: ["OssicleReaders", "COssicle", "CPluginHost"],
        path: "Sources/Services/OssiclePlugins"),
    .target(name: "OssicleMessages", path: "Sources/Services/OssicleMessages"),
    .target(name: "OssicleWebServer", path: "Sources/Services/OssicleWebServer"),
    .target(name: "OssicleInspection", path: "Sources/Services/OssicleInspection"),
    .target(
        name: "OssicleLibraries",
        dependencies: ["CSndfile", "CSoxr", "CFlac", "COpus", "CMpg123", "CMysofa", "CAssimp"],
        path: "Sources/Services/OssicleLibraries"),
    .target(
        name: "OssicleProperties", dependencies: ["OssicleCore"], path: "Sources/Services/OssicleProperties"),
    .target(
        name: "OssicleConversion",
        dependencies: ["OssicleCodecs", "OssicleLibraries", "OssicleChannels", "OssicleCore", "COssicle", "CSoxr"],
        path: "Sources/Services/OssicleConversion"),
    .target(
        name: "OssicleFiles",
        dependencies: [
            "OssicleConversion", "OssicleCodecs", "OssicleLibraries", "OssicleMessages", "OssicleChannels",
            "OssicleCore", "COssicle", "CSndfile", "CSoxr", ffmpeg,
        ],
        path: "Sources/Services/OssicleFiles"),
    .target(
        name: "OssicleCodecs",
        dependencies: [
            "OssicleLibraries", "OssicleChannels", "OssicleCore", "COssicle", "COpus", "CFlac", "CMpg123", ffmpeg,
        ],
        path: "Sources/Services/OssicleCodecs"),
    .target(
        name: "OssicleMIDINetwork", dependencies: ["OssicleDevices", "OssicleCore", "CAvahi"],
        path: "Sources/Services/OssicleMIDINetwork"),
    .target(
        name: "OssicleDevices",
        dependencies: [
            "OssicleMessages", "OssicleChannels", "OssicleDSP", "COssicle", "OssicleCore", "CPulse", "CJack", "CAlsa",
            "CScheduling",
        ],
        path: "Sources/Services/OssicleDevices"),
]

let belowTheLine: [Target] = [
    .target(
        name: "OssicleRender", dependencies: ["OssicleDSP", "OssicleChannels", "OssicleCore", "COssicle"],
        path: "Sources/RealTime/OssicleRender"),
    .target(
        name: "OssicleDSP", dependencies: ["OssicleChannels", "OssicleCore", "COssicle"],
        path: "Sources/RealTime/OssicleDSP"),
    .target(name: "OssicleChannels", dependencies: ["OssicleCore"], path: "Sources/RealTime/OssicleChannels"),
    .target(name: "OssicleCore", dependencies: ["COssicle"], path: "Sources/RealTime/OssicleCore"),
    .target(name: "COssicle", path: "Sources/RealTime/COssicle", exclude: ["Resources"]),
]

/// Headers of our own, without a library behind them.
let ownHeaders: [Target] = ["CCurl", "CMIDIPackets", "CReaderProcess"].map {
    .systemLibrary(name: $0, path: "Sources/System/\($0)")
}

/// Libraries that are looked for at run time, by declarations of our own: a build needs no package of the system's but
/// the toolchain, nothing is linked, and a program starts where a library is missing. FFmpeg's alone has headers of its
/// own in the build.
let runtimeLibraries: [Target] =
    [.target(name: "CRuntimeLibrary", path: "Sources/System/CRuntimeLibrary", publicHeadersPath: ".")]
    + [
        "CAlsa", "CAssimp", "CAvahi", "CEbur128", "CEmbree", "CFFmpeg", "CFlac", "CFluidSynth", "CJack", "CLilv",
        "CMpg123",
        "CMysofa", "CNetcdf", "COpus", "CPulse", "CScheduling", "CSndfile", "CSoxr",
    ].map {
        .target(name: $0, dependencies: ["CRuntimeLibrary"], path: "Sources/System/\($0)", publicHeadersPath: ".")
    }
    + [
        .target(
            name: "CPluginHost", dependencies: ["CLilv"], path: "Sources/System/CPluginHost", publicHeadersPath: ".")
    ]

/// Of the live view.
let pageFiles = [
    "index.html", "style.css", "main.js", "link.js", "state.js", "plan.js", "space.js", "panels.js", "sound.js",
    "graph.js",
]

let tools: [Target] = [
    .target(
        name: "OssicleTestSupport", dependencies: ["OssicleDevices", "OssicleCore"],
        path: "Sources/Tools/OssicleTestSupport"),
    .target(
        name: "OssicleHostContract",
        dependencies: ["OssicleAVFAudio", "OssicleAudioToolbox", "OssicleCoreAudioTypes", "OssicleCore"],
        path: "Sources/Tools/OssicleHostContract"),
    .target(name: "ExampleUnits", dependencies: ["AVFoundation"], path: "Examples/WWDC16/Units"),
    .executableTarget(
        name: "realtime-check",
        dependencies: [
            "OssicleHostContract", "ExampleUnits", "OssiclePHASE", "OssicleAVFAudio", "OssicleAudioToolbox",
            "OssicleCoreAudioTypes", "OssicleMIDI", "OssicleDevices", "OssicleRender", "OssicleCore", "COssicle",
            "CJack", "OssicleTestSupport",
        ],
        path: "Sources/Tools/realtime-check"),
    .executableTarget(
        name: "trait-check", dependencies: ["OssicleFiles", "OssicleCodecs", "OssicleMessages"],
        path: "Sources/Tools/trait-check"),
    .executableTarget(
        name: "library-check",
        dependencies: [
            "OssicleFiles", "OssicleConversion", "OssicleCodecs", "OssicleHRTF", "OssicleScenes", "OssicleAcoustics",
            "OssicleLibraries", "OssicleMessages", "OssicleCore", "CRuntimeLibrary",
        ],
        path: "Sources/Tools/library-check"),
    .executableTarget(
        name: "mutation-check",
        dependencies: [
            "OssicleMIDI", "OssicleFiles", "OssicleCodecs", "OssicleHRTF", "OssicleScenes", "OssicleTestSupport",
        ],
        path: "Sources/Tools/mutation-check"),
    .executableTarget(name: "double-sources", path: "Sources/Tools/double-sources"),
    .plugin(name: "DoubleSources", capability: .buildTool(), dependencies: ["double-sources"]),
    .executableTarget(
        name: "misuse-check",
        dependencies: [
            "OssiclePHASE", "OssicleAVFAudio", "OssicleAVFoundation", "OssicleAudioToolbox", "OssicleModelIO",
            "OssicleSIMD",
            "OssicleCoreAudioTypes",
        ],
        path: "Sources/Tools/misuse-check"),
    .target(name: "OssicleReports", path: "Sources/Tools/OssicleReports"),
    .target(
        name: "OssicleRendering",
        dependencies: [
            "OssiclePHASE", "OssicleCoreAudioTypes", "OssicleBatch", "OssicleScenes", "OssicleFiles",
            "OssicleAcoustics", "OssicleChannels",
            "OssicleCore",
        ],
        path: "Sources/Tools/OssicleRendering"),
    .target(
        name: "OssicleTestKit",
        dependencies: [
            "OssicleReports", "OssicleRendering", "OssiclePHASE", "OssicleAVFAudio", "OssicleAnalysis",
            "OssicleResponses", "OssicleScenes", "OssicleVoice", "OssicleFiles", "OssicleCore",
        ],
        path: "Sources/Tools/OssicleTestKit"),
    .target(
        name: "OssicleSwiftTesting", dependencies: ["OssicleTestKit"], path: "Sources/Tools/OssicleSwiftTesting"),
    .target(name: "OssicleXCTest", dependencies: ["OssicleTestKit"], path: "Sources/Tools/OssicleXCTest"),
    // The page in the program, wherever that is.
    .target(
        name: "OssicleInspector", dependencies: ["OssicleInspection", "OssicleMessages", "OssicleWebServer"],
        path: "Sources/Tools/OssicleInspector", resources: pageFiles.map { .embedInCode("Page/\($0)") }),
    .executableTarget(
        name: "voice-room", dependencies: ["OssicleVoiceRoom", "OssicleWebServer"], path: "Examples/VoiceRoom",
        resources: ["index.html", "style.css", "room.js", "worklet.js"].map { .embedInCode("Page/\($0)") }),
    .executableTarget(
        name: "view-stage", dependencies: ["OssicleInspector", "PHASE", "AVFAudio"], path: "Sources/Tools/view-stage"),
    .systemLibrary(name: "OssicleHeader", path: "Sources/Tools/OssicleHeader"),
    .target(
        name: "OssicleC",
        dependencies: [
            "OssicleHeader", "OssicleRendering", "OssiclePHASE", "OssicleCoreAudioTypes", "OssicleAcoustics",
            "OssicleScenes", "OssicleResponses", "OssicleBatch", "OssicleVoice", "OssicleFiles", "OssicleProperties",
            "OssicleDSP", "OssicleChannels", "OssicleCore",
        ],
        path: "Sources/Tools/OssicleC"),
    .executableTarget(
        name: "ossicle",
        dependencies: [
            "OssicleReports", "OssicleAnalysis", "OssicleRendering", "OssicleInspector", "OssicleInspection",
            "OssiclePHASE", "OssicleAVFAudio",
            "OssicleAudioToolbox", "OssicleAcoustics", "OssicleScenes", "OssicleResponses", "OssicleBatch",
            "OssicleInstruments", "OssicleFiles",
            "OssicleConversion", "OssicleCodecs", "OssicleDevices", "OssicleHRTF", "OssicleMessages", "OssicleDSP",
            "OssicleChannels", "OssicleCore", "OssiclePlugins", "OssicleHostContract", "OssicleCoreAudioTypes",
            "OssicleReaders", "OssicleRecording", "OssicleVoice",
            .product(name: "ArgumentParser", package: "swift-argument-parser"),
        ],
        path: "Sources/Tools/ossicle",
        // The demo's scene, wherever the program is: links to Examples/Scenes.
        resources: [.embedInCode("Resources/two-rooms.gltf"), .embedInCode("Resources/two-rooms.walk.json")]),
]

/// Tests are compiled without optimisation, which takes half the compiler's time; what they test is optimised.
let unoptimised: [SwiftSetting] = [.unsafeFlags(["-Onone"])]

/// - Parameter computes: whether the tests themselves compute for long, as solvers do that are held against ours.
func tests(of module: String, using others: [Target.Dependency] = [], computes: Bool = false) -> Target {
    .testTarget(
        name: module + "Tests", dependencies: [.target(name: module), "OssicleTestSupport"] + others,
        swiftSettings: computes ? [] : unoptimised)
}

let testTargets: [Target] = [
    tests(of: "OssicleSIMD"), tests(of: "OssicleModelIO", using: ["OssicleSIMD"]),
    tests(of: "OssicleCoreMotion", using: ["OssicleHeadTracking"]),
    tests(of: "OssicleHeadTracking", using: ["OssicleCore"]),
    tests(of: "OssicleHRTF", using: ["OssicleDSP", "OssicleCore"]),
    tests(of: "OssicleCoreAudioTypes"),
    tests(of: "OssicleCoreMIDI", using: ["OssicleMIDI", "OssicleMIDINetwork", "OssicleCore"]),
    tests(of: "OssicleMIDINetwork", using: ["OssicleDevices", "OssicleCore"]),
    tests(
        of: "OssicleInstruments",
        using: ["OssicleFiles", "OssicleCodecs", "OssicleMIDI", "OssicleRender", "OssicleCore"]),
    tests(of: "OssicleMIDI", using: ["OssicleDevices", "OssicleRender", "OssicleCore", "CJack"]),
    tests(
        of: "OssicleAVFAudio",
        using: [
            "OssicleCoreAudioTypes", "OssicleAudioToolbox", "OssicleCoreMIDI", "OssicleFiles", "OssicleConversion",
            "OssicleCodecs", "OssicleDevices", "OssiclePlayback", "OssicleNodes", "OssicleInstruments", "OssicleMIDI",
            "OssiclePlugins", "OssicleRender", "OssicleVoice", "OssicleDSP", "OssicleCore",
        ]),
    tests(
        of: "OssicleAVFoundation",
        using: [
            "OssicleAVFAudio", "OssicleCoreAudioTypes", "OssicleFiles", "OssicleCodecs", "OssicleDevices",
            "OssicleCore",
        ]),
    tests(
        of: "OssicleAudioToolbox",
        using: [
            "OssicleCoreAudioTypes", "OssicleCoreMIDI", "OssicleMIDI", "OssicleFiles", "OssicleConversion",
            "OssicleCodecs", "OssicleCore",
        ]),
    tests(of: "OssicleFiles", using: ["OssicleCodecs", "OssicleMessages", "OssicleCore", "CEbur128", ffmpeg]),
    tests(of: "OssicleConversion", using: ["OssicleCodecs", "COssicle"]),
    tests(of: "OssicleMessages"), tests(of: "OssicleReaders", using: ["CReaderProcess"]),
    tests(of: "OssiclePlugins", using: ["CPluginHost"]),
    tests(of: "OssicleCodecs", using: ["OssicleChannels", "OssicleCore", "CSndfile", ffmpeg]),
    tests(of: "OssicleDevices", using: ["OssicleChannels", "OssicleCore", "CAlsa", "CJack", "CPulse"]),
    tests(of: "OssicleCore"), tests(of: "OssicleChannels", using: ["OssicleCoreAudioTypes"]),
    tests(of: "OssicleDSP", using: ["OssicleChannels", "OssicleCore", "COssicle"], computes: true),
    tests(of: "OssicleAcoustics", using: ["OssicleCore", "COssicle"], computes: true),
    tests(of: "OssicleScenes", using: ["OssicleAcoustics", "OssicleCore"]),
    tests(of: "OssicleResponses", using: ["OssicleAcoustics", "OssicleDSP", "OssicleCore", "CNetcdf"]),
    tests(
        of: "OssicleRecording",
        using: ["OssiclePHASE", "OssicleAVFAudio", "OssicleCoreAudioTypes", "OssicleModelIO", "OssicleCore"]),
    tests(of: "OssicleAnalysis", using: ["OssicleResponses", "OssicleCore"]),
    tests(
        of: "OssicleBatch",
        using: ["OssicleResponses", "OssicleScenes", "OssicleAcoustics", "OssicleFiles", "OssicleCore"]),
    tests(of: "OssicleRender", using: ["OssicleGraph", "OssicleDSP", "OssicleChannels", "OssicleCore"]),
    tests(of: "OssicleSoundEvents", using: ["OssicleCore"]),
    tests(of: "OssicleVoiceRoom", using: ["OssicleVoice", "OssicleCodecs", "OssicleDSP", "OssicleCore"]),
    tests(of: "OssicleVoice", using: ["OssicleFiles", "OssicleDSP", "OssicleCore", "CRuntimeLibrary"]),
    tests(
        of: "OssicleSpatial",
        using: ["OssicleSoundEvents", "OssicleAcoustics", "OssicleRender", "OssicleDSP", "OssicleCore"]),
    tests(of: "OssiclePlayback", using: ["OssicleDevices", "OssicleGraph", "OssicleRender", "OssicleCore"]),
    tests(of: "OssicleNodes", using: ["OssicleGraph", "OssicleRender", "OssicleDSP", "OssicleCore"]),
    tests(
        of: "OssiclePHASE",
        using: [
            "PHASE", "OssiclePlayback", "OssicleSpatial", "OssicleSoundEvents", "OssicleHeadTracking", "OssicleHRTF",
            "OssicleCoreMotion", "OssicleAcoustics", "OssicleScenes", "OssicleDevices", "OssicleRender", "OssicleDSP",
            "OssicleChannels", "OssicleCore", "CJack",
        ]),
    tests(
        of: "OssicleHostContract",
        using: ["ExampleUnits", "OssicleAVFAudio", "OssicleAudioToolbox", "OssicleCoreAudioTypes"]),
    tests(
        of: "OssicleTestKit",
        using: [
            "OssicleSwiftTesting", "OssicleXCTest", "OssiclePHASE", "OssicleAVFAudio", "OssicleCoreAudioTypes",
            "OssicleResponses", "OssicleCore",
        ]),
    tests(of: "OssicleInspector", using: ["OssicleWebServer", "OssicleInspection", "OssiclePHASE", "OssicleAVFAudio"]),
    .testTarget(name: "MisuseCheckTests", dependencies: ["misuse-check"], swiftSettings: unoptimised),
    .testTarget(
        name: "OssicleCTests",
        dependencies: ["OssicleC", "OssicleHeader", "OssicleRendering", "OssicleVoice"], swiftSettings: unoptimised),
    .testTarget(
        name: "OssicleToolTests",
        dependencies: [
            "ossicle", "OssicleRendering", "OssicleAcoustics", "OssicleScenes", "OssicleResponses", "OssicleBatch",
            "OssicleInstruments", "OssicleFiles", "OssicleConversion", "OssicleCodecs", "OssicleDevices",
            "OssiclePlugins", "OssicleAVFAudio", "OssicleTestSupport", "OssicleCore", "OssicleVoice",
            .product(name: "ArgumentParser", package: "swift-argument-parser"),
        ],
        swiftSettings: unoptimised),
]

let package = Package(
    name: "Ossicle",
    // Mutexes and atomics need that. Linux, which is what is built and tested, has no such versions.
    platforms: [.macOS(.v15)],
    // OssicleResponses has nothing public: the benchmarks measure it from within.
    products: names.map { .library(name: $0.name, targets: [$0.name]) }
        + [
            .executable(name: "ossicle", targets: ["ossicle"]),
            .library(name: "OssicleTestKit", targets: ["OssicleTestKit"]),
            .library(name: "OssicleSwiftTesting", targets: ["OssicleSwiftTesting"]),
            .library(name: "OssicleXCTest", targets: ["OssicleXCTest"]),
            .library(name: "OssicleInspector", targets: ["OssicleInspector"]),
            .library(name: "OssicleVoiceRoom", targets: ["OssicleVoiceRoom"]),
            .library(name: "OssicleC", type: .dynamic, targets: ["OssicleC"]),
            .library(name: "OssicleResponses", targets: ["OssicleResponses"]),
        ],
    traits: [
        .trait(name: "FFmpeg", description: "AAC and M4A through FFmpeg, which Debian builds under the GPL"),
        .trait(name: "FluidSynthSounds", description: "Banks of sounds through FluidSynth, where it is installed"),
        .trait(
            name: "SystemLibraries",
            description:
                "Looks at run time for Embree, libsndfile, libsoxr, libFLAC, libopus, libmpg123, libmysofa and assimp; without it this package does alone what it can"
        ),
        .default(enabledTraits: ["SystemLibraries"]),
    ],
    dependencies: [.package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2")],
    targets: names.map { .target(name: $0.name, dependencies: $0.facades, path: "Sources/Names/\($0.name)") }
        + facades + engine + services + belowTheLine + ownHeaders + runtimeLibraries + tools + testTargets,
    swiftLanguageModes: [.v6]
)
