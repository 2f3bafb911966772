"""Writes a model folder's manifest.json: what the model is, where it comes from, and the hashes checked before use.

The format is that of src/inference/model-manifest.ts. What is not given is kept from the present manifest, so running
it over an unchanged folder changes nothing. A changed network needs its own revision, provenance and terms: weights
must not inherit those of the ones they replace, nor thresholds that were calibrated for them.

    python training/write_manifest.py models/encoder models/nli
    python training/write_manifest.py models/nli --revision v1 --made "…" --license Apache-2.0 --commercial
"""

from __future__ import annotations

import argparse
import hashlib
import json
from pathlib import Path
from typing import Any

NETWORK_FILE = "onnx/model_quantized.onnx"
MODEL_FILES = ("config.json", NETWORK_FILE, "special_tokens_map.json", "tokenizer.json", "tokenizer_config.json")
TASKS = ("table-context-encoder", "nli")
NLI_LABELS = ("contradiction", "neutral", "entailment")
READINGS = ("replacement", "addition", "topic")
LFS_POINTER = b"version https://git-lfs"

Manifest = dict[str, Any]


def file_entry(path: Path) -> dict[str, Any]:
    """Hash and size of one file."""
    content = path.read_bytes()
    if content.startswith(LFS_POINTER):
        raise SystemExit(f"{path} is a Git LFS pointer, not the file: run `git lfs pull`")
    if not content:
        raise SystemExit(f"{path} is empty")
    return {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}


def hash_files(folder: Path) -> dict[str, Any]:
    """Every file of the folder; one too few or too many is an error, since all of them ship."""
    found = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()} - {"manifest.json"}
    missing, surplus = sorted(set(MODEL_FILES) - found), sorted(found - set(MODEL_FILES))
    if missing or surplus:
        raise SystemExit(f"{folder}: missing {missing or 'nothing'}, not part of a model {surplus or 'nothing'}")
    return {name: file_entry(folder / name) for name in sorted(MODEL_FILES)}


def task_fields(task: str, config: dict[str, Any]) -> Manifest:
    """What the network's own config says: its width, or the label of each output."""
    if task == "table-context-encoder":
        return {"dimension": config["hidden_size"], "pooling": "mean"}
    names = [config["id2label"][str(index)] for index in range(len(config["id2label"]))]
    labels, readings = names[: len(NLI_LABELS)], names[len(NLI_LABELS) :]
    if sorted(labels) != sorted(NLI_LABELS) or sorted(readings) not in ([], sorted(READINGS)):
        expected = f"{list(NLI_LABELS)} in any order, then {list(READINGS)} or nothing"
        raise SystemExit(f"config.json names the outputs {names}; the product wants {expected}")
    return {"labels": labels} | ({"readings": readings} if readings else {})


def given_fields(args: argparse.Namespace) -> Manifest:
    """Values from the command line, under the manifest's names."""
    given = {
        "task": args.task,
        "name": args.name,
        "revision": args.revision,
        "license": args.license,
        "nonCommercial": args.non_commercial,
        "made": args.made,
        "maxTokens": args.max_tokens,
    }
    return {key: value for key, value in given.items() if value is not None}


def require_own_facts(folder: Path, given: Manifest) -> None:
    """A network that the manifest does not describe yet must be described on the command line."""
    flags = {
        "revision": "--revision",
        "made": "--made",
        "license": "--license",
        "nonCommercial": "--commercial or --non-commercial",
    }
    missing = [flag for key, flag in flags.items() if key not in given]
    if missing:
        raise SystemExit(f"{folder}: the network is new, so say also {', '.join(missing)}")


def build_manifest(
    folder: Path, given: Manifest, thresholds: list[float] | None, reading: list[float] | None
) -> Manifest:
    """The manifest of a folder, its keys in the order of the present ones."""
    path = folder / "manifest.json"
    present: Manifest = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    files = hash_files(folder)
    changed = present.get("files", {}).get(NETWORK_FILE) != files[NETWORK_FILE]
    if changed:
        require_own_facts(folder, given)
    facts = {**present, **given}
    common = ("task", "name", "revision", "license", "nonCommercial", "made", "maxTokens")
    missing = [key for key in common if key not in facts]
    if missing:
        raise SystemExit(f"{folder}: no manifest yet, so say also {', '.join(missing)}")
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    manifest = {key: facts[key] for key in common} | {"files": files} | task_fields(facts["task"], config)
    if thresholds:
        manifest["thresholds"] = {"rplMin": thresholds[0], "addMax": thresholds[1]}
        if reading:
            manifest["thresholds"]["reading"] = dict(zip(READINGS, reading, strict=True))
    elif "thresholds" in present and not changed:
        manifest["thresholds"] = present["thresholds"]
    if "thresholds" in manifest and facts["task"] != "nli":
        raise SystemExit(f"{folder}: only an nli model has thresholds")
    return manifest


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Writes manifest.json of model folders.")
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--task", choices=TASKS)
    parser.add_argument("--name")
    parser.add_argument("--revision")
    parser.add_argument("--license")
    parser.add_argument("--made", help="one paragraph: from what, how, and with which data")
    parser.add_argument("--max-tokens", type=int)
    parser.add_argument("--thresholds", nargs=2, type=float, metavar=("RPL_MIN", "ADD_MAX"))
    parser.add_argument(
        "--reading-thresholds", nargs=3, type=float, metavar=tuple(name.upper() for name in READINGS)
    )
    terms = parser.add_mutually_exclusive_group()
    terms.add_argument("--commercial", dest="non_commercial", action="store_false", default=None)
    terms.add_argument("--non-commercial", dest="non_commercial", action="store_true", default=None)
    args = parser.parse_args()
    if len(args.folders) > 1 and (given_fields(args) or args.thresholds):
        parser.error("facts hold for one model: name one folder only")
    if args.thresholds and not all(0 <= value <= 1 for value in args.thresholds):
        parser.error("thresholds lie between 0 and 1")
    return args


def main() -> None:
    args = parse_arguments()
    for folder in args.folders:
        manifest = build_manifest(folder, given_fields(args), args.thresholds, args.reading_thresholds)
        text = json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"
        (folder / "manifest.json").write_text(text, encoding="utf-8")
        print(f"{folder}/manifest.json: {manifest['name']} {manifest['revision']}")


if __name__ == "__main__":
    main()
