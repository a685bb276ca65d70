from pathlib import Path

import pytest

from docs import sessions


def document(folder: Path, text: str) -> Path:
    path = folder / "guide.md"
    path.write_text(text, encoding="utf-8")
    return path


def console(*lines: str) -> str:
    return "\n".join(["```console", *lines, "```", ""])


def checked(folder: Path, text: str) -> bool:
    return sessions.main(["--check", str(document(folder, text))]) == 0


def written(folder: Path, text: str) -> str:
    path = document(folder, text)
    assert sessions.main(["--write", str(path)]) == 0
    return path.read_text(encoding="utf-8")


def test_a_true_session_passes(tmp_path: Path) -> None:
    assert checked(tmp_path, console("$ echo one; echo two", "one", "two", "$ echo three", "three"))


@pytest.mark.parametrize(
    ("documented", "is_true"),
    [("1.234", True), ("1.236", True), ("1.238", False), ("2.234", False)],
)
def test_rounded_numbers_may_be_off_in_their_last_place(
    tmp_path: Path, documented: str, is_true: bool
) -> None:
    text = console("$ echo it costs 1.234 in all", f"it costs {documented} in all")
    assert checked(tmp_path, text.replace("console", "console rounded")) is is_true
    assert checked(tmp_path, text) is (documented == "1.234")


def test_drift_is_shown_as_a_diff_with_its_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert not checked(tmp_path, "A guide.\n\n" + console("$ echo new", "old"))
    printed = capsys.readouterr().out
    assert "guide.md:5 as run" in printed
    assert "-old\n+new\n" in printed


def test_every_document_is_checked_though_the_first_is_wrong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(document(tmp_path, console("$ echo new", "old")))
    assert sessions.main(["--check", path, path]) == 1
    assert capsys.readouterr().out.count("-old\n+new\n") == 2


@pytest.mark.parametrize("lines", [["one", "two", "three"], ["one"], []])
def test_lines_too_many_or_too_few_are_drift(tmp_path: Path, lines: list[str]) -> None:
    assert not checked(tmp_path, console("$ echo one; echo two", *lines))


def test_a_failure_needs_its_exit_status(tmp_path: Path) -> None:
    assert checked(tmp_path, console("$ echo oh; (exit 3)", "oh", "[exit status 3]"))
    assert not checked(tmp_path, console("$ echo oh; (exit 3)", "oh"))


def test_a_success_has_no_exit_status(tmp_path: Path) -> None:
    assert not checked(tmp_path, console("$ true", "[exit status 0]"))


def test_errors_are_printed_in_their_place(tmp_path: Path) -> None:
    command = "$ python -c 'import sys; print(1); print(2, file=sys.stderr); print(3)'"
    assert checked(tmp_path, console(command, "1", "2", "3"))


def test_a_command_that_bash_cannot_parse_fails_alone(tmp_path: Path) -> None:
    assert checked(tmp_path, console("$ echo (", "…", "…", "[exit status …]", "$ echo on", "on"))


def test_a_file_block_is_there_for_the_commands_below_it(tmp_path: Path) -> None:
    before = console("$ cat data/it.txt 2>&- || echo none", "none")
    file = "```text file=data/it.txt\nit's  \n\n  'quoted' $HOME\n```\n"
    after = console("$ sed 's/$/|/' data/it.txt", "it's  |", "|", "  'quoted' $HOME|")
    assert checked(tmp_path, before + file + after)


def test_a_file_beside_the_document_is_copied_for_the_commands_below_it(tmp_path: Path) -> None:
    (tmp_path / "sails.txt").write_text("mainsail\n" * 20_000)
    text = "<!-- file=sails.txt -->\n" + console("$ uniq -c sails.txt | tr -d ' '", "20000mainsail")
    assert checked(tmp_path, text)
    with pytest.raises(SystemExit, match=r"guide.md: line 1: there is no file .*sails.txt"):
        (tmp_path / "sails.txt").unlink()
        checked(tmp_path, text)


def test_other_blocks_are_left_alone(tmp_path: Path) -> None:
    assert checked(tmp_path, "```text\n$ echo 1\n2\n```\n````md\n" + console("$ false") + "````\n")


def test_an_ellipsis_stands_for_any_text_in_its_line(tmp_path: Path) -> None:
    assert checked(tmp_path, console("$ echo 'took 0.3 s (fast)'", "took … s (…)"))
    assert not checked(tmp_path, console("$ echo 'took 0.3 ms'", "took … s"))
    assert not checked(tmp_path, console("$ echo took; echo 1 s", "took … s"))


def test_the_commands_of_a_document_share_a_shell(tmp_path: Path) -> None:
    first = console("$ mkdir here && cd here && export WHO=me")
    assert checked(tmp_path, first + console("$ echo $WHO in ${PWD##*/}", "me in here"))


def test_a_backslash_continues_a_command(tmp_path: Path) -> None:
    assert checked(tmp_path, console("$ echo one \\", "    two", "one two"))


def test_the_folder_is_empty_and_the_caller_stays_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HORSESENSE_STORE", "mine.db")
    monkeypatch.setenv("HOME", str(tmp_path))
    leaks = f'$ [ "$HOME" != {tmp_path} ] && echo $(ls -A)${{HORSESENSE_STORE}} $COLUMNS'
    assert checked(tmp_path, console(leaks, "horsesense.db 100"))


def test_a_block_in_a_list_keeps_its_indent(tmp_path: Path) -> None:
    text = "1. First\n\n   ```console\n   $ echo new\n   old\n   ```\n\n2. Second\n"
    assert written(tmp_path, text) == text.replace("old", "new")


def test_writing_changes_what_is_printed_and_nothing_else(tmp_path: Path) -> None:
    text = "Before\n\n{}\nbetween  \n\n{}\nafter"
    old = text.format(console("$ echo a", "$ echo b", "c", "c"), console("$ (exit 2)"))
    new = text.format(
        console("$ echo a", "a", "$ echo b", "b"), console("$ (exit 2)", "[exit status 2]")
    )
    assert written(tmp_path, old) == new
    assert checked(tmp_path, new)


def test_writing_leaves_a_true_document_as_it_is(tmp_path: Path) -> None:
    text = console("$ date", "…", "$ printf 'no newline'", "no newline") + "\nend\n"
    assert written(tmp_path, text) == text


@pytest.mark.parametrize(
    ("expected", "actual", "kept"),
    [
        (["a", "… s", "b"], ["A", "1 s", "B"], ("A", "… s", "B")),
        (["a", "… s", "b"], ["a", "new", "1 s", "b"], ("a", "new", "… s", "b")),
        (["a", "gone", "… s", "b"], ["a", "1 s", "b"], ("a", "… s", "b")),
        (["… s"], ["1 ms"], ("1 ms",)),
    ],
)
def test_writing_keeps_the_placeholders_that_still_match(
    expected: list[str], actual: list[str], kept: tuple[str, ...]
) -> None:
    assert sessions.keep_placeholders(expected, actual, sessions.matches) == kept


def test_a_console_block_begins_with_a_command(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="guide.md: line 2: a console block begins with"):
        checked(tmp_path, console("output", "$ echo output"))


def test_a_command_that_ends_the_shell_is_named(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="guide.md: the session ends early, at 'exit 0'"):
        checked(tmp_path, console("$ exit 0", "$ echo on", "on"))
