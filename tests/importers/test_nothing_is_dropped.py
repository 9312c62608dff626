"""Nothing of an imported file is lost without a word: it becomes spec, or is told with its line."""

from __future__ import annotations

from importers.documents import imported

PYTHON = '''\
from dataclasses import dataclass, field
from typing import Annotated, Literal, TypedDict, deprecated, ClassVar
from enum import Enum
from other import Base, Field


def search(query: str) -> str:
    """Search for something."""


async def later() -> None: ...  # TOLD function `later`


def _helper() -> None: ...


Made = TypedDict("Made", {"a": int})  # TOLD the class of `Made`

if True:
    class Hidden:  # TOLD the class of `Hidden`
        x: int

    def beside() -> None: ...  # TOLD function `beside`


class Plain:  # TOLD class `Plain`
    x: int


class Colour(Enum):
    """Colours."""

    RED = "red"
    """Like a rose."""  # TOLD the text of a value of `Colour`
    GREEN = LIME = "green"  # TOLD `GREEN = LIME = 'green'` of `Colour`
    BLUE: str = "blue"  # TOLD `BLUE` of `Colour`

    def mixed(self) -> str: ...  # TOLD `mixed()` of `Colour`


class Nothing(Enum):  # TOLD the list of values of `Nothing`
    pass


@dataclass
class Place:
    town: str


@dataclass
class Room(Place):
    name: str


@deprecated("use Room")  # TOLD `@deprecated('use Room')` of `BookRoomInput`
@dataclass(frozen=True)
class BookRoomInput(
    Room,
    Place,  # TOLD the base class `Place` of `BookRoomInput`
    Base,  # TOLD the base class `Base` of `BookRoomInput`
):
    """Book a room."""

    param_descriptions = {
        "nights": "How many nights",
        "nigths": "How many nights",  # TOLD the description of `nigths` of `BookRoomInput`
        "town": "In which town",
        "kind": "Kind",
    }
    LIMIT: ClassVar[int] = 3
    _private = 1
    nights: int
    kind: Annotated[Literal["a", "b"], "A or b"] = "a"  # TOLD the description 'Kind' of `kind`
    guests: Annotated[int, Other(gt=0)] = 1  # TOLD `Other(gt=0)` of `guests`
    names: list[Annotated[str, "A name"]] = field(default_factory=list)  # TOLD of `names`
    price: float = field(default=1.0, metadata={"unit": 1})  # TOLD `{'unit': 1}` of `price`
    computed: int = field(default=0, init=False)  # TOLD `False` of `computed`
    extra = 5  # TOLD `extra = 5` of `BookRoomInput`

    def __post_init__(self) -> None:  # TOLD `__post_init__()` of `BookRoomInput`
        assert self.nights > 0

    def book(self) -> None: ...  # TOLD `book()` of `BookRoomInput`

    class Inner:  # TOLD class `Inner` of `BookRoomInput`
        y: int

    if True:  # TOLD `if True:` of `BookRoomInput`
        z: int


class Open(TypedDict, total=False, extra_items=int):  # TOLD `extra_items=int` of `Open`
    a: int
'''


def _expected(text: str) -> list[tuple[int, str]]:
    lines = enumerate(text.splitlines(), 1)
    return [
        (number, line.partition("# TOLD ")[2].strip())
        for number, line in lines
        if "# TOLD " in line
    ]


def test_everything_in_a_python_file_is_taken_or_told() -> None:
    documents, told = imported("a.py", PYTHON)
    left = [(int(each.split()[0]), each) for each in told]
    for line, words in _expected(PYTHON):
        hits = [each for each in left if each[0] == line and words in each[1]]
        assert hits, (line, words, told)
        left.remove(hits[0])
    assert [] == left
    assert 6 == len(documents)
    whole = "".join(documents)
    for each in (
        "How many nights",
        "In which town",
        "A or b",
        "Book a room.",
        "Colours.",
    ):
        assert each in whole


def test_what_is_not_python_is_told() -> None:
    assert ["1 I701 this is not Python: invalid syntax"] == imported("a.py", "a b")[1]
    assert [
        "1 I701 this is not Python: source code string cannot contain null bytes"
    ] == (imported("a.py", "\0")[1])
    assert 1 == len(imported("a.py", "(" * 100_000)[1])
