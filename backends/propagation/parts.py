"""Functions that are compiled only as parts of others.

By itself numba makes machine code of every function, also of one that only compiled code calls: it
optimises it, emits it, and then optimises the copy that has become part of its caller. Here such a
function is kept as LLVM's intermediate code, which is optimised and emitted once, with what it is a
part of. That halves the time to compile, and what is compiled does the same.

numba also makes another copy for each constant that a function is called with. Here one copy takes
any integer; a short one becomes part of its caller, where LLVM sees the constant all the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import njit, types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler


class PartLibrary(JITCodeLibrary):  # type: ignore[misc]  # numba is not typed
    """Intermediate code that others link."""

    def finalize(self) -> None:
        """Link what is called, and leave the rest to the caller."""
        for library in dict.fromkeys(self._linking_libraries):
            shared = library._get_module_for_linking()
            self._final_module.link_in(shared, preserve=True)
        self._finalized = True


class PartCompiler(Compiler):  # type: ignore[misc]
    """numba's compiler without its last step."""

    def _compile_core(self) -> Any:
        state = self.state
        state.library = PartLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        made = super()._compile_core()
        never_called: Any = [].append  # numba wants a built-in function, another for each part
        made = made._replace(entry_point=never_called)
        state.targetctx.insert_user_function(never_called, made.fndesc, [made.library])
        return made


def compile_as_part(function: Callable[..., Any], **options: Any) -> Any:
    """``function`` as other compiled functions may call it; Python cannot."""
    made = njit(pipeline_class=PartCompiler, **options)(function)
    find = made.get_call_template
    made.get_call_template = lambda args, kws: find(tuple(map(types.unliteral, args)), kws)
    return made
