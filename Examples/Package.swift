// swift-tools-version:6.2
import PackageDescription

// Clients of Ossicle as anyone would write them. SWIFT_MODE=5 or 6 picks the language mode of everything in here.
//
//     swift run -c release --package-path Examples Footsteps

let mode: SwiftLanguageMode = Context.environment["SWIFT_MODE"] == "5" ? .v5 : .v6

func product(_ name: String) -> Target.Dependency { .product(name: name, package: "Ossicle") }

func programs(_ names: [String], in folder: String, using dependencies: [Target.Dependency]) -> [Target] {
    names.map { .executableTarget(name: $0, dependencies: dependencies, path: "\(folder)/\($0)") }
}

func library(_ name: String, in folder: String, using dependencies: [Target.Dependency]) -> Target {
    .target(name: name, dependencies: dependencies, path: "\(folder)/\(name)")
}

/// AVAudioEngine, after the uses that WWDC14 session 502 promises, and the README's hall.
let engines =
    programs(
        ["Hall", "Karaoke", "StreamingPlayer", "Siren", "BallGame", "ChannelStrip"], in: "WWDC14",
        using: ["Workbench", product("AVFoundation")])
    + [library("Workbench", in: "WWDC14", using: [product("AVFoundation")])]

/// Files, converters and the C interfaces beneath them, after what WWDC16 session 507 says they are for.
let files = programs(
    ["SpeechFile", "RadioStream", "TapeCopy", "VoiceMemo"], in: "WWDC16", using: ["Workbench", product("AVFoundation")])

/// An I/O unit, after the program at the end of WWDC16 session 507; an instrument, a MIDI processor and an effect of
/// one's own, played by a sequencer.
let units =
    programs(["SquareWave"], in: "WWDC16", using: ["Workbench", product("AVFoundation")])
    + programs(["Synthesiser", "Arpeggiator"], in: "WWDC16", using: ["Units", "Workbench", product("AVFoundation")])
    + [library("Units", in: "WWDC16", using: [product("AVFoundation")])]

/// Sessions, after the four kinds of program that WWDC16 session 507 has recipes for.
let sessions =
    programs(
        ["TaskChime", "Podcast", "Navigation", "Conversation"], in: "WWDC16",
        using: ["SessionKit", "Workbench", product("AVFoundation")])
    + [library("SessionKit", in: "WWDC16", using: ["Workbench", product("AVFoundation")])]

/// PHASE: the samples of WWDC21 session 10079, and the README's ten lines.
let scenes =
    programs(
        ["PlayingAFile", "CardboardBox", "Footsteps", "TenLines"], in: "WWDC21", using: ["Stage", product("PHASE")])
    + [library("Stage", in: "WWDC21", using: [product("PHASE"), product("AVFAudio")])]

/// Three walks with PHASE: a park of streamed loops, a head with headphones, a trail under one's feet.
let walks =
    programs(["SoundPark", "Trail"], in: "Walks", using: ["Kit", product("PHASE")])
    + programs(["HeadPoses"], in: "Walks", using: ["Kit", product("PHASE"), product("CoreMotion")])
    + [library("Kit", in: "Walks", using: [product("PHASE"), product("AVFAudio")])]

/// An audio unit as an LV2 bundle: a template (`LV2Bundle`), an effect with it, and a program that writes the bundle.
let plugins: [Target] = [
    .target(name: "LV2Interface", path: "LV2/LV2Interface"),
    library("LV2Bundle", in: "LV2", using: ["LV2Interface", product("AVFoundation")]),
    .target(
        name: "Tremolo", dependencies: ["LV2Bundle", product("AVFoundation")], path: "LV2/Tremolo",
        linkerSettings: [
            // Hosts unload libraries between instances, which Swift's runtime does not survive.
            .unsafeFlags([
                "-Xlinker", "--version-script=\(Context.packageDirectory)/LV2/exports.map", "-Xlinker", "-z",
                "-Xlinker", "nodelete",
            ])
        ]),
    .executableTarget(
        name: "TremoloBundle", dependencies: ["Tremolo", "LV2Bundle", product("AVFoundation")],
        path: "LV2/TremoloBundle"),
]

/// A game's sound under test: a scene, and tests that hold it against expectations and a baseline.
let soundTests: [Target] = [
    library("Pier", in: "SoundTests", using: [product("PHASE")]),
    .testTarget(
        name: "PierTests",
        dependencies: ["Pier", product("PHASE"), product("OssicleSwiftTesting"), product("OssicleXCTest")],
        path: "SoundTests/PierTests", exclude: ["Goldens"]),
]

/// Libraries that extend and subclass Apple's classes with members that Ossicle has too, and a program that uses both:
/// the libraries' are meant.
let names: [Target] = [
    library("Wrapper", in: "Names", using: [product("AVFAudio"), product("PHASE")]),
    library("Subclasses", in: "Names", using: [product("AVFAudio")]),
    .executableTarget(
        name: "SameNames", dependencies: ["Wrapper", "Subclasses", product("AVFAudio"), product("PHASE")],
        path: "Names/SameNames", swiftSettings: [.treatAllWarnings(as: .error)]),
]

let package = Package(
    name: "Examples",
    products: [.library(name: "TremoloPlugin", type: .dynamic, targets: ["Tremolo"])],
    traits: ["SystemLibraries", "FFmpeg", "FluidSynthSounds", .default(enabledTraits: [])],
    dependencies: [
        // The default trait by its name: `.defaults` defines one more condition, and the library would be compiled
        // again.
        .package(
            name: "Ossicle", path: "..",
            traits: [
                "SystemLibraries", .trait(name: "FFmpeg", condition: .when(traits: ["FFmpeg"])),
                .trait(name: "FluidSynthSounds", condition: .when(traits: ["FluidSynthSounds"])),
            ])
    ],
    targets: engines + files + units + sessions + scenes + walks + plugins + names + soundTests,
    swiftLanguageModes: [mode]
)
