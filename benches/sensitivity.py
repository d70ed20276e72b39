#!/usr/bin/env python3
"""Varies what the evidence models reckon with, and measures what becomes of the scores.

The daemon's constants stay constants. This copies the tree, turns each of them into a function that
reads ADOUBED_VARY, builds the program once, and plays the same games with half and with double.

    python3 benches/sensitivity.py --games 1000 > sensitivity.md
    python3 benches/sensitivity.py --only :SIGNAL --games 10000

It needs the toolchain, two cores and an hour; --target takes a target directory that is warm.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

# File below witness/src, and what of it is varied.
VARIED = {
    "tolerances": "SCAN SCAN_AND_LINE SCANNED GHOST ANSWER NEVER_CONFIRMED SAME_FRAME IN_THE_AIR SETTLE RELEASE CHECK_AFTER SIGNAL "
    "SIGNAL_BY_THEMSELVES BOTH_KINGS CARRY TRIP",
    "table/tolerances": "SETTLED BEFORE_MOVE BROUGHT_IN SURVEY SURVEY_IN_HAND CONFIRMED REPORTED PARKED AFTER_STOPPING",
    "tracker/tolerances": "PUT_ASIDE_MAX",
    "tracker/hearing": "DISPUTED",
    "tracker/hearing/heard": "MARGIN WRONG OWN LOST MISREPORTED SURPRISE LEFT_EMPTY NO_MOVE NO_PRESS",
    "blind/tolerances": "TOGETHER HELD_LONG CARRIED REPLIED REPLIED_TO_UNSEEN",
    "blind/lines": "MARGIN MISSED WIDTH",
    "blind/sign": "SIGN REPLACED APART",
    "blind": "EXPLAINED_MAX PRESSED_MAX",
}
# A name in words, and the model whose name contains this.
ROWS = {
    "clumsy, DGT": "clumsy hands, clean wire, DGT",
    "clumsy, no clock": "clumsy hands, clean wire, ChessLink",
    "no dumps": "0.1 % of frames harmed, no dumps, DGT",
    "kings": "kings in the centre",
    "squares only": "clumsy hands, clean wire, occupancy only",
}
# Which rows a file can have a say in.
CONCERNS = {"blind": ["squares only"], "tracker/hearing": ["no dumps"]}

SCALE = """//! How much of it is reckoned with in this trial.

use std::sync::OnceLock;
use std::time::Duration;

static VARIED: OnceLock<Option<(String, f64)>> = OnceLock::new();

fn factor(name: &str) -> f64 {
    let varied = VARIED.get_or_init(|| {
        let text = std::env::var("ADOUBED_VARY").ok()?;
        let (name, factor) = text.split_once('=')?;
        Some((name.to_owned(), factor.parse().ok()?))
    });
    varied.as_ref().filter(|it| it.0 == name).map_or(1.0, |it| it.1)
}

pub(crate) trait Scale {
    fn by(self, factor: f64) -> Self;
}

pub(crate) fn scaled<T: Scale>(name: &str, value: T) -> T {
    value.by(factor(name))
}

impl Scale for Duration {
    fn by(self, factor: f64) -> Self {
        self.mul_f64(factor)
    }
}

macro_rules! whole {
    ($($it:ty)*) => {$(
        impl Scale for $it {
            fn by(self, factor: f64) -> Self {
                (self as f64 * factor).round() as $it
            }
        }
    )*};
}

whole!(u8 u16 u32 u64 usize i32 i64);

impl<T: Scale, U> Scale for (T, U) {
    fn by(self, factor: f64) -> Self {
        (self.0.by(factor), self.1)
    }
}

