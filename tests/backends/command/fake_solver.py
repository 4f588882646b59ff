"""A solver that does what its first argument says, to see what becomes of it. Reads nothing but
formulas, and solves those by trying all assignments.

    python fake_solver.py BEHAVIOUR [ARGUMENTS] FILE
"""

import itertools
import os
import signal
import subprocess
import sys
import time


def say(*lines):
    print(*lines, sep="\n", flush=True)


def read_formula(path):
    with open(path) as file:
        words = [line.split() for line in file if line[:1] not in "c*\n"]
    variables = int(words[0][2])
    return variables, [[int(word) for word in line[:-1]] for line in words[1:]]


def models(path):
    variables, clauses = read_formula(path)
    for signs in itertools.product((1, -1), repeat=variables):
        model = [sign * x for x, sign in enumerate(signs, 1)]
        held = set(model)
        if all(held.intersection(clause) for clause in clauses):
            yield model


def shown(model, end=" 0"):
    return "v " + " ".join(map(str, model)) + end


def first(path):
    return next(models(path), None)


def honest(path):
    model = first(path)
    if model is None:
        return say("s UNSATISFIABLE")
    return say("c a comment", "s SATISFIABLE", shown(model[:2], ""), shown(model[2:]))


def honest_reversed(path):
    model = first(path)
    say("s UNSATISFIABLE") if model is None else say(shown(model), "s SATISFIABLE")


def all_models(path):
    found = list(models(path))
    say(*map(shown, found), "s SATISFIABLE" if found else "s UNSATISFIABLE")


def last_of_all(path):
    found = list(models(path))
    say(*map(shown, found[-1:]), "s SATISFIABLE" if found else "s UNSATISFIABLE")


def positive_only(path):
    model = first(path)
    if model is None:
        return say("s UNSATISFIABLE")
    return say("s SATISFIABLE", shown([x for x in model if x > 0]))


def to_file(answer, path):
    model = first(path)
    with open(answer, "w") as file:
        file.write("UNSAT\n" if model is None else f"SAT\n{shown(model)[2:]}\n")
    print("SATISFIABLE" if model else "UNSATISFIABLE")
    sys.exit(10 if model else 20)


def file_not_written(answer, path):
    print("SATISFIABLE")


def to_file_once(answer, path):
    marker = f"{answer}.before"
    if os.path.exists(marker):
        return file_not_written(answer, path)
    open(marker, "w").close()
    return to_file(answer, path)


def silent(path):
    print("c parsed", file=sys.stderr)
    print("c gave no answer", file=sys.stderr)


def wrong_exit_status(path):
    honest(path)
    sys.exit(77)


def optimum(value, model, path):
    say(f"o {value}", f"v {model}", "s OPTIMUM FOUND")


def escapes(path):
    print("\x1b[2J[red]gone[/red]\x07", file=sys.stderr)
    say("s \x1b[31mODD\x1b[0m" + "D" * 1000)


def prints(text, path):
    sys.stdout.buffer.write(text.encode().decode("unicode_escape").encode())


def prints_late(seconds, text, path):
    time.sleep(float(seconds))
    prints(text, path)


def prints_and_writes(text, written, answer, path):
    prints(text, path)
    with open(answer, "w") as file:
        file.write(written.encode().decode("unicode_escape"))


def makes_of_answer(kind, answer, path):
    if kind == "pipe":
        os.mkfifo(answer)
    elif kind == "folder":
        os.mkdir(answer)
    elif kind == "device":
        os.symlink("/dev/zero", answer)
    elif kind == "zeros":
        with open(answer, "w") as file:
            file.truncate(10_000_000)
    say("s UNSATISFIABLE")


def pipe_for_problem(path):
    honest(path)
    os.unlink(path)
    os.mkfifo(path)


def many_elements(path):
    say("s SATISFIABLE", "v " + "<list>" * 1_000_000 + "</instantiation>")


def refuses(path):
    print("unknown option -q", file=sys.stderr)
    sys.exit(2)


def unknown(path):
    say("s UNKNOWN")


def unknown_of_units(path):
    has_units = any(len(clause) == 1 for clause in read_formula(path)[1])
    return unknown(path) if has_units else honest(path)


def odd_word(path):
    say("s UNSAT")


def unsatisfiable(path):
    say("s UNSATISFIABLE")


def model_and_unsatisfiable(path):
    say(shown(first(path)), "s UNSATISFIABLE")


def both(path):
    say("s SATISFIABLE", "s UNSATISFIABLE")


def no_model(path):
    say("s SATISFIABLE")


def cut_short(path):
    say("s SATISFIABLE")
    sys.stdout.write(shown(first(path), "")[:-1])


def wrong_model(path):
    say("s SATISFIABLE", shown([-x for x in first(path)]))


def same_again(path):
    saved = os.environ["FAKE_SAVED"]
    if not os.path.exists(saved):
        with open(saved, "w") as file:
            file.write(shown(first(path)))
    with open(saved) as file:
        say("s SATISFIABLE", file.read())


def foreign_words(path):
    say("s SATISFIABLE", "v x1 is true, my friend 0")


def binary(path):
    sys.stdout.buffer.write(bytes(range(256)) * 1000)


def one_endless_line(path):
    while True:
        sys.stdout.write("c" * 1_000_000)


def many_lines(path):
    for _ in range(300):
        sys.stdout.write("c garbage\n" * 20_000)
    print("e" * 1_000_000, file=sys.stderr)
    honest(path)


def crash(path):
    print("about to crash", file=sys.stderr, flush=True)
    os.kill(os.getpid(), signal.SIGSEGV)


def model_then_crash(path):
    say("s SATISFIABLE", shown(first(path)))
    os.kill(os.getpid(), signal.SIGABRT)


def endless(path):
    while True:
        time.sleep(60)


def stubborn(path):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    endless(path)


def best_at_the_end(path):
    model = first(path)

    def show(*_):
        say("s SATISFIABLE", shown(model))
        sys.exit(0)

    signal.signal(signal.SIGTERM, show)
    endless(path)


def model_then_endless(path):
    honest(path)
    endless(path)


def spins(path):
    while True:
        pass


def hoards(path):
    kept = []
    while True:
        kept.append(bytearray(os.urandom(1) * 20_000_000))
        time.sleep(0.02)


def start_child(new_session):
    words = [sys.executable, "-c", "import time; time.sleep(600)"]
    child = subprocess.Popen(words, start_new_session=new_session)
    with open(os.environ["FAKE_CHILD"], "w") as file:
        file.write(str(child.pid))


def with_child(path):
    start_child(False)
    honest(path)


def endless_with_child(path):
    start_child(False)
    endless(path)


def endless_with_session(path):
    start_child(True)
    endless(path)


def leaves_orphan(path):
    start_child(True)
    honest(path)


def closed_output(path):
    honest(path)
    os.close(1)
    os.close(2)
    endless(path)


def temporary(path):
    import tempfile

    handle, name = tempfile.mkstemp()
    os.close(handle)
    with open(os.environ["FAKE_SAVED"], "w") as file:
        file.write(f"{name}\n{path}")
    honest(path)


def told(*words):
    with open(os.environ["FAKE_SAVED"], "a") as file:
        file.write(repr(list(words)) + "\n")
    honest(words[-1])


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
