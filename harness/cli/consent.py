"""Who types a command is asked before packages are installed for it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from harness.cli.bars import show_making
from harness.cli.screen import Screen

if TYPE_CHECKING:
    from harness.environments.making import Environment
    from harness.environments.recipe import Recipe

Provider = Callable[[Sequence[str]], "list[Environment]"]
"""Makes the environments that backends with these names lack."""


def make_provider(screen: Screen, yes: bool, offline: bool) -> Provider:
    """What makes missing environments, with progress: asked first on a terminal, unless ``yes``.

    Without a terminal and without ``yes`` it refuses to; with ``offline`` in any case. Who has
    agreed is not asked again by the same command.
    """
    agreed = yes

    def provide(names: Sequence[str]) -> list[Environment]:
        if not any("@" in name for name in names):
            return []
        from harness.environments.making import make_missing

        def agree(missing: Sequence[Recipe]) -> bool:
            nonlocal agreed
            agreed = agreed or _ask(missing)
            return agreed

        with show_making(screen) as show:
            return make_missing(
                names,
                agree,
                offline=offline,
                on_step=lambda recipe, text: show((str(recipe), text)),
            )

    return provide


def _ask(missing: Sequence[Recipe]) -> bool:
    """Whether the person at the terminal agrees; nobody is there to agree without one."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    import typer

    from harness.environments.recipe import environments_folder

    lines = [f"  {recipe}, and {len(recipe.requires) - 1} packages more" for recipe in missing]
    what = "\n".join(["These are not installed:", *lines])
    typer.echo(what, err=True)
    return typer.confirm(f"Install each under {environments_folder()}?", err=True)