impl<T: Scale, const N: usize> Scale for [T; N] {
    fn by(self, factor: f64) -> Self {
        self.map(|it| it.by(factor))
    }
}
"""

CONST = r"^(\s*)((?:pub(?:\([a-z]+\))? )?)const ({}): ([^=]+?) =\s*([^;]+);"


def loosen(source: Path) -> None:
    """Makes functions of the constants. A constant that is made of one becomes a function too."""
    texts = {path: path.read_text() for path in source.rglob("*.rs")}
    todo = [(source / f"{file}.rs", name) for file, names in VARIED.items() for name in names.split()]
    done = set()
    while todo:
        file, name = todo.pop()
        if (file, name) in done:
            continue
        done.add((file, name))
        key = f"{file.relative_to(source).with_suffix('')}:{name}"
        wanted = re.compile(CONST.format(name), re.M)
        found = wanted.search(texts[file])
        if not found:
            sys.exit(f"{key} is no constant any more: mend VARIED")
        module = file.stem
        twice = sum(1 for text in texts.values() if wanted.search(text)) > 1
        for path in texts:
            near = path == file or file.parent in path.parents and module in path.parts
            imports = re.search(rf"\b{module}::(?:\{{[^}}]*\b)?{name}\b", texts[path]) or near and path != file
            if path != file and not (imports if twice or module != "tolerances" else name in texts[path]):
                continue
            if path != file and wanted.search(texts[path]):
                continue
            lines, used = [], False
            for line in texts[path].split("\n"):
                used = used and not line.startswith("}") and ";" not in lines[-1] if lines else False
                used = used or line.startswith(("use ", "pub use ", "pub(crate) use ", "    use "))
                if not used and not line.lstrip().startswith("//") and not re.search(rf"\bconst {name}:", line):
                    line = re.sub(rf"(?<![\w:])((?:\w+::)*){name}\b(?!\()", rf"\g<1>{name}()", line)
                lines.append(line)
            texts[path] = "\n".join(lines)
            for other in re.finditer(r"^\s*(?:pub(?:\([a-z]+\))? )?const ([A-Z_]+): [^=]+ =\s*[^;]*\b" + name
                                     + r"\(\)[^;]*;", texts[path], re.M):
                todo.append((path, other.group(1)))
        made = rf'\1\2fn {name}() -> \4 {{ crate::varied::scaled("{key}", \5) }}'
        texts[file] = wanted.sub(lambda it: it.expand(made), texts[file])
    for path, text in texts.items():
        path.write_text(text)
    (source / "varied.rs").write_text(SCALE)
    library = source / "lib.rs"
    library.write_text(library.read_text() + "\n#[allow(warnings)]\nmod varied;\n")
    config = source.parent / "clippy.toml"
    config.unlink(missing_ok=True)


def build(scratch: Path, target: str | None) -> Path:
    root = Path(__file__).resolve().parent.parent
    names = subprocess.run(["git", "ls-files"], cwd=root, capture_output=True, text=True, check=True)
    for name in names.stdout.split("\n"):
        if name and (root / name).is_file() and not name.startswith("web/e2e"):
            (scratch / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / name, scratch / name)
    loosen(scratch / "witness" / "src")
    manifest = scratch / "witness" / "Cargo.toml"
    manifest.write_text(re.sub(r"\[lints\]\nworkspace = true\n?", "", manifest.read_text()))
    target = target or str(scratch / "target")
    release = [] if os.environ.get("ADOUBED_DEBUG") else ["--release"]
    done = subprocess.run(["cargo", "build", "--bin", "adoubed", *release], cwd=scratch,
                          env={**os.environ, "CARGO_TARGET_DIR": target})
    if done.returncode:
        sys.exit(f"the copy in {scratch} does not build")
    built = Path(target) / ("release" if release else "debug") / "adoubed"
    program = scratch / "varied"
    shutil.copy2(built, program)
    return program


def measure(program: Path, games: int, model: str, vary: str | None) -> str:
    env = {**os.environ, "ADOUBED_VARY": vary or ""}
    command = [program, "fidelity", "--games", str(games), "--model", model]
    out = subprocess.run(command, env=env, capture_output=True, text=True).stdout
    row = next((line for line in out.split("\n") if line.startswith("| ") and model in line), None)
    if row is None:
        return "–"
    cells = [cell.strip() for cell in row.strip("|").split("|")]
    exact, silent, accused = cells[2], cells[5], cells[13]
    return f"{exact}, {silent}, {accused}"


def rows_of(file: str) -> list[str]:
    for below, rows in CONCERNS.items():
        if file == below or file.startswith(below + "/"):
            return rows
    return list(ROWS)


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--games", type=int, default=1000)
    asked.add_argument("--only", default="", help="endings of names with their file, as lines:MARGIN, or parts of files")
    asked.add_argument("--rows", default=",".join(ROWS), help="which rows, by their names here")
    asked.add_argument("--target", help="a target directory")
    asked.add_argument("--keep", type=Path, help="where to keep the program")
    asked.add_argument("--program", type=Path, help="a program that was built so before")
    asked = asked.parse_args()
    rows = [row for row in ROWS if row in asked.rows]

    def chosen(key: str) -> bool:
        return any(key.endswith(it) or it in key.split(":")[0] for it in asked.only.split(","))

    with tempfile.TemporaryDirectory() as scratch:
        program = asked.program or build(Path(scratch), asked.target)
        if asked.keep:
            shutil.copy2(program, asked.keep)
        print(f"| {asked.games} games each: exact, silent, accused | factor | {' | '.join(rows)} |")
        print("|---" * (len(rows) + 2) + "|", flush=True)
        plain = [measure(program, asked.games, ROWS[row], None) for row in rows]
        print(f"| as it is | 1 | {' | '.join(plain)} |", flush=True)
        for file, names in VARIED.items():
            mine = [row for row in rows if row in rows_of(file)]
            for name in (it for it in names.split() if mine and chosen(f"{file}:{it}")):
                for factor in ("0.5", "2"):
                    key = f"{file}:{name}={factor}"
                    cells = [measure(program, asked.games, ROWS[row], key) if row in mine else ""
                             for row in rows]
                    cells = ["as it is" if it == was else it for it, was in zip(cells, plain)]
                    print(f"| `{name}` ({file}) | {factor} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
