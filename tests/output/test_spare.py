"""Spares: what is made of one is what would be made without; nobody else's work is lost in one."""

from __future__ import annotations

import errno
import os
import random
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from brimgen.output import carry, exchange, spare, trees
from brimgen.output.carry import Begun
from brimgen.output.paths import MANIFEST_NAME
from brimgen.output.plan import Output, Plan
from brimgen.output.retreat import Retreat
from brimgen.output.stage import staging
from brimgen.output.twins import TWINS_NAME, Seen, Twins
from brimgen.output.write import write
from support.output import everything, generate, outputs, plan_of, tree

FIRST = {f"python/tools/t{n}.py": f"first {n}\n" for n in range(6)} | {"a.json": "1\n"}
SECOND = {**FIRST, "python/tools/t0.py": "second 0\n", "a.json": "2\n"}
REPLACED = {"python/tools/t0.py", "a.json"}
THIRD = {**SECOND, "python/tools/t1.py": "third 1\n"}


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own; the small trees of these tests are worth a spare."""
    monkeypatch.setenv("BRIMGEN_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(spare, "MANY", 0)
    return tmp_path / "cache"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """An output folder of which there is a spare: the second tree is in place, the first kept."""
    root = tmp_path / "work" / "out"
    generate(root, FIRST)
    generate(root, SECOND)
    (folder,) = kept(tmp_path / "cache")
    assert FIRST == files(folder)
    return root


def kept(cache: Path) -> list[Path]:
    return sorted((cache / "spares").glob("*"))


def files(spare: Path) -> dict[str, str]:
    """What a spare has of the output folder: what is known of it lies beside."""
    found = [each for each in spare.rglob("*") if each.is_file()]
    return {
        each.relative_to(spare).as_posix(): each.read_text()
        for each in found
        if each.name not in (MANIFEST_NAME, TWINS_NAME)
    }


def linked_by(run: Callable[[], object]) -> list[str]:
    """The names that a run links."""
    names: list[str] = []
    real = os.link

    def link(source: Any, target: Any, **given: Any) -> None:
        names.append(target)
        real(source, target, **given)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "link", link)
        run()
    return sorted(names)


def test_only_what_differs_is_linked(root: Path) -> None:
    assert ["a.json", "t0.py"] == linked_by(lambda: generate(root, THIRD))
    assert THIRD == tree(root)
    assert ["out"] == os.listdir(root.parent)


def test_a_file_that_stays_is_not_touched(root: Path) -> None:
    before = (root / "python/tools/t5.py").stat()
    generate(root, THIRD)
    after = (root / "python/tools/t5.py").stat()
    assert before == after


def carried_by(run: Callable[[], object]) -> list[str]:
    """The folders that a run lists."""
    folders: list[str] = []
    real = carry._Work.carry_all

    def carry_all(work: carry._Work, folder: str) -> Seen:
        folders.append(folder)
        return real(work, folder)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(carry._Work, "carry_all", carry_all)
        run()
    return sorted(folders)


def test_folders_that_nobody_changed_are_not_listed(root: Path) -> None:
    generate(root, THIRD)
    assert [""] == carried_by(lambda: generate(root, FIRST))
    assert [""] == carried_by(lambda: generate(root, SECOND))
    assert SECOND == tree(root)


def replace_beside(folder: Path) -> None:
    (folder / "beside").write_text("other\n")
    (folder / "beside").replace(folder / "mine.py")


def remove_one(folder: Path) -> None:
    (folder / "mine.py").unlink()


def add_one(folder: Path) -> None:
    (folder / "more.py").write_text("more\n")


def add_folder(folder: Path) -> None:
    (folder / "more").mkdir()


@pytest.mark.parametrize("change", [replace_beside, remove_one, add_one, add_folder])
def test_a_folder_that_somebody_changed_is_listed_though_its_time_is_set_back(
    root: Path, change: Callable[[Path], None]
) -> None:
    tools = root / "python/tools"
    (tools / "mine.py").write_text("mine\n")
    generate(root, THIRD)
    generate(root, SECOND)
    before = tools.stat()
    change(tools)
    os.utime(tools, ns=(before.st_atime_ns, before.st_mtime_ns))
    theirs = {path: text for path, text in tree(root).items() if path not in SECOND}
    assert "python/tools" in carried_by(lambda: generate(root, THIRD))
    assert {**THIRD, **theirs} == tree(root)


def test_what_is_known_of_folders_is_of_no_use_after_another_run(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that writes in its own way, as an action does."""
    with monkeypatch.context() as patch:
        patch.setattr(spare, "MANY", 10**9)
        generate(root, THIRD)
    assert {"", "python", "python/tools"} == {
        *carried_by(lambda: generate(root, SECOND))
    }
    assert SECOND == tree(root)


