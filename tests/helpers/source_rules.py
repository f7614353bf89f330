"""Rules of the package's architecture, each a function that reads a package's folder.

They take the folder as an argument so that they also run over small packages with planted
faults, which is how tests/test_layering.py tests them.
"""

import ast
import functools
import re
from collections.abc import Iterator

RANKS = {
    "utils": 0,
    "stats": 0,
    "patterns": 1,
    "attributes": 1,
    "base": 2,
    "corruptions": 3,
    "metrics": 4,
    "checks": 4,
    "evaluation": 5,
    "learned": 6,
    "adversarial": 7,
    "sensitivity": 7,
    "fairness": 7,
    "responsiveness": 7,
    "curation": 7,
    "robustness": 8,
    "testing": 9,
    "report": 9,
    "cli": 10,
    "integrations": 10,
}
# Rooms of one rank never import one another, these pairs aside. Patterns may import attributes
# or the other way round, but not both.
SIBLINGS_ALLOWED = {("stats", "utils"), ("patterns", "attributes"), ("attributes", "patterns")}
# Rooms that have rooms of their own, these from bottom to top. A file beside them stands above all
# of them, unless it has a place in the list too.
SUB_ROOMS = {
    "adversarial": (
        "optimizers",
        "candidates",
        "proxies",
        "serving",
        "strategies",
        "display",
    ),
    "learned": ("gaps", "kinds", "making"),
    "responsiveness": ("rules", "effects", "actions", "sampling", "audit"),
}
ROOT_ROOMS = {"__init__": "the package's __init__", "__main__": "the package's __main__"}

COMPAT_FILE = "utils/_compat.py"
WATCHED_LIBRARIES = {"sklearn", "imblearn", "skopt"}
# Nothing in this room is for users, so its small classes may share a file.
INTERNAL_ROOMS = {"utils"}
# Plumbing that a room hands to the rooms above it, not to users.
CLASS_FILE_EXCEPTIONS = {"base/_noise.py": {"Draws", "KeyedNoise"}}


def module_files(package_dir):
    """Map each module's dotted name to its file, the package's own name first."""
    files = {}
    for path in sorted(package_dir.rglob("*.py")):
        parts = path.relative_to(package_dir.parent).with_suffix("").parts
        if parts[-1] == "__init__":
            parts = parts[:-1]
        files[".".join(parts)] = path
    return files


def parsed(path):
    """The syntax tree of a file, which several rules read and none changes."""
    return _tree(path.read_text(encoding="utf-8"))


@functools.cache
def _tree(text):
    return ast.parse(text)


def imported_names(tree, module, is_package) -> Iterator[tuple[int, str, tuple[str, ...]]]:
    """Yield line, absolute module and the names taken from it, for every import statement."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name, ()
        elif isinstance(node, ast.ImportFrom):
            source = node.module or ""
            if node.level:
                parents = module.split(".")
                up = node.level - 1 if is_package else node.level
                parents = parents[: len(parents) - up]
                source = ".".join([*parents, source]) if source else ".".join(parents)
            yield node.lineno, source, tuple(alias.name for alias in node.names)
        elif isinstance(node, ast.Call) and node.args:
            # importlib.import_module("package.room") is an import like any other.
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            argument = node.args[0]
            if name in {"import_module", "__import__"} and isinstance(argument, ast.Constant):
                yield node.lineno, str(argument.value), ()


def internal_imports(package_dir):
    """List (importing module, line, imported module) for all imports of the package's own."""
    files = module_files(package_dir)
    root = package_dir.name
    found = []
    for module, path in files.items():
        tree = parsed(path)
        for line, source, names in imported_names(tree, module, path.stem == "__init__"):
            if source.split(".")[0] != root:
                continue
            # `from package.room import _module` imports the module, not only the room.
            targets = {
                f"{source}.{name}" if f"{source}.{name}" in files else source for name in names
            }
            found.extend((module, line, target) for target in sorted(targets or {source}))
    return files, found


def room_of(module, files, package_dir):
    """Name the top-level room of a module; files beside the rooms are rooms of their own."""
    if module == package_dir.name:
        return "__init__"
    room = module.split(".")[1]
    return "__init__" if room not in RANKS and module not in files else room


def layering_violations(package_dir):
    """Describe every upward, sibling, unknown or circular import in a package.

    Parameters
    ----------
    package_dir : Path
        The package's folder; its rooms are named in ``RANKS``.

    Returns
    -------
    list of str
        One line a fault, empty if there is none.
    """
    files, imports = internal_imports(package_dir)
    known = RANKS.keys() | ROOT_ROOMS.keys()
    faults = [
        f"{module}: room '{room_of(module, files, package_dir)}' has no place in the layer order"
        for module in files
        if room_of(module, files, package_dir) not in known
    ]
    faults.extend(
        f"{module}: '{sub_room}' has no place among the rooms of {room}"
        for module, path in files.items()
        if (room := room_of(module, files, package_dir)) in SUB_ROOMS
        and path.stem == "__init__"
        and (sub_room := _sub_room_of(module)) not in (*SUB_ROOMS[room], "")
    )
    pairs = set()
    for module, line, target in imports:
        source_room = room_of(module, files, package_dir)
        target_room = room_of(target, files, package_dir)
        if source_room == target_room and source_room in SUB_ROOMS:
            reason = _forbidden_within(source_room, module, target)
            if reason:
                faults.append(f"{module}:{line}: imports {target}, {reason}")
        if {source_room, target_room} <= known and source_room != target_room:
            pairs.add((source_room, target_room))
            reason = _forbidden(source_room, target_room)
            if reason:
                faults.append(f"{module}:{line}: imports {target}, {reason}")
    faults.extend(
        f"rooms {source} and {target} import each other"
        for source, target in sorted(pairs & SIBLINGS_ALLOWED)
        if source < target and (target, source) in pairs & SIBLINGS_ALLOWED
    )
    return faults + [f"circular import: {' -> '.join(cycle)}" for cycle in _cycles(files, imports)]


