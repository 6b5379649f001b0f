// Files that belong to a state: a plug-in asks for their paths, and all of them are in one folder of the host's.
#include "plugin.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool is_inside(const char *path) {
    if (!path || !*path || *path == '/') return false;
    for (const char *part = path; part; part = strchr(part, '/') ? strchr(part, '/') + 1 : 0)
        if (strncmp(part, "..", 2) == 0 && (part[2] == 0 || part[2] == '/')) return false;
    return true;
}

char *ossicle_make_path(void *plugin, const char *path) {
    const ossicle_plugin *p = plugin;
    if (!p->folder || !is_inside(path)) return 0;
    const size_t base = strlen(p->folder), size = base + strlen(path) + 1;
    char *whole = malloc(size);
    if (!whole) return 0;
    snprintf(whole, size, "%s%s", p->folder, path);
    for (char *stroke = strchr(whole + base, '/'); stroke; stroke = strchr(stroke + 1, '/')) {
        *stroke = 0;
        mkdir(whole, 0700);
        *stroke = '/';
    }
    return whole;
}