@pytest.mark.parametrize("place", range(0, 400, 7))
def test_damaged_knowledge_is_none(root: Path, cache: Path, place: int) -> None:
    (folder,) = kept(cache)
    known = bytearray((folder / TWINS_NAME).read_bytes())
    known[place % len(known)] ^= 0xFF
    (folder / TWINS_NAME).write_bytes(known)
    generate(root, THIRD)
    assert THIRD == tree(root)


def test_what_was_edited_by_hand_and_replaced_is_in_no_spare(
    root: Path, cache: Path
) -> None:
    (root / "python/tools/t2.py").write_text("by hand\n")
    (root / "python/mine.py").write_text("mine\n")
    generate(root, {**THIRD, "python/mine.py": "ours\n"}, force=True)
    (folder,) = kept(cache)
    assert FIRST.keys() - {"python/tools/t2.py"} == files(folder).keys()


def test_a_spare_takes_no_room_for_files(root: Path, cache: Path) -> None:
    (folder,) = kept(cache)
    for path in files(folder).keys() - REPLACED:
        assert (folder / path).samefile(root / path)


def test_what_is_told_of_files_is_how_they_are(root: Path) -> None:
    plan, _ = plan_of(root, THIRD)
    with staging(root) as stage:
        written = write(plan, stage)
    moved = {"a.json", "manifest.json", "python/tools/t0.py", "python/tools/t1.py"}
    now = {path: (root / path).lstat().st_ctime_ns for path in moved}
    assert now == written.times
    assert (True, None) == (written.is_exact, written.links)


def saved_in(folder: Path) -> None:
    (folder / "python/tools/mine.py").write_text("mine\n")


def test_what_somebody_saved_in_a_spare_comes_into_the_folder(
    root: Path, cache: Path
) -> None:
    """As a shell does that stands in the output folder while a run exchanges it."""
    (folder,) = kept(cache)
    time.sleep(0.02)
    saved_in(folder)
    (folder / "more/deep").mkdir(parents=True)
    (folder / "more/deep/x.txt").write_text("x\n")
    generate(root, THIRD)
    mine = {"python/tools/mine.py": "mine\n", "more/deep/x.txt": "x\n"}
    assert {**THIRD, **mine} == tree(root)
    assert not folder.exists()
    generate(root, FIRST)
    assert {**FIRST, **mine} == tree(root)


def test_what_somebody_saved_is_kept_where_something_has_its_name(
    root: Path, cache: Path
) -> None:
    (folder,) = kept(cache)
    time.sleep(0.02)
    (folder / "beside").write_text("edited\n")
    (folder / "beside").replace(folder / "python/tools/t5.py")
    generate(root, THIRD)
    generate(root, FIRST)
    assert FIRST == tree(root)
    assert "edited\n" == (folder / "python/tools/t5.py").read_text()


@pytest.fixture
def stuck(root: Path, cache: Path) -> Path:
    """A spare in which a file stays that has the name of another in the output folder."""
    (folder,) = kept(cache)
    time.sleep(0.02)
    (folder / "beside").write_text("edited\n")
    (folder / "beside").replace(folder / "python/tools/t5.py")
    generate(root, THIRD)
    return folder


def test_of_what_is_ours_nothing_stays_with_it(stuck: Path) -> None:
    assert {"python/tools/t5.py": "edited\n"} == files(stuck)


def test_what_is_saved_in_two_spares_comes_into_the_folder(
    stuck: Path, root: Path, cache: Path
) -> None:
    """Also where the last of them is as it was left."""
    saved_in(stuck)
    generate(root, FIRST)
    assert {**FIRST, "python/tools/mine.py": "mine\n"} == tree(root)
    time.sleep(0.02)
    new = max(kept(cache), key=lambda each: each.name.rpartition("-")[2])
    (stuck / "old.txt").write_text("old\n")
    (new / "new.txt").write_text("new\n")
    generate(root, SECOND)
    mine = {"old.txt": "old\n", "new.txt": "new\n"}
    assert {**SECOND, "python/tools/mine.py": "mine\n", **mine} == tree(root)


