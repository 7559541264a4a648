"""What can go wrong, each with what is needed to put it right."""

from __future__ import annotations


class TricorneError(Exception):
    """Anything that Tricorne refuses."""


class Refused(TricorneError):
    """An answer that was not carried out. The battle is as it was."""


class Illegal(Refused):
    """The rules forbid it: `clause` says where, `why` in words."""

    def __init__(self, why: str, clause: str) -> None:
        super().__init__(why, clause)
        self.why = why
        self.clause = clause

    def __str__(self) -> str:
        return f"{self.why} [{self.clause}]"


class Malformed(Refused):
    """It is no answer of this rule system."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class NotYours(Refused):
    """It is another seat's decision."""

    def __init__(self, asked: int, pending: int) -> None:
        super().__init__(asked, pending)
        self.asked = asked
        self.pending = pending

    def __str__(self) -> str:
        return f"seat {self.asked} asked, but seat {self.pending} must decide"


class Over(Refused):
    """The battle is over."""


class BadScenario(TricorneError, ValueError):
    """A scenario that can't be found or used: `file`, `line`, `column`, `place` and `problem` where they are known."""

    def __init__(
        self,
        message: str,
        file: str | None = None,
        line: int | None = None,
        column: int | None = None,
        place: str = "",
        problem: str = "",
    ) -> None:
        super().__init__(message, file, line, column, place, problem)
        self.file = file
        self.line = line
        self.column = column
        self.place = place
        self.problem = problem or message

    def __str__(self) -> str:
        return str(self.args[0])


class BadJournal(TricorneError, ValueError):
    """A journal that is cut off, changed, or does not play out as it says."""


class BadRequest(TricorneError, ValueError):
    """Something asked for that there is not; the message says what there is."""


class StudyFailed(TricorneError):
    """A study that came to nothing."""