def _forbidden(source, target):
    """Say why one room may not import another, or return None."""
    if target in ROOT_ROOMS:
        return f"{ROOT_ROOMS[target]}, from inside it"
    if source == "__main__":
        return None
    if source == "__init__":
        return "a leaf" if RANKS[target] == RANKS["cli"] else None
    if RANKS[target] > RANKS[source]:
        return f"upwards from {source} to {target}"
    if RANKS[target] == RANKS[source] and (source, target) not in SIBLINGS_ALLOWED:
        return f"a sibling: {source} and {target} stand on one layer"
    return None


def _sub_room_of(module):
    """Name what stands below a room, "" for its ``__init__``: a room of its own or a file."""
    return (*module.split("."), "", "")[2]


def _forbidden_within(room, source, target):
    """Say why one part of a room may not import another, or return None."""
    order = SUB_ROOMS[room]
    source, target = _sub_room_of(source), _sub_room_of(target)
    if source in ("", target):
        return None
    if target == "":
        return "the room's __init__, from inside it"
    # files without a place of their own stand side by side above all rooms
    heights = [order.index(name) if name in order else len(order) for name in (source, target)]
    return f"upwards from {source} to {target}" if heights[1] > heights[0] else None


def _cycles(files, imports):
    """Find the groups of modules that import each other in a circle, each as a path."""
    graph = {module: set() for module in files}
    for module, _, target in imports:
        if target in graph and target != module:
            graph[module].add(target)
    cycles, done = [], set()
    for start in graph:
        cycle = _path_back(graph, start, done)
        if cycle:
            cycles.append(cycle)
            done.update(cycle)
    return cycles


def _path_back(graph, start, done):
    """Find the shortest way from a module back to itself that avoids finished circles."""
    if start in done:
        return None
    paths = [[start]]
    seen = set()
    for path in paths:
        for target in sorted(graph[path[-1]]):
            if target == start:
                return [*path, start]
            if target not in seen:
                seen.add(target)
                paths.append([*path, target])
    return None


def private_library_imports(package_dir):
    """Describe every use of a private module or name of a watched library outside ``_compat``."""
    faults = []
    for module, path in module_files(package_dir).items():
        relative = path.relative_to(package_dir).as_posix()
        if relative == COMPAT_FILE:
            continue
        tree = parsed(path)
        for line, source, names in imported_names(tree, module, path.stem == "__init__"):
            if source.split(".")[0] not in WATCHED_LIBRARIES:
                continue
            private = [part for part in (*source.split("."), *names) if _is_private(part)]
            if private:
                faults.append(f"{relative}:{line}: {source} {', '.join(private)}")
    return faults


def _is_private(name):
    return name.startswith("_") and not name.startswith("__")


def module_level_imports_of(package_dir, library):
    """Describe the imports of a library that run when a module of the package is imported."""
    faults = []
    for module, path in module_files(package_dir).items():
        tree = parsed(path)
        top = ast.Module(list(_statements_run_on_import(tree)), [])
        for line, source, _ in imported_names(top, module, path.stem == "__init__"):
            if source.split(".")[0] == library:
                faults.append(f"{path.relative_to(package_dir).as_posix()}:{line}: {source}")
    return faults


def _statements_run_on_import(node):
    """Yield the import statements under a node that are not inside a function."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import | ast.ImportFrom):
            yield child
        elif not (
            isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
            or (isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test))
        ):
            yield from _statements_run_on_import(child)


def misplaced_classes(package_dir, exceptions=CLASS_FILE_EXCEPTIONS):
    """Describe the classes handed to users that lack a file of their own, named after them.

    A class is handed to users when the ``__init__`` of a room that is not internal imports it, be
    it through that of a sub-room.
    """
    files = module_files(package_dir)
    taken = {}
    for module, path in files.items():
        if path.stem == "__init__":
            tree = parsed(path)
            for _, source, names in imported_names(tree, module, is_package=True):
                for name in names:
                    taken[module, name] = source
    exported = {}
    for (module, name), source in taken.items():
        if module.count(".") == 1 and module.split(".")[1] not in INTERNAL_ROOMS:
            # a room that takes a module of its own is where that is from
            while taken.get((source, name), source) != source:
                source = taken[source, name]
            if source.count(".") and source.split(".")[1] not in INTERNAL_ROOMS:
                exported.setdefault(source, set()).add(name)
    faults = []
    for module, path in files.items():
        relative = path.relative_to(package_dir).as_posix()
        body = parsed(path).body
        defined = [node.name for node in body if isinstance(node, ast.ClassDef)]
        public = [
            name
            for name in defined
            if name in exported.get(module, set()) - exceptions.get(relative, set())
        ]
        if len(public) > 1:
            faults.append(f"{relative}: holds {', '.join(public)}")
        faults.extend(
            f"{relative}: {name} belongs in _{snake_case(name)}.py"
            for name in public
            if path.stem != f"_{snake_case(name)}"
        )
    return faults


def snake_case(name):
    """Turn a CamelCase name into snake_case."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()
