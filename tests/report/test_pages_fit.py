"""Pages fit into a window: only tables scroll, each within itself."""

import re
import shutil
import subprocess

import pytest

from fitted_systems import SYSTEMS
from skcorrupt.report import write_html

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]
FLAGS += ["--disable-background-networking", "--disable-component-update", "--disable-sync"]
# a frame is as narrow as is asked for, a window is not
FRAME = """<body><iframe id="page" src="page.html" width="{width}" height="900"></iframe><script>
page.onload = () => {{ const root = page.contentDocument.documentElement;
document.body.dataset.width = root.scrollWidth + " of " + root.clientWidth; }}</script></body>"""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed"),
]


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("name", SYSTEMS)
def test_pages_do_not_overflow(tmp_path, name, width):
    write_html(SYSTEMS[name](), tmp_path / "page.html")
    (tmp_path / "frame.html").write_text(FRAME.format(width=width), encoding="utf-8")
    command = [CHROMIUM, *FLAGS, "--allow-file-access-from-files", "--virtual-time-budget=3000"]
    command += [f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom"]
    command.append((tmp_path / "frame.html").as_uri())
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    measured = re.search(r'data-width="(\d+) of (\d+)"', done.stdout)
    assert measured is not None, done.stderr
    assert int(measured[1]) <= int(measured[2])
