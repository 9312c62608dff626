"""Build these pages as a searchable site in build/site/html, with the catalogue of the shop."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
SETTINGS = """\
[project]
site_name = "brimgen"
docs_dir = "pages"
site_dir = "html"
use_directory_urls = false
"""


def stage(pages: Path) -> None:
    """Copy the pages, and what they link to, so that links between them lead to the same places."""
    for name in ("docs", "specs", "templates"):
        shutil.copytree(ROOT / name, pages / name)
    for file in (*ROOT.glob("*.md"), ROOT / "LICENSE"):
        shutil.copy(file, pages)
    for page in pages.rglob("*.md"):
        text = page.read_text("utf-8")
        # The site's Markdown knows no second word behind the language of a block.
        page.write_text(re.sub(r"^```(\w+) .*", r"```\1", text, flags=re.M), "utf-8")


def main() -> None:
    folder = ROOT / "build" / "site"
    shutil.rmtree(folder, ignore_errors=True)
    stage(folder / "pages")
    made = folder / "out"
    command = ["generate", "--target", "catalogue", "--out", str(made)]
    subprocess.run([sys.executable, "-m", "brimgen", *command], cwd=ROOT, check=True)
    [catalogue] = made.rglob("*.html")
    shutil.copy(catalogue, folder / "pages" / "docs" / "shop.html")
    (folder / "site.toml").write_text(SETTINGS, "utf-8")
    site = [sys.executable, "-m", "zensical", "build", "--strict"]
    subprocess.run([*site, "-f", "site.toml"], cwd=folder, check=True)


if __name__ == "__main__":
    main()
