"""Opens a page of a report in Chromium, uses it as a reader would, and prints what came of it.

It is run by the Python that has playwright: `visit.py PAGE CHROMIUM WORDS PARTS [FOLDER]`, where
WORDS are searched for, PARTS are what is done, such as `listed,opened`, and FOLDER is for pictures.
It prints JSON; what is right, the tests know.
"""

from __future__ import annotations

import json
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

WIDE, NARROW = {"width": 1440, "height": 950}, {"width": 380, "height": 800}
ROWS = "#body tr:not(.empty)"
_BACKGROUND = "() => getComputedStyle(document.body).backgroundColor"
_FOCUSED = "() => document.activeElement.id || document.activeElement.textContent.trim()"
# How long it takes from a search to the next frame that shows what was found, in milliseconds.
_TIMED = """(words) => new Promise((done) => {
  const search = document.getElementById("search");
  search.value = words;
  const start = performance.now();
  search.dispatchEvent(new Event("input", { bubbles: true }));
  requestAnimationFrame(() => setTimeout(() => done(performance.now() - start)));
})"""

_TOO_WIDE = """(id) => {
  const place = document.getElementById(id);
  return place.scrollWidth - place.clientWidth;
}"""
# How many parts of intervals end to the right of the card that they stand in.
_OUT_OF_CARDS = """() => [...document.querySelectorAll(".verdict")].flatMap((card) => {
  const { right } = card.getBoundingClientRect();
  const parts = [...card.querySelectorAll(".span > *")];
  return parts.filter((one) => one.getBoundingClientRect().right > right);
}).length"""


class Visit:
    """A browser with a page in it, and a list of all that went wrong."""

    def __init__(self, browser: Any, address: str, words: str, folder: Path | None) -> None:
        self.browser, self.address, self.words, self.folder = browser, address, words, folder
        self.troubles: list[str] = []
        self.requests: list[str] = []

    def open(self, size: dict[str, int] = WIDE, **settings: Any) -> Any:
        """The page in a fresh window, which remembers nothing."""
        # Nothing glides, so that nothing has to be waited for.
        still = {"viewport": size, "reduced_motion": "reduce"}
        page = self.browser.new_context(**still, **settings).new_page()
        page.on("console", lambda one: self.troubles.append(f"console {one.type}: {one.text}"))
        page.on("pageerror", lambda one: self.troubles.append(f"error: {one}"))
        page.on("dialog", self.dismiss)
        page.on("request", lambda one: self.requests.append(one.url))
        page.goto(self.address)
        if settings.get("java_script_enabled", True):
            page.wait_for_selector("#body tr", state="attached")  # large data are unpacked first
        return page

    def dismiss(self, dialog: Any) -> None:
        """Nothing on the page is to ask anything."""
        self.troubles.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def picture(self, page: Any, name: str) -> None:
        """Keep what is to be seen."""
        if self.folder is not None:
            page.screenshot(path=self.folder / f"{name}.png")


def main() -> None:
    """Visit the page that the arguments name."""
    path, chromium, words, parts, *folder = sys.argv[1:]
    with import_module("playwright.sync_api").sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        visit = Visit(browser, Path(path).as_uri(), words, Path(folder[0]) if folder else None)
        found: dict[str, Any] = {part: PARTS[part](visit) for part in parts.split(",")}
        browser.close()
    found |= {"troubles": visit.troubles, "requests": visit.requests, "address": visit.address}
    json.dump(found, sys.stdout)


def listed(visit: Visit) -> dict[str, Any]:
    """The table of problems: searched, filtered and sorted."""
    page = visit.open()
    visit.picture(page, "light")
    found: dict[str, Any] = {"title": page.title(), "tally": page.inner_text("#tally")}
    found["rows"] = page.locator(ROWS).count()
    found["milliseconds"] = page.evaluate(_TIMED, visit.words)
    found["found"] = page.locator(ROWS).count()
    found["milliseconds to all"] = page.evaluate(_TIMED, "")
    page.fill("#search", "no such words anywhere")
    found["empty"] = page.inner_text("#body")
    page.click("button[type=reset]")
    page.wait_for_selector(ROWS, state="attached")
    page.select_option("#outcome", "failed")
    found["failed"] = page.locator(ROWS).locator(".outcome").all_inner_texts()
    page.select_option("#outcome", "")
    page.select_option("#flipped", "yes")
    found["flips"] = page.locator(ROWS).locator(".c-flips").all_inner_texts()
    page.select_option("#flipped", "")
    for way in ("ascending", "descending"):
        page.click("#head-margin button")
        found[way] = page.locator(ROWS).locator(".c-margin").all_inner_texts()
        found[f"{way} said"] = page.get_attribute("#head-margin", "aria-sort")
    page.locator("#rows").scroll_into_view_if_needed()
    visit.picture(page, "problems")
    return found


