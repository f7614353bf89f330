"""What is wrong with a page that should stand by itself, as a reader without a browser sees it."""

import base64
import hashlib
import re
from html.parser import HTMLParser
from itertools import pairwise

VOID = {"meta", "img", "br", "link", "input", "hr", "wbr"}
LOADING = {"src", "href", "data", "action", "poster", "srcset", "background"}
FORBIDDEN = {"link", "iframe", "object", "embed", "form", "base"}


def undated(text):
    """The text of a page without the minute at which it was written, whose digits may be any."""
    return re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC", "", text)


class Page(HTMLParser):
    """Reads a page and notes its faults.

    Attributes
    ----------
    faults : list of str
        What is wrong.
    text : str
        What can be read, alternative texts left out.
    headings : list of (int, str)
        Level and text.
    images : list of dict
        Attributes of the pictures.
    """

    def __init__(self, source):
        super().__init__(convert_charrefs=True)
        self.faults, self.open, self.ids = [], [], []
        self.headings, self.images, self.parts, self.links = [], [], [], []
        self.scripts, self.policy = [], ""
        self.feed(source)
        self.close()
        if self.open:
            self.faults.append(f"never closed: {self.open}")
        if not source.startswith("<!DOCTYPE html>\n<html"):
            self.faults.append("no doctype")
        if len(set(self.ids)) < len(self.ids):
            self.faults.append("an id is there twice")
        self.faults += [f"link to nowhere: {link}" for link in set(self.links) - set(self.ids)]
        # a browser runs no script but the one of this digest
        allowed = re.findall(r"script-src ([^;]*)", self.policy)
        if allowed != [" ".join(map(_digest, self.scripts))]:
            self.faults.append(f"scripts that the policy does not name: {self.scripts}")
        levels = [level for level, _ in self.headings]
        if levels[:1] != [1] or levels.count(1) != 1:
            self.faults.append("not one h1, and that first")
        if any(b > a + 1 for a, b in pairwise(levels)):
            self.faults.append(f"a level of headings is left out: {levels}")

    @property
    def text(self):
        # a space that keeps a unit beside its number reads as any other
        return "".join(self.parts).replace("\u00a0", " ")

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        if len(given) < len(attrs):
            self.faults.append(f"attribute of {tag} is there twice")
        if tag in FORBIDDEN or any(name.startswith("on") for name in given):
            self.faults.append(f"forbidden: {tag} {attrs}")
        if tag == "script":
            self.scripts.append("")
            if given:
                self.faults.append(f"a script with attributes: {attrs}")
        if given.get("http-equiv") == "Content-Security-Policy":
            self.policy = given["content"]
        for name in LOADING & given.keys():
            value = given[name]
            if name == "href" and value.startswith("#"):
                self.links.append(value[1:])
            elif not value.startswith("data:image/png;base64,"):
                self.faults.append(f"loads {value[:80]!r}")
        if "id" in given:
            self.ids.append(given["id"])
        if tag == "html" and given.get("lang") != "en":
            self.faults.append("no lang")
        if tag == "th" and given.get("scope") not in ("row", "col"):
            self.faults.append("a th without scope")
        if tag == "img":
            self.images.append(given)
            if not given.get("alt", "").strip():
                self.faults.append("an img without alt")
        if tag in ("h1", "h2", "h3", "h4"):
            self.headings.append((int(tag[1]), ""))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open[-1] != tag:
            self.faults.append(f"</{tag}> closes {self.open[-1:]}")
        else:
            self.open.pop()

    def handle_data(self, data):
        if "style" in self.open:
            if "url(" in data or "@import" in data:
                self.faults.append("the style loads something")
            return
        if "script" in self.open:
            self.scripts[-1] += data
            if re.search(r"fetch|XMLHttp|import|eval|innerHTML|src", data):
                self.faults.append("the script loads something, or makes HTML of text")
            return
        self.parts.append(data)
        if self.open and self.open[-1] in ("h1", "h2", "h3", "h4"):
            level, text = self.headings[-1]
            self.headings[-1] = (level, text + data)


def _digest(script):
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return f"'sha256-{digest}'"