def test_a_file_of_ours_that_is_gone_does_not_come_back_from_a_spare(
    root: Path, cache: Path
) -> None:
    (folder,) = kept(cache)
    time.sleep(0.02)
    saved_in(folder)
    (root / "python/tools/t5.py").unlink()
    fewer = {path: text for path, text in THIRD.items() if "t5" not in path}
    generate(root, fewer)
    assert {**fewer, "python/tools/mine.py": "mine\n"} == tree(root)


def test_what_was_saved_is_kept_where_a_new_file_gets_its_name(
    root: Path, cache: Path
) -> None:
    (folder,) = kept(cache)
    time.sleep(0.02)
    (folder / "python/tools/t9.py").write_text("mine\n")
    generate(root, {**THIRD, "python/tools/t9.py": "nine\n"})
    assert {**THIRD, "python/tools/t9.py": "nine\n"} == tree(root)
    assert {"python/tools/t9.py": "mine\n"} == files(folder)


def test_two_names_of_a_saved_file_come_into_the_folder(
    root: Path, cache: Path
) -> None:
    (folder,) = kept(cache)
    time.sleep(0.02)
    saved_in(folder)
    os.link(folder / "python/tools/mine.py", folder / "again.py")
    generate(root, THIRD)
    mine = {"python/tools/mine.py": "mine\n", "again.py": "mine\n"}
    assert {**THIRD, **mine} == tree(root)


def test_a_cache_that_the_output_folder_has_too_keeps_no_spare(
    root: Path, cache: Path
) -> None:
    (folder,) = kept(cache)
    time.sleep(0.02)
    for each in (root, folder):
        (each / "python/__pycache__").mkdir()
        (each / "python/__pycache__/t.pyc").write_text(each.name)
    generate(root, THIRD)
    assert {**THIRD, "python/__pycache__/t.pyc": "out"} == tree(root)
    assert not folder.exists()


def test_what_a_run_that_died_was_removing_is_removed(root: Path, cache: Path) -> None:
    (folder,) = kept(cache)
    left = folder.rename(folder.with_name("removed-1"))
    generate(root, THIRD)
    assert not left.exists()


def test_room_is_not_made_of_what_somebody_saved(
    root: Path, cache: Path, tmp_path: Path
) -> None:
    (folder,) = kept(cache)
    time.sleep(0.02)
    saved_in(folder)
    for number in range(spare.MOST_SPARES + 2):
        generate(tmp_path / f"{number}" / "out", FIRST)
        generate(tmp_path / f"{number}" / "out", SECOND)
    assert "mine\n" == (folder / "python/tools/mine.py").read_text()


def test_files_of_others_are_not_in_a_spare(root: Path, cache: Path) -> None:
    (root / "python/secret.txt").write_text("secret\n")
    generate(root, THIRD)
    generate(root, SECOND)
    (folder,) = kept(cache)
    assert files(folder).keys() == THIRD.keys()
    assert 1 == (root / "python/secret.txt").stat().st_nlink


@pytest.mark.parametrize(
    "spoil",
    [
        lambda cache: cache.chmod(0o777),
        lambda cache: (cache / "spares").chmod(0o777),
        lambda cache: shutil.rmtree(cache),
        lambda cache: (cache / "spares").rename(cache / "moved"),
    ],
)
def test_a_cache_that_is_not_the_users_alone_is_not_used(
    root: Path, cache: Path, spoil: Callable[[Path], None]
) -> None:
    spoil(cache)
    stays = sorted(set(SECOND) - {"python/tools/t1.py"})
    names = linked_by(lambda: generate(root, THIRD))
    assert sorted(Path(each).name for each in stays) == names
    assert THIRD == tree(root)


def test_spares_behind_a_link_are_not_used(root: Path, cache: Path) -> None:
    (cache / "spares").rename(cache / "elsewhere")
    (cache / "spares").symlink_to("elsewhere")
    assert len(SECOND) - 1 == len(linked_by(lambda: generate(root, THIRD)))
    assert THIRD == tree(root)


