import hashlib
import re
from pathlib import Path

import pytest

import knowact.report

ASSETS = Path(knowact.report.__file__).parent / "assets"
OWN = sorted([*ASSETS.glob("js/*.js"), *ASSETS.glob("css/*.css")])


def test_vendored_files_are_the_ones_that_the_readme_names() -> None:
    readme = (ASSETS / "vendor" / "README.md").read_text(encoding="utf-8")
    named = dict(re.findall(r"^\| (\S+\.js) \|.*\| ([0-9a-f]{64}) \|$", readme, flags=re.MULTILINE))
    found = {
        file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in (ASSETS / "vendor").glob("*.js")
    }
    assert found == named
    assert len(found) == 3
    for name in found:
        licence = ASSETS / "vendor" / f"LICENSE-{name.removesuffix('.min.js')}"
        assert "Redistribution and use" in licence.read_text(encoding="utf-8")


@pytest.mark.parametrize("file", OWN, ids=lambda file: file.name)
def test_our_own_assets_are_short_and_load_nothing(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert text.count("\n") < 400
    assert not re.search(r"https?://|@import|\burl\(|fetch\(|XMLHttpRequest|</script", text)


@pytest.mark.parametrize("file", [file for file in OWN if file.suffix == ".js"], ids=lambda file: file.name)
def test_no_script_of_ours_turns_text_into_markup_or_code(file: Path) -> None:
    banned = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|DOMParser|srcdoc"
    assert not re.search(banned, file.read_text(encoding="utf-8"))
