// swift-tools-version:6.2
import PackageDescription

// Three walks with PHASE, as a client of Ossicle writes them: a park of streamed loops, a head with headphones, a trail under one's feet.
// SWIFT_MODE=5 or 6 picks the language mode of everything in here.
let mode: SwiftLanguageMode = Context.environment["SWIFT_MODE"] == "5" ? .v5 : .v6

func example(_ name: String, _ more: [Target.Dependency] = []) -> Target {
    .executableTarget(name: name, dependencies: ["Kit", .product(name: "PHASE", package: "Ossicle")] + more)
}

let package = Package(
    name: "Walks",
    traits: ["FFmpeg", .default(enabledTraits: [])],
    dependencies: [.package(name: "Ossicle", path: "../..", traits: [.defaults, .trait(name: "FFmpeg", condition: .when(traits: ["FFmpeg"]))])],
    targets: [
        .target(name: "Kit", dependencies: [.product(name: "PHASE", package: "Ossicle"), .product(name: "AVFAudio", package: "Ossicle")]),
        example("SoundPark"), example("HeadPoses", [.product(name: "CoreMotion", package: "Ossicle")]), example("Trail"),
    ],
    swiftLanguageModes: [mode]
)
