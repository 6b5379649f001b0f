import CNetcdf
import Synchronization

/// Writes a netCDF-4 file of real numbers.
enum NetcdfFile {
    struct Variable {
        var name: String
        var dimensions: [String]
        /// In the order of the dimensions, the last one running fastest.
        var values: [Double]
        var attributes: [(String, String)]

        init(_ name: String, _ dimensions: [String], values: [Double], attributes: [(String, String)]) {
            (self.name, self.dimensions, self.values, self.attributes) = (name, dimensions, values, attributes)
        }
    }

    /// Held by everyone who calls the library, readers included: it keeps its state in global variables.
    static let turn = Mutex(())

    /// Nothing may be at `path` yet. A file that cannot be finished is closed and left to the caller to remove.
    static func write(
        to path: String, dimensions: [String: Int], attributes: [(String, String)], variables: [Variable]
    ) throws(ResponseError) {
        try turn.withLock { _ throws(ResponseError) in
            ossicle_netcdf_hush()
            var file: Int32 = 0
            try check(nc_create(path, NC_NETCDF4 | NC_NOCLOBBER, &file), path, deed: "made")
            do throws(ResponseError) {
                try fill(file, path, dimensions: dimensions, attributes: attributes, variables: variables)
            } catch {
                _ = nc_close(file)
                throw error
            }
            try check(nc_close(file), path, deed: "finished")
        }
    }

    private static func fill(
        _ file: Int32, _ path: String, dimensions: [String: Int], attributes: [(String, String)],
        variables: [Variable]
    ) throws(ResponseError) {
        var numbers: [String: Int32] = [:]
        for (name, size) in dimensions.sorted(by: { $0.key < $1.key }) {
            var number: Int32 = 0
            try check(nc_def_dim(file, name, size, &number), path, deed: "given the dimension \(name)")
            numbers[name] = number
        }
        try put(attributes, of: NC_GLOBAL, in: file, path: path)
        for variable in variables {
            var number: Int32 = 0
            let axes = variable.dimensions.compactMap { numbers[$0] }
            let size = variable.dimensions.reduce(1) { $0 * (dimensions[$1] ?? 0) }
            guard size == variable.values.count else {
                let found = "\(variable.name) has \(variable.values.count) values for \(size) places"
                throw ResponseError("SOFA file “\(path)”: \(found); give one for each.")
            }
            try check(
                nc_def_var(file, variable.name, nc_type(NC_DOUBLE), Int32(axes.count), axes, &number), path,
                deed: "given \(variable.name)")
            try put(variable.attributes, of: number, in: file, path: path)
            try check(
                nc_put_var_double(file, number, variable.values), path, deed: "given the values of \(variable.name)")
        }
    }

    private static func put(
        _ attributes: [(String, String)], of variable: Int32, in file: Int32, path: String
    ) throws(ResponseError) {
        for (name, value) in attributes {
            try check(nc_put_att_text(file, variable, name, value.utf8.count, value), path, deed: "given \(name)")
        }
    }

    private static func check(_ status: Int32, _ path: String, deed: String) throws(ResponseError) {
        guard status != NC_NOERR else { return }
        let reason = nc_strerror(status).map { String(cString: $0) } ?? "error \(status)"
        throw ResponseError(
            "SOFA file “\(path)” could not be \(deed) (\(reason)): choose a place where you may write and where nothing is yet."
        )
    }
}
