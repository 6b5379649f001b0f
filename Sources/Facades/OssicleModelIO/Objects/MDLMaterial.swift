import Foundation

/// How a surface scatters light.
open class MDLScatteringFunction: NSObject, MDLNamed {
    /// The name. Default "".
    open var name = ""

    /// A function without name.
    public override init() {}
}

/// A scattering function after the physics of real surfaces.
open class MDLPhysicallyPlausibleScatteringFunction: MDLScatteringFunction {
    /// The version of the model: 1.
    open var version: Int { 1 }
}

/// What a surface is made of.
open class MDLMaterial: NSObject, MDLNamed {
    /// The name.
    open var name: String
    /// How it scatters light.
    public let scatteringFunction: MDLScatteringFunction

    /// A material.
    public init(name: String, scatteringFunction: MDLScatteringFunction) {
        self.name = name
        self.scatteringFunction = scatteringFunction
    }
}
