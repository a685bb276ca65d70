"""Make the report pages of docs/gallery.md, and take their pictures; `make gallery` runs it.

    python docs/gallery.py --browser PYTHON [--pages FOLDER]

The pages take as long as the runs do, some minutes with an empty FOLDER. PYTHON has playwright, and
Chromium is on the path.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

DOCS = Path(__file__).parent
PICTURES = DOCS / "images" / "gallery"
LOG = DOCS / "tutorials" / "smollm2-135m"
LARGEST = 300_000  # bytes of a picture

# Each picture with its page, and the command that writes the page.
PAGES = {
    "default": ("default/report.html", ["run", "--output", "default"]),
    "check": ("checked.html", ["check", str(LOG), "--force", "--output", "checked.html"]),
    "two-models": (
        "compared/report.html",
        ["run", "--model", "smollm2-135m", "--model", "four-bits", "--data", "hs-adversarial"]
        + ["--limit", "60", "--perturb", "by-key", "--output", "compared"],
    ),
}

SHOOT = """
import sys
from playwright.sync_api import sync_playwright

page_file, chromium, picture = sys.argv[1:]
with sync_playwright() as playwright:
    browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
    page = browser.new_context(
        viewport={"width": 1180, "height": 900}, color_scheme="light", reduced_motion="reduce"
    ).new_page()
    page.goto("file://" + page_file)
    page.wait_for_timeout(500)
    page.screenshot(path=picture)
    browser.close()
"""


def write_four_bits(folder: Path) -> None:
    """Write a copy of the embedded default whose weights are rounded to four bits, 64 at a time."""
    from safetensors.torch import load_file, save_file

    cache = os.environ.get("HORSESENSE_CACHE") or str(Path.home() / ".cache" / "horsesense")
    shutil.copytree(Path(cache, "models", "smollm2-135m"), folder)
    weights = load_file(folder / "model.safetensors")
    for name, weight in weights.items():
        if weight.ndim == 2 and "embed" not in name:
            groups = weight.float().reshape(-1, 64)
            step = groups.abs().amax(1, keepdim=True).clamp(min=1e-9) / 7
            weights[name] = ((groups / step).round() * step).reshape(weight.shape).to(weight.dtype)
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})


def main() -> None:
    """Run the commands, and take a picture of each page."""
    parser = argparse.ArgumentParser(description="renew the pictures in docs/images/gallery/")
    parser.add_argument("--browser", required=True, help="a Python with playwright")
    parser.add_argument("--pages", type=Path, help="folder for the pages, used again next time")
    options = parser.parse_args()
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        sys.exit("there is no Chromium on the path: install the package chromium")
    with ExitStack() as stack:
        folder = options.pages or Path(stack.enter_context(TemporaryDirectory()))
        folder.mkdir(parents=True, exist_ok=True)
        own = {"HORSESENSE_STORE": str((folder / "horsesense.db").resolve())}
        PICTURES.mkdir(exist_ok=True)
        if not (folder / "four-bits").exists():
            write_four_bits(folder / "four-bits")
        for name, (page, command) in PAGES.items():
            subprocess.run(
                ["horsesense", *command], cwd=folder, env=os.environ | own, check=True,
                stdout=subprocess.DEVNULL,
            )  # fmt: skip
            picture = PICTURES / f"{name}.png"
            place = str((folder / page).resolve())
            shoot = [options.browser, "-c", SHOOT, place, chromium, str(picture)]
            subprocess.run(shoot, check=True)
            size = picture.stat().st_size
            print(f"{picture.relative_to(DOCS)}: {size:,} bytes")
            if size > LARGEST:
                sys.exit(f"{picture} is larger than {LARGEST:,} bytes")


if __name__ == "__main__":
    main()
