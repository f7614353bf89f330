"""Which parameters have a type of the package's own, so that `Any` is no type for them."""

import ast

from source_rules import parsed

ROOMS = (
    "adversarial",
    "sensitivity",
    "fairness",
    "responsiveness",
    "curation",
    "learned",
    "report",
)
NAMES = frozenset(
    {
        "search", "problem", "task", "space", "table", "split", "splits", "template", "corruption",
        "member", "record", "evaluator", "outcome", "candidate", "study", "plan", "journal",
        "actions", "constraint", "element", "settings", "estimator", "profiler", "ablator",
        "auditor", "curator", "display",
    }
)  # fmt: skip
# what takes anything and refuses what is none
UNCHECKED = ("check_", "as_", "_check")


def untyped_parameters(package_dir):
    """Describe the parameters with a name of ours that are annotated with `Any`."""
    faults = []
    for path in sorted(package_dir.rglob("*.py")):
        parts = path.relative_to(package_dir).parts
        if parts[0] not in ROOMS:
            continue
        for node in ast.walk(parsed(path)):
            if not isinstance(node, ast.FunctionDef) or node.name.startswith(UNCHECKED):
                continue
            faults += [
                f"{'/'.join(parts)}:{node.lineno}: {node.name}({each.arg}: Any)"
                for each in (*node.args.args, *node.args.kwonlyargs)
                if each.arg in NAMES
                and isinstance(each.annotation, ast.Name)
                and each.annotation.id == "Any"
            ]
    return faults
