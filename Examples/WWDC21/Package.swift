// swift-tools-version:6.2
import PackageDescription

// A client of Ossicle as anyone would write it: the samples of WWDC21 session 10079, and the README's ten lines.
// SWIFT_MODE=5 or 6 picks the language mode of everything in here.
let mode: SwiftLanguageMode = Context.environment["SWIFT_MODE"] == "5" ? .v5 : .v6

func example(_ name: String) -> Target {
    .executableTarget(name: name, dependencies: ["Stage", .product(name: "PHASE", package: "Ossicle")])
}

let package = Package(
    name: "WWDC21",
    traits: ["FFmpeg", .default(enabledTraits: [])],
    dependencies: [.package(name: "Ossicle", path: "../..", traits: [.defaults, .trait(name: "FFmpeg", condition: .when(traits: ["FFmpeg"]))])],
    targets: [
        .target(name: "Stage", dependencies: [.product(name: "PHASE", package: "Ossicle"), .product(name: "AVFAudio", package: "Ossicle")]),
        example("PlayingAFile"), example("CardboardBox"), example("Footsteps"), example("TenLines"),
    ],
    swiftLanguageModes: [mode]
)
