import OssicleWebServer

/// The files of the page, which are in the program.
enum Page {
    static func resource(_ name: String) -> Connection.Resource? {
        let script = "text/javascript; charset=utf-8"
        return switch name {
        case "": Connection.Resource(type: "text/html; charset=utf-8", bytes: PackageResources.index_html)
        case "style.css": Connection.Resource(type: "text/css; charset=utf-8", bytes: PackageResources.style_css)
        case "main.js": Connection.Resource(type: script, bytes: PackageResources.main_js)
        case "link.js": Connection.Resource(type: script, bytes: PackageResources.link_js)
        case "state.js": Connection.Resource(type: script, bytes: PackageResources.state_js)
        case "plan.js": Connection.Resource(type: script, bytes: PackageResources.plan_js)
        case "space.js": Connection.Resource(type: script, bytes: PackageResources.space_js)
        case "panels.js": Connection.Resource(type: script, bytes: PackageResources.panels_js)
        case "sound.js": Connection.Resource(type: script, bytes: PackageResources.sound_js)
        case "graph.js": Connection.Resource(type: script, bytes: PackageResources.graph_js)
        default: nil
        }
    }
}