def test_without_a_cache_there_is_none(
    root: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BRIMGEN_CACHE", "")
    before = kept(cache)
    generate(root, THIRD)
    assert THIRD == tree(root)
    assert before == kept(cache)


def test_another_file_system_has_none(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(source: Any, target: Any) -> None:
        if "spares" in f"{source} {target}":
            raise OSError(errno.EXDEV, "another file system")
        real(source, target)

    real = os.rename
    monkeypatch.setattr(os, "rename", refuse)
    generate(root, THIRD)
    assert THIRD == tree(root)
    assert ["out"] == os.listdir(root.parent)


def test_a_run_that_changes_much_removes_it(
    root: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spare, "FEW", 1)
    generate(root, THIRD)
    assert THIRD == tree(root)
    assert [] == kept(cache)


def test_few_are_kept(tmp_path: Path, cache: Path) -> None:
    roots = [tmp_path / f"{number}" / "out" for number in range(spare.MOST_SPARES + 2)]
    for each in roots:
        generate(each, FIRST)
        generate(each, SECOND)
    assert spare.MOST_SPARES == len(kept(cache))
    for each in roots:
        generate(each, THIRD)
        assert THIRD == tree(each)


@pytest.mark.parametrize(("name", "most"), [("FEW", 1), ("MOST_SPARES", 0)])
def test_a_spare_that_is_being_removed_cannot_be_claimed(
    root: Path, cache: Path, monkeypatch: pytest.MonkeyPatch, name: str, most: int
) -> None:
    """By a run of another process, which would miss the files that are gone already."""
    claims: list[object] = []
    plan, _ = plan_of(root, THIRD)
    real = spare.remove_tree

    def removing(tree: Path) -> None:
        claims.append(spare.claimed(plan, root.parent / "claimed"))
        real(tree)

    monkeypatch.setattr(spare, "remove_tree", removing)
    monkeypatch.setattr(spare, name, most)
    other = root if name == "FEW" else root.with_name("other")
    generate(other, {**FIRST, "b.json": "1\n"})
    generate(other, SECOND)
    assert [None] == claims
    assert [] == [each for each in kept(cache) if each.name.startswith("removed-")]


def test_a_swap_that_is_refused_leads_to_the_journal(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(stage: Path, root: Path) -> None:
        raise OSError(errno.EBUSY, "busy")

    monkeypatch.setattr(exchange, "_swap", busy)
    plan, _ = plan_of(root, THIRD)
    with staging(root) as stage:
        written = write(plan, stage)
    assert not written.is_exact
    assert THIRD == tree(root)
    assert ["out"] == os.listdir(root.parent)


def test_a_file_saved_while_the_new_tree_was_built_is_taken_over(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "notes.txt").write_text("first")
    real = exchange._swap

    def saving(stage: Path, root: Path) -> None:
        (root / "python/late.txt").write_text("late")
        (root / "notes.part").write_text("second")
        (root / "notes.part").replace(root / "notes.txt")
        real(stage, root)

    monkeypatch.setattr(exchange, "_swap", saving)
    generate(root, THIRD)
    monkeypatch.undo()
    assert {**THIRD, "python/late.txt": "late", "notes.txt": "second"} == tree(root)


def other_file(folder: Path) -> None:
    (folder / "python/tools/t3.py").unlink()
    (folder / "python/tools/t3.py").write_text("other\n")


def folder_for_file(folder: Path) -> None:
    (folder / "python/tools/t3.py").unlink()
    (folder / "python/tools/t3.py").mkdir()
    (folder / "python/tools/t3.py/x").write_text("")


def file_for_folder(folder: Path) -> None:
    shutil.rmtree(folder / "python")
    (folder / "python").write_text("")


def link_for_folder(folder: Path) -> None:
    shutil.rmtree(folder / "python/tools")
    (folder / "python/tools").symlink_to("/")


def more_folders(folder: Path) -> None:
    (folder / "deep/er").mkdir(parents=True)
    (folder / "deep/er/x.txt").write_text("")


def no_files(folder: Path) -> None:
    shutil.rmtree(folder / "python")


@pytest.mark.parametrize(
    "damage",
    [
        other_file,
        folder_for_file,
        file_for_folder,
        link_for_folder,
        no_files,
    ],
)
def test_whatever_is_in_a_spare_the_new_tree_is_right(
    root: Path, cache: Path, damage: Callable[[Path], None]
) -> None:
    (folder,) = kept(cache)
    damage(folder)
    for each, _, _ in os.walk(folder):
        os.utime(each, ns=(0, 0))  # as if nobody had been there
    generate(root, THIRD)
    assert THIRD == tree(root)
    assert ["out"] == os.listdir(root.parent)


@pytest.mark.parametrize(
    ("save", "mine"),
    [
        (more_folders, {"deep/er/x.txt": ""}),
        (saved_in, {"python/tools/mine.py": "mine\n"}),
    ],
)
def test_what_was_saved_as_soon_as_the_run_was_over_is_not_lost(
    root: Path, cache: Path, save: Callable[[Path], None], mine: dict[str, str]
) -> None:
    """Within a tick of the clock: no time of a folder tells it."""
    (folder,) = kept(cache)
    save(folder)
    for each, _, _ in os.walk(folder):
        os.utime(each, ns=(0, 0))
    generate(root, THIRD)
    assert {**THIRD, **mine} == tree(root)
    assert ["out"] == os.listdir(root.parent)


def test_a_folder_that_cannot_be_removed_from_a_spare_is_not_in_the_new_tree(
    root: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder,) = kept(cache)
    (folder / "deep/er").mkdir(parents=True)
    for each, _, _ in os.walk(folder):
        os.utime(each, ns=(0, 0))
    monkeypatch.setattr(carry, "remove_tree", lambda tree: None)
    generate(root, THIRD)
    assert THIRD == tree(root)
    assert not (root / "deep").exists()


def test_modes_are_kept(root: Path) -> None:
    (root / "python").chmod(0o700)
    (root / "a.json").chmod(0o600)
    generate(root, THIRD)
    assert 0o700 == (root / "python").stat().st_mode & 0o777
    assert 0o600 == (root / "a.json").stat().st_mode & 0o777


class Hand:
    """Does to two folders what people and programs do to an output folder."""

    def __init__(self, seed: int, roots: tuple[Path, Path]) -> None:
        self.chance, self._roots = random.Random(seed), roots
        self._files = dict(FIRST)

    def generate(self) -> None:
        for name in self.chance.sample(sorted(self._files), 2):
            self._files[name] = f"{self.chance.random()}\n"
        if self.chance.random() < 0.3:
            self._files.pop(self.chance.choice(sorted(self._files)))
        if self.chance.random() < 0.4 or len(self._files) < 3:
            folder = self.chance.choice(["sql", "python/tools", "deep/er"])
            self._files[f"{folder}/n{self.chance.randrange(9)}.x"] = "new\n"
        for number, root in enumerate(self._roots):
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(spare, "MANY", 0 if number else 10**9)
                generate(root, self._files, force=True)

    def meddle(self) -> None:
        step = self.chance.choice(
            [self.write, self.replace, self.remove, self.rename, self.fold, self.link]
        )
        name = self.chance.choice(sorted(tree(self._roots[0])))
        other = f"python/f{self.chance.randrange(5)}.txt"
        for root in self._roots:
            (root / "python").mkdir(exist_ok=True)
            step(root / name, root / other)

    def write(self, file: Path, other: Path) -> None:
        file.write_text("by hand\n")
        other.write_text("mine\n")

    def replace(self, file: Path, other: Path) -> None:
        beside = file.with_name("beside")
        beside.write_text("replaced\n")
        beside.replace(other)

    def remove(self, file: Path, other: Path) -> None:
        file.unlink()

    def rename(self, file: Path, other: Path) -> None:
        file.replace(other)

    def fold(self, file: Path, other: Path) -> None:
        folder = other.with_suffix("") / "more"
        shutil.rmtree(folder.parent, ignore_errors=True)
        folder.mkdir(parents=True)
        (folder / "x").write_text("x\n")

    def link(self, file: Path, other: Path) -> None:
        if file != other:
            other.unlink(missing_ok=True)
            os.link(file, other)


def shapes(root: Path) -> list[tuple[str, int]]:
    """All folders and files with their permissions."""
    return sorted(
        (each.relative_to(root).as_posix(), each.lstat().st_mode)
        for each in root.rglob("*")
    )


@pytest.mark.parametrize("seed", range(6))
def test_whatever_is_done_to_the_folder_both_ways_lead_to_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    plain, spared = roots = tmp_path / "plain" / "out", tmp_path / "spared" / "out"
    hand = Hand(seed, roots)
    answers: list[bool] = []
    real = Twins.is_twin

    def is_twin(twins: Twins, *folders: Any) -> bool:
        answers.append(real(twins, *folders))
        return answers[-1]

    monkeypatch.setattr(Twins, "is_twin", is_twin)
    for _ in range(40):
        hand.generate()
        assert everything(plain) == everything(spared)
        assert shapes(plain) == shapes(spared)
        for _ in range(hand.chance.randrange(3)):
            hand.meddle()
    assert {True, False} == {*answers}


def test_a_file_that_was_edited_and_removed_does_not_come_back(root: Path) -> None:
    """The edit is in the spare, too, which has another link to the file."""
    with (root / "python/tools/t5.py").open("a") as stream:
        stream.write("by hand\n")
    (root / "python/tools/t5.py").unlink()
    fewer = {path: text for path, text in THIRD.items() if "t5" not in path}
    generate(root, fewer)
    assert fewer == tree(root)


def test_nothing_comes_from_the_spare_of_a_folder_that_was_moved_away(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (root / "python/tools/t5.py").open("a") as stream:
        stream.write("by hand\n")
    root.parent.rename(root.parent.with_name("moved"))
    fewer = {path: text for path, text in SECOND.items() if "t5" not in path}
    with monkeypatch.context() as patch:
        patch.setenv("BRIMGEN_CACHE", "")
        generate(root, fewer)
    generate(root, {**fewer, "a.json": "3\n"})
    assert {**fewer, "a.json": "3\n"} == tree(root)


def test_an_edit_of_a_file_that_the_run_has_replaced_is_kept(
    root: Path, cache: Path
) -> None:
    """Its folder has not changed; the file is in the spare alone."""
    (folder,) = kept(cache)
    time.sleep(0.02)
    with (folder / "python/tools/t0.py").open("a") as stream:
        stream.write("by hand\n")
    generate(root, THIRD)
    generate(root, FIRST)
    assert FIRST == tree(root)
    assert {"python/tools/t0.py": "first 0\nby hand\n"} == files(folder)


def rename_over(folder: Path, name: str) -> None:
    (folder / "beside").write_text("edited\n")
    (folder / "beside").replace(folder / name)


def test_what_replaced_a_file_as_soon_as_the_run_was_over_is_kept(
    root: Path, cache: Path
) -> None:
    generate(root, THIRD)
    generate(root, SECOND)
    (folder,) = kept(cache)
    rename_over(folder / "python/tools", "t5.py")
    for each, _, _ in os.walk(folder):
        os.utime(each, ns=(0, 0))
    generate(root, THIRD)
    generate(root, FIRST)
    assert FIRST == tree(root)
    assert {"python/tools/t5.py": "edited\n"} == files(folder)


def before_it_is_carried(save: Callable[[Path], None]) -> pytest.MonkeyPatch:
    patch, real = pytest.MonkeyPatch(), spare.claimed

    def claimed(plan: Plan, place: Path) -> Begun | None:
        found = real(plan, place)
        save(place)
        return found

    patch.setattr(spare, "claimed", claimed)
    return patch


def before_the_swap(save: Callable[[Path], None]) -> pytest.MonkeyPatch:
    patch, real = pytest.MonkeyPatch(), exchange._let_the_tick_pass

    def wait(begun: int, meanwhile: exchange.Meanwhile | None) -> None:
        for place in moving:
            save(place)
        moving.clear()
        real(begun, meanwhile)

    moving: list[Path] = []
    real_move = exchange._move

    def move(*given: Any) -> None:
        moving.append(given[2])
        real_move(*given)

    patch.setattr(exchange, "_let_the_tick_pass", wait)
    patch.setattr(exchange, "_move", move)
    return patch


@pytest.mark.parametrize("when", [before_it_is_carried, before_the_swap])
def test_what_is_saved_in_a_spare_while_a_tree_is_made_of_it_stays_in_that(
    root: Path, when: Callable[[Callable[[Path], None]], pytest.MonkeyPatch]
) -> None:
    time.sleep(0.02)
    patch = when(saved_in)
    generate(root, THIRD)
    patch.undo()
    mine = {"python/tools/mine.py": "mine\n"}
    assert {**THIRD, **mine} == tree(root)
    for files_of in (FIRST, SECOND, THIRD):
        generate(root, files_of)
        assert {**files_of, **mine} == tree(root)


@pytest.mark.parametrize("when", [before_it_is_carried, before_the_swap])
def test_what_replaces_a_file_in_a_spare_while_a_tree_is_made_of_it_is_kept(
    root: Path,
    cache: Path,
    when: Callable[[Callable[[Path], None]], pytest.MonkeyPatch],
) -> None:
    time.sleep(0.02)
    patch = when(lambda folder: rename_over(folder / "python/tools", "t5.py"))
    generate(root, THIRD)
    patch.undo()
    generate(root, FIRST)
    assert FIRST == tree(root)
    assert "edited\n" in [each.read_text() for each in cache.rglob("t5.py")]


def test_what_replaces_a_new_file_is_not_taken_for_it(root: Path) -> None:
    before = everything(root)
    patch = before_the_swap(lambda folder: rename_over(folder / "python", "new.py"))
    with pytest.raises(OSError, match="somebody was here"):
        generate(root, {**THIRD, "python/new.py": "new\n"})
    patch.undo()
    assert before == everything(root)
    assert ["out"] == os.listdir(root.parent)


def test_a_file_of_others_with_the_name_of_what_is_known_is_not_written_to(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where it cannot be removed from the old tree, as one that is write-protected for good."""
    (root / TWINS_NAME).write_text("mine\n")
    real = os.unlink

    def unlink(path: Any, **given: Any) -> None:
        if path == TWINS_NAME and is_swapped:
            raise PermissionError(errno.EPERM, "immutable", path)
        real(path, **given)

    is_swapped: list[bool] = []
    swap = exchange._swap

    def swapping(stage: Path, root: Path) -> None:
        swap(stage, root)
        is_swapped.append(True)

    monkeypatch.setattr(exchange, "_swap", swapping)
    monkeypatch.setattr(os, "unlink", unlink)
    generate(root, THIRD)
    assert {**THIRD, TWINS_NAME: "mine\n"} == tree(root)


def test_a_folder_with_other_rights_does_not_come_back(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As without spares: a folder that is made has the permissions of the old one, and no more."""
    handle = os.open(
        root / "python/tools", os.O_RDONLY
    )  # nothing else gets its identity
    special = {os.fstat(handle).st_ino}
    os.fchmod(handle, 0o755)  # as whatever gives it other rights, this gives it a time
    monkeypatch.setattr(trees, "_rights", lambda each: each.stat().st_ino in special)
    for files_of in (THIRD, FIRST, SECOND, THIRD):
        generate(root, files_of)
        assert files_of == tree(root)
        assert (root / "python/tools").stat().st_ino not in special
    os.close(handle)


def test_rights_are_owners_permissions_and_attributes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    one.mkdir(0o755)
    other.mkdir(0o755)
    assert trees.have_same_rights(one, other)
    with monkeypatch.context() as patch:
        patch.setattr(os, "listxattr", lambda each: ["system.posix_acl_access"])
        patch.setattr(os, "getxattr", lambda each, name: os.fsencode(each))
        assert not trees.have_same_rights(one, other)
    one.chmod(0o700)
    assert not trees.have_same_rights(one, other)


def test_folders_of_other_targets_are_passed_by(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also those in which the last run has replaced a file."""

    def made(files: dict[str, str]) -> tuple[Output, ...]:
        return tuple(
            each
            for path, text in files.items()
            for each in outputs({path: text}, path.partition("/")[0])
        )

    for files_of in (FIRST, SECOND, THIRD):
        generate(root, made(files_of))
    taken: list[str] = []

    def take_over(retreat: Retreat, path: str, folder: int) -> None:
        taken.append(path)

    monkeypatch.setattr(Retreat, "_take_over", take_over)
    new = {**THIRD, "a.json": "4\n"}
    generate(root, made({"a.json": "4\n"}), targets=frozenset({"a.json"}))
    assert (new, []) == (tree(root), taken)
    assert [""] == carried_by(lambda: generate(root, made({**new, "a.json": "5\n"})))
    assert {**new, "a.json": "5\n"} == tree(root)
