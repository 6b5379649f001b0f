/// How one sample lies in memory, as a type of its own for every form, so that the loops over samples know it when compiled.
protocol SampleCode {
    static var byteCount: Int { get }
    func decode(_ source: UnsafeRawPointer) -> Double
    func encode(_ sample: Double, _ target: UnsafeMutableRawPointer)
}
