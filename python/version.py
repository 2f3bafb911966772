"""The version of the package: that of the JavaScript that it brings."""

import json
from pathlib import Path

_HERE = Path(__file__).parent
_MANIFESTS = (
    _HERE.parent / "package.json",
    _HERE / "src/perturbql/_javascript/node_modules/perturbql/package.json",
)

__version__ = next(
    (str(json.loads(path.read_text("utf-8"))["version"]) for path in _MANIFESTS if path.is_file()), "0.0.0"
)
