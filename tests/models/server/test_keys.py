"""The key for a server, which nobody sees but the server."""

from __future__ import annotations

import json
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from horsesense.errors import ServerError
from horsesense.models.server.keys import HIDDEN, Key, load_key

KEYS = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=8)


HERE = "http://localhost:8000"
ACME, BOX = "https://api.acme-ai.example/v1", "http://box.example:9000"


def value_of(key: Key) -> str:
    return key.headers.get("Authorization", "").removeprefix("Bearer ")


def test_a_key_is_read_from_the_environment() -> None:
    key = load_key(HERE, {"HORSESENSE_API_KEY": " ab/c\n"})
    assert key.headers == {"Authorization": "Bearer ab/c"}
    assert load_key(HERE, {}).headers == {}


def test_a_key_is_read_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "key"
    path.write_text("abc\n")
    for variable in ("HORSESENSE_API_KEY_FILE", "HORSESENSE_API_KEY_LOCALHOST_FILE"):
        assert value_of(load_key(HERE, {variable: str(path)})) == "abc"


@pytest.mark.parametrize("content", ["", " \n", "hush hush", "hüsh", "hush\nhush", "hush\x00"])
def test_what_is_no_key_is_refused_and_not_repeated(content: str, tmp_path: Path) -> None:
    path = tmp_path / "key"
    path.write_text(content)
    for environment in (
        {"HORSESENSE_API_KEY": content},
        {"HORSESENSE_API_KEY_FILE": str(path)},
    ):
        with pytest.raises(ServerError, match="is empty|is not a key") as refusal:
            load_key(HERE, environment)
        assert "hush" not in str(refusal.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ServerError, match=r"nowhere of HORSESENSE_API_KEY_FILE cannot be read"):
        load_key(HERE, {"HORSESENSE_API_KEY_FILE": str(tmp_path / "nowhere")})


@given(KEYS, st.sampled_from([str, json.dumps, quote, lambda key: quote(key, safe="")]))
def test_a_key_is_hidden_however_it_is_escaped(key: str, spell: Callable[[str], str]) -> None:
    spelled = spell(key)
    inner = spelled[1:-1] if spell is json.dumps else spelled
    assert Key(key).hide(f"a key: {inner}") == f"a key: {HIDDEN}"


@given(KEYS)
def test_a_key_is_hidden_if_each_character_is_escaped(key: str) -> None:
    for form in ("\\u{:04x}", "\\u{:04X}", "%{:02x}", "%{:02X}", "&#{};", "&#x{:x};"):
        spelled = "".join(form.format(ord(char)) for char in key)
        assert Key(key).hide(spelled) == HIDDEN


@given(KEYS, st.binary(max_size=5), st.binary(max_size=5), st.sampled_from([0, 1]))
def test_a_key_is_hidden_in_base64(key: str, before: bytes, after: bytes, which: int) -> None:
    encode = (b64encode, urlsafe_b64encode)[which]
    spelled = encode(before + key.encode() + after).decode()
    hidden = Key(key).hide(spelled)
    assert HIDDEN in hidden
    # What is left is of the bytes around it, and of one byte of the key at either end.
    assert len(hidden) - len(HIDDEN) <= len(encode(before)) + len(encode(after)) + 4
    assert HIDDEN.encode() in Key(key).hide_in_answer(f"a key: {spelled}".encode())


def test_a_key_is_hidden_in_capital_and_small_letters() -> None:
    for spelled in ("Hush-HUSH", "hush-hush", "HUSH%2DHUSH"):
        assert Key("Hush-Hush").hide(f"wrong key: {spelled}") == "wrong key: [key]"
        assert Key("Hush-Hush").hide_in_answer(spelled.encode()) == b"[key]"


def test_a_key_is_not_in_its_representation() -> None:
    assert repr(Key("hush-hush")) == "<key>"


def test_a_placeholder_is_left_in_answers() -> None:
    assert Key("none").hide_in_answer(b"none of them") == b"none of them"
    assert Key("hush-hush").hide_in_answer(b"so hush-hush") == b"so [key]"
    assert Key("hush-hush").hide_in_answer(b"so hush%2dhush") == b"so [key]"


def test_the_key_without_a_host_goes_to_the_first_host_only() -> None:
    environment = {"HORSESENSE_API_KEY": "for-acme"}
    assert value_of(load_key(ACME, environment)) == "for-acme"
    assert value_of(load_key(ACME.replace("/v1", ":444"), environment)) == "for-acme"
    problem = (
        "HORSESENSE_API_KEY is for api.acme-ai.example, and not sent to box.example as well; put"
        " the key for box.example into HORSESENSE_API_KEY_BOX_EXAMPLE, or"
    )
    with pytest.raises(ServerError, match=problem):
        load_key(BOX, environment)
    for url in (HERE, "http://127.0.0.1:9", "http://[::1]:9"):
        assert not load_key(url, environment)


def test_all_addresses_of_this_machine_are_one_host() -> None:
    environment = {"HORSESENSE_API_KEY": "for-me"}
    for url in (HERE, "http://127.0.0.1:9", "http://[::1]:9", "http://127.1.2.3"):
        assert value_of(load_key(url, environment)) == "for-me"
    with pytest.raises(ServerError, match="is for this machine, and not sent to box.example"):
        load_key(BOX, environment)


def test_each_host_can_have_a_key_of_its_own() -> None:
    environment = {
        "HORSESENSE_API_KEY": "plain",
        "HORSESENSE_API_KEY_API_ACME_AI_EXAMPLE": "for-acme",
        "HORSESENSE_API_KEY_BOX_EXAMPLE": "for-box",
        "HORSESENSE_API_KEY_BOX_EXAMPLE_9000": "for-9000",
        "HORSESENSE_API_KEY_127_0_0_1_8000": "",
    }
    for url, expected in (
        (ACME, "for-acme"),
        (BOX, "for-9000"),
        ("http://box.example", "for-box"),
        ("http://127.0.0.1:8000", ""),
        # The plain key is not taken yet.
        ("http://other.example", "plain"),
    ):
        assert value_of(load_key(url, environment)) == expected


def test_a_host_without_a_key_takes_none() -> None:
    assert not load_key(ACME, {})
    assert value_of(load_key(BOX, {"HORSESENSE_API_KEY": "for-box"})) == "for-box"


def test_a_host_called_file_gets_no_path_for_a_key(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("plain")
    environment = {"HORSESENSE_API_KEY_FILE": str(tmp_path / "key")}
    assert value_of(load_key("http://file", environment)) == "plain"