def opened(visit: Visit) -> dict[str, Any]:
    """A problem that is open: its tokens, methods, perturbations and twin."""
    page = visit.open()
    rows = page.locator(ROWS)
    rows.nth(min(2, rows.count() - 1)).click()
    detail = page.locator("#detail")
    found: dict[str, Any] = {
        "text": detail.inner_text(),
        "name": detail.locator("h3 span").inner_text(),
        "headings": detail.locator("h4").all_inner_texts(),
        "why": detail.locator(".why").all_inner_texts(),
        "parts": detail.locator("> *").evaluate_all("all => all.map((one) => one.className)"),
        "tokens": detail.locator(".tokens").first.locator(".token").all_inner_texts(),
        "hash": page.evaluate("location.hash"),
    }
    page.locator("#problems").scroll_into_view_if_needed()
    visit.picture(page, "open")
    found["has run"] = page.evaluate("window.hasRun === undefined ? 'nothing' : 'a script'")
    if detail.locator(".line").count():
        detail.locator(".line").first.focus()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")
        found["readout"] = detail.locator(".readout").inner_text()
    detail.locator(".twin button").click()
    found["twin"] = detail.locator("h3 span").inner_text()
    again = page.evaluate("location.href")
    page.goto("about:blank")
    page.goto(again)
    found["linked"] = page.locator("#detail h3 span").inner_text()
    return found


def keyboard(visit: Visit) -> dict[str, Any]:
    """The page without a mouse."""
    page = visit.open()
    page.keyboard.press("Tab")
    found: dict[str, Any] = {"first": page.evaluate(_FOCUSED)}
    found["outline"] = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    page.keyboard.press("/")
    found["slash"] = page.evaluate(_FOCUSED)
    for name, key in (("down", "ArrowDown"), ("j", "j"), ("arrow", "ArrowDown"), ("k", "k")):
        page.keyboard.press(key)
        found[name] = page.evaluate(_FOCUSED)
    page.keyboard.press("Enter")
    found["entered"] = page.locator("#detail h3 span").inner_text()
    page.keyboard.press("j")
    found["next"] = page.locator("#detail h3 span").inner_text()
    page.keyboard.press("Escape")
    found["is closed"] = page.locator("#detail").is_hidden()
    found["focus after"] = page.evaluate(_FOCUSED)
    return found


def looks(visit: Visit) -> dict[str, Any]:
    """Light and dark, by the system and by the switch, and on paper."""
    page = visit.open(color_scheme="light")
    found = {"light": page.evaluate(_BACKGROUND)}
    page.emulate_media(color_scheme="dark")
    found["dark"] = page.evaluate(_BACKGROUND)
    visit.picture(page, "dark")
    page.click("text=Light")
    found["switched to light"] = page.evaluate(_BACKGROUND)
    page.reload()
    found["remembered"] = page.evaluate(_BACKGROUND)
    page.click("text=Auto")
    found["auto again"] = page.evaluate(_BACKGROUND)
    page.emulate_media(media="print", color_scheme="dark")
    found["paper"] = page.evaluate(_BACKGROUND)
    found["filters on paper"] = page.locator(".filters").is_visible()
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    found["rows on paper"] = page.locator(ROWS).count()
    found["closed on paper"] = page.locator("details:not([open])").count()
    return found


def sizes(visit: Visit) -> dict[str, Any]:
    """The page on a telephone."""
    page = visit.open(NARROW)
    visit.picture(page, "narrow")
    found = {"width": page.evaluate("document.documentElement.scrollWidth")}
    page.click(f"{ROWS} >> nth=1")
    page.wait_for_timeout(50)
    found["width with a problem"] = page.evaluate("document.documentElement.scrollWidth")
    found["detail"] = page.evaluate(
        "document.getElementById('detail').getBoundingClientRect().width"
    )
    visit.picture(page, "narrow-open")
    return found


def fitting(visit: Visit) -> dict[str, Any]:
    """By how much anything is wider than its place: the table, an open problem, cards on paper."""
    page = visit.open({"width": 1200, "height": 900})
    found = {"table": page.evaluate(_TOO_WIDE, "rows")}
    page.click(f"{ROWS} >> nth=0")
    found["detail"] = page.evaluate(_TOO_WIDE, "detail")
    visit.picture(page, "wordy")
    for width in (794, 820):
        paper = visit.open({"width": width, "height": 1000})
        paper.emulate_media(media="print")
        found[f"cards at {width}"] = paper.evaluate(_OUT_OF_CARDS)
        visit.picture(paper, f"paper-{width}")
    return found


def without_script(visit: Visit) -> dict[str, Any]:
    """What there is to read where scripts are switched off."""
    page = visit.open(java_script_enabled=False)
    return {
        "text": page.inner_text("main"),
        "tables": page.locator(".report-table").count(),
        "figures": page.locator(".drawing svg").count(),
    }


PARTS = {
    "listed": listed,
    "opened": opened,
    "keyboard": keyboard,
    "looks": looks,
    "sizes": sizes,
    "fitting": fitting,
    "without-script": without_script,
}

if __name__ == "__main__":
    main()
