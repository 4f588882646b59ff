"""The catalogue, the user's own sets, and what of them is on this machine."""

import gzip
import hashlib
import os
import re
import sys
import threading
import time
import tomllib
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from modelling.errors import InputError, InstanceError
from puzzles import sets
from puzzles.family import Instance, list_family_names
from puzzles.sets import adding, cache, catalogue, folders
from puzzles.sets.catalogue import Listing
from puzzles.sets.locking import locked
from tests.data import samples

EASY = "..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3.."
DIGEST = "0123456789abcdef" * 4
URL = "https://puzzles.example/some.txt"


@pytest.fixture(autouse=True)
def own(tmp_path, monkeypatch):
    """The user's catalogue, in a folder that is not there yet; files lie beside it."""
    monkeypatch.setenv("CONCORD_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("CONCORD_CONFIG", str(tmp_path / "config"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "config" / "catalogue.toml"


def written(own, text):
    own.parent.mkdir(exist_ok=True)
    own.write_text(text, encoding="utf-8")


def grids(path, number=3):
    path.write_text("".join(f"{EASY}\n" for _ in range(number)), encoding="utf-8")
    return path


# --- the catalogue that ships --------------------------------------------------------------------


def test_every_entry_of_the_catalogue_is_whole():
    for listing in catalogue.shipped().values():
        assert listing.urls
        assert listing.bytes
        assert listing.puzzles
        assert listing.about
        assert listing.licence
        assert listing.family in list_family_names()
        # At a commit, so that its bytes never change.
        assert all(re.search(r"/[0-9a-f]{40}/", url) for url in listing.urls)
    assert not set(catalogue.shipped()) & {one.name for one in sets.sets()}


if samples.SHARED.is_dir():

    def test_the_catalogue_has_the_facts_that_were_read_off_the_files():
        facts = tomllib.loads((samples.SHARED / "CATALOGUE.toml").read_text(encoding="utf-8"))
        found = catalogue.shipped()
        assert set(found) == set(facts)
        for name, told in facts.items():
            listing = found[name]
            assert (listing.urls, listing.sha256, listing.bytes) == (
                (told["url"],),
                told["sha256"],
                told["bytes"],
            )
        digest = hashlib.sha256(samples.path("top95.txt").read_bytes()).hexdigest()
        assert digest == found["top95"].sha256


# --- faults in a catalogue -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[a\n", r"not TOML: .*line 1"),
        ("a = 1\n", r"\[a\] must be a table"),
        ("[a]\n", r"\[a\]: give either url, .* or file"),
        (f"[a]\nurl = '{URL}'\n", r"\[a\]: the key sha256 is missing"),
        (f"[a]\nurl = '{URL}'\nfile = '/x'\nsha256 = '{DIGEST}'\n", "give either url"),
        (f"[a]\nurl = '{URL}'\nsha265 = '{DIGEST}'\n", r"unknown key 'sha265'; did you mean 'sha2"),
        (f"[a]\nurl = '{URL}'\nzzz = 1\n", r"unknown key 'zzz' \(there are: url, file, sha256"),
        (f"[a]\nurl = '{URL}'\nsha256 = 'abc'\n", r"\[a\]\.sha256: must be 64 hexadecimal digits"),
        (f"[a]\nurl = '{URL}'\nsha256 = 1\n", r"\[a\]\.sha256: must be 64 hexadecimal digits"),
        ("[a]\nurl = 'ftp://x/y'\n", r"\[a\]\.url: must be an http address .*'ftp://x/y'"),
        ("[a]\nurl = 'https://'\n", r"\[a\]\.url"),
        ("[a]\nurl = 'https://x y/'\n", r"\[a\]\.url"),
        ("[a]\nurl = 'https://x:0x/'\n", r"\[a\]\.url"),
        ("[a]\nurl = 'https://me:secret@x/'\n", r"\[a\]\.url: .*without a password"),
        ("[a]\nurl = []\n", r"\[a\]\.url"),
        (f"[a]\nurl = ['{URL}', 3]\n", r"\[a\]\.url"),
        ("[a]\nfile = 'some.txt'\n", r"\[a\]\.file: must be the whole path"),
        ("[a]\nfile = 3\n", r"\[a\]\.file"),
        ("[a]\nbytes = 0\n", r"\[a\]\.bytes: must be a whole number above 0, not 0"),
        ("[a]\nbytes = true\n", r"\[a\]\.bytes"),
        ("[a]\npuzzles = 1.5\n", r"\[a\]\.puzzles"),
        ("[a]\nfamily = 'soduku'\n", r"\[a\]\.family: must be one of sudoku"),
        ("[a]\nfamily = []\n", r"\[a\]\.family"),
        ("[a]\nformat = 'sdkk'\n", r"\[a\]\.format: must be one of lines, sdm, sdk"),
        (
            f"[a]\nurl = '{URL}'\nsha256 = '{DIGEST}'\nfamily = 'queens'\nformat = 'csv'\n",
            r"\[a\]\.format: files of the family queens come in no formats",
        ),
        ("[a]\nabout = '''a\nb'''\n", r"\[a\]\.about: must be one line"),
        ('[a]\nabout = "\\u001b[2J"\n', r"\[a\]\.about: must be one line"),
        ("['a b']\n", r"'a b' cannot name a set"),
        ("['../a']\n", r"'\.\./a' cannot name a set"),
        ("['a.txt']\n", r"'a\.txt' cannot name a set"),
        ("[-a]\n", r"'-a' cannot name a set"),
        (f"[{'a' * 61}]\n", "cannot name a set"),
    ],
)
def test_every_fault_is_told_with_its_place(own, text, message):
    written(own, text)
    with pytest.raises(InputError, match=message) as caught:
        catalogue.users()
    assert str(caught.value).startswith(f"{own}: ")


def test_a_catalogue_that_is_no_text(own):
    own.parent.mkdir()
    own.write_bytes(b"\xff\xfe[a]")
    with pytest.raises(InputError, match=r"catalogue\.toml cannot be read"):
        catalogue.users()
    own.unlink()
    own.mkdir()
    with pytest.raises(InputError, match=r"catalogue\.toml cannot be read"):
        catalogue.users()


def test_a_catalogue_by_hand(own, tmp_path):
    grids(tmp_path / "x.txt")
    written(
        own,
        f"\ufeff[one]\nurl = ['{URL}', 'http://127.0.0.1:8000/b']\nsha256 = '{DIGEST.upper()}'\n"
        f"['rätsel+2']\nfile = '{(tmp_path / 'x.txt').as_posix()}'\nsha256 = '{DIGEST}'\n",
    )
    one, other = catalogue.users().values()
    assert one.urls == (URL, "http://127.0.0.1:8000/b")
    assert one.sha256 == DIGEST
    assert one.catalogue == own
    assert other.name == "rätsel+2"
    assert other.file == tmp_path / "x.txt"


def test_a_file_in_the_users_home(own, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    digest = hashlib.sha256(grids(tmp_path / "x.txt").read_bytes()).hexdigest()
    written(own, f"[mine]\nfile = '~/x.txt'\nsha256 = '{digest}'\n")
    assert len(list(sets.instances("mine"))) == 3


# --- names ---------------------------------------------------------------------------------------


def test_a_known_set_that_is_not_there_says_how_to_get_it(tmp_path):
    with pytest.raises(InputError, match=r"get it with: concord sets fetch top95$"):
        sets.instances("top95")
    grids(tmp_path / "top95", 1)
    with pytest.raises(InputError, match=r"fetch top95; for the file of this name write \./top95$"):
        sets.instances("top95")
    assert len(list(sets.instances("./top95"))) == 1


def test_an_unknown_set_names_the_nearest_of_all(own):
    with pytest.raises(InputError, match="'top59'; did you mean 'top95'"):
        sets.instances("top59")
    adding.add_address([URL], DIGEST, "evening")
    with pytest.raises(InputError, match="'evning'; did you mean 'evening'"):
        sets.instances("evning")


def test_what_ships_goes_first_then_the_users_then_the_catalogues(own, tmp_path):
    digest = hashlib.sha256(grids(tmp_path / "x.txt").read_bytes()).hexdigest()
    file = (tmp_path / "x.txt").as_posix()
    written(own, f"[top95]\nfile = '{file}'\nsha256 = '{digest}'\n")
    assert len(list(sets.instances("top95"))) == 3
    written(own, f"[sudoku]\nfile = '{file}'\nsha256 = '{digest}'\n")
    assert len(list(sets.instances("sudoku"))) > 3
    with pytest.raises(InputError, match=r"catalogue\.toml: \[sudoku\]: a set that ships has this"):
        sets.instances("x")


def test_files_are_read_though_the_users_catalogue_is_broken(own, tmp_path):
    written(own, "[a\n")
    assert len(list(sets.instances(str(grids(tmp_path / "x.txt"))))) == 3
    assert len(list(sets.instances("x.txt"))) == 3
    assert list(sets.instances("sudoku"))
    with pytest.raises(InputError, match="no set and no file"):
        sets.instances("y.txt")
    with pytest.raises(InputError, match="not TOML"):
        sets.instances("mine")


def test_an_added_set_is_read_by_its_name(tmp_path):
    adding.add_file(grids(tmp_path / "x.txt"), "mine")
    one, *_ = sets.instances("mine")
    assert one == Instance("sudoku", "mine:1", EASY, "mine:1")
    (plain,) = sets.batches("mine", None, 100)
    assert len(plain.run) == 3
    assert plain.source == "mine"
    assert sets.members("mine") == ("mine",)
    assert sets.locate("mine") == str(tmp_path / "x.txt")
    assert sets.locate("sudoku") == "sudoku"
    assert sets.locate("other.txt") == "other.txt"


def test_the_family_of_an_entry_and_of_the_caller(own, tmp_path):
    path = tmp_path / "q.txt"
    path.write_text("8\n9\n", encoding="utf-8")
    with pytest.raises(InputError, match="no puzzle that can be read"):
        adding.add_file(path)
    listing, content = adding.add_file(path, family="queens")
    assert (listing.family, content.puzzles) == ("queens", 2)
    assert [one.family for one in sets.instances("q")] == ["queens"] * 2
    assert all(isinstance(one, InstanceError) for one in sets.instances("q", "sudoku"))


@pytest.mark.parametrize("ending", ["csv", "txt"])
def test_the_format_is_told_by_the_ending_or_by_the_entry(own, tmp_path, ending):
    path = tmp_path / f"x.{ending}"
    path.write_text(f"{EASY},{EASY}\n" * 2, encoding="utf-8")
    adding.add_file(path, "mine")
    if ending == "txt":  # read as lines, what stands after the comma is a name
        assert [one.name for one in sets.instances("mine")] == [EASY[:60]] * 2
        text = own.read_text(encoding="utf-8")
        own.write_text(text.replace("[mine]\n", "[mine]\nformat = 'csv'\n"), encoding="utf-8")
    assert [one.name for one in sets.instances("mine")] == ["mine:1", "mine:2"]
    path.write_text(f"{EASY},{EASY}\n", encoding="utf-8")
    listing, content = adding.add_file(path, "mine")
    assert (listing.format, content.puzzles, content.bad) == ("csv" * (ending == "txt"), 1, 0)
    assert [one.name for one in sets.instances("mine")] == ["mine:1"]


# --- adding and removing -------------------------------------------------------------------------


def test_a_name_from_the_file(own, tmp_path):
    for file, name in [
        ("17 clues (new).txt.gz", "17-clues-new"),
        ("my.puzzles.txt", "my"),
        (".hidden", "hidden"),
        ("ra\u0308tsel.sdm", "rätsel"),
        ("a" * 80 + ".txt", "a" * 60),
    ]:
        listing, _ = adding.add_file(grids(tmp_path / file))
        assert listing.name == name
    with pytest.raises(InputError, match="gives no name for a set; give one with --name"):
        adding.add_file(grids(tmp_path / "+.txt"))
    assert set(sets.read_catalogues()) >= {"17-clues-new", "my", "hidden", "rätsel"}


def test_a_change_of_the_file_is_noticed_and_adding_again_takes_it(tmp_path):
    path = grids(tmp_path / "x.txt")
    adding.add_file(path, "mine", about="three")
    grids(path, 2)
    message = r"the set 'mine' has changed: .*x\.txt .*concord sets add .*x\.txt --name mine"
    with pytest.raises(InputError, match=message):
        sets.instances("mine")
    listing, _ = adding.add_file(path, "mine")
    assert (listing.puzzles, listing.about) == (2, "three")
    assert len(list(sets.instances("mine"))) == 2
    path.unlink()
    with pytest.raises(InputError, match=r"is gone: .*concord sets remove mine"):
        sets.instances("mine")
    assert adding.remove("mine").file == path
    assert adding.remove("mine") is None
    with pytest.raises(InputError, match="no set and no file"):
        sets.instances("mine")


def test_names_that_are_taken(own, tmp_path):
    path = grids(tmp_path / "x.txt")
    with pytest.raises(InputError, match="'sudoku' is a set that ships"):
        adding.add_file(path, "sudoku")
    with pytest.raises(InputError, match="the catalogue's 'top95' has other bytes"):
        adding.add_file(path, "top95")
    with pytest.raises(InputError, match="the catalogue's 'top95' has other bytes"):
        adding.add_address([URL], DIGEST, "top95")
    adding.add_file(path, "mine")
    with pytest.raises(InputError, match=r"you have a set 'mine' already \(.*x\.txt\)"):
        adding.add_file(grids(tmp_path / "y.txt"), "mine")
    with pytest.raises(InputError, match="you have a set 'mine' already"):
        adding.add_address([URL], DIGEST, "mine")
    with pytest.raises(InputError, match="cannot name a set"):
        adding.add_file(path, "a/b")
    assert list(catalogue.users()) == ["mine"]


def test_another_copy_of_a_public_set_may_have_its_name(own):
    public = catalogue.shipped()["top95"]
    adding.add_address([URL], public.sha256, "top95", size=public.bytes)
    assert sets.read_catalogues()["top95"].urls == (URL,)


def test_a_public_set_that_came_by_another_way(monkeypatch, tmp_path):
    """Whoever has the very file that the catalogue tells of gives it under the catalogue's name."""
    public = catalogue.shipped()
    data = samples.path("minimal.txt").read_bytes()
    told = replace(
        public["top95"], sha256=hashlib.sha256(data).hexdigest(), bytes=len(data), puzzles=200
    )
    monkeypatch.setattr(catalogue, "shipped", lambda: {**public, "top95": told})
    (tmp_path / "top95.txt").write_bytes(data)
    adding.add_file(tmp_path / "top95.txt")
    assert len(list(sets.instances("top95"))) == 200


if samples.only("top95.txt"):

    def test_the_public_file_of_the_catalogue_itself():
        adding.add_file(samples.path("top95.txt"))
        assert len(list(sets.instances("top95"))) == 95


def test_files_that_cannot_be_added(tmp_path):
    for path in (tmp_path / "none.txt", tmp_path):
        with pytest.raises(InputError, match="cannot be read"):
            adding.add_file(path, "mine")
    (tmp_path / "empty.txt").write_text("")
    with pytest.raises(InputError, match=r"empty\.txt holds no puzzle .*: there is no puzzle"):
        adding.add_file(tmp_path / "empty.txt")
    assert not catalogue.users_file().exists()


def test_bad_lines_are_counted_and_the_first_are_told(tmp_path):
    path = tmp_path / "x.txt.gz"
    path.write_bytes(gzip.compress(f"{EASY}\n{'bad' * 30}\n".encode() * 30))
    _, content = adding.add_file(path)
    assert (content.puzzles, content.bad, len(content.first_errors)) == (30, 30, adding.MOST_ERRORS)
    assert content.first_errors[0].place.endswith("x.txt.gz:2:82")


def test_what_the_user_wrote_stays(own, tmp_path):
    before = (
        "# mine\n\n"
        f"[one]  # the first\nurl = '{URL}'\n  # inside\nsha256 = '{DIGEST}'\n\n# of two\n\n"
        f"['two']\nurl = [\n  '{URL}',\n]\nsha256 = '{DIGEST}'\n# the end\n"
    )
    written(own, before)
    adding.add_file(grids(tmp_path / "x.txt"))
    assert own.read_text(encoding="utf-8").startswith(before)
    adding.remove("x")
    assert own.read_text(encoding="utf-8") == before
    adding.remove("one")
    text = own.read_text(encoding="utf-8")
    assert text.startswith("# mine\n\n\n# of two\n\n['two']\n")
    adding.remove("two")
    words = own.read_text(encoding="utf-8").split()
    assert words == ["#", "mine", "#", "of", "two", "#", "the", "end"]


@pytest.mark.parametrize(
    "text",
    [
        f"one = {{ url = '{URL}', sha256 = '{DIGEST}' }}\n",
        f"one.url = '{URL}'\none.sha256 = '{DIGEST}'\n",
    ],
    ids=["inline", "dotted"],
)
def test_what_cannot_be_cut_out_is_left(own, text):
    written(own, text)
    with pytest.raises(InputError, match=r"\[one\] is not written as a table of its own"):
        adding.remove("one")
    assert own.read_text(encoding="utf-8") == text
    adding.add_address([URL], DIGEST, "two")
    assert list(catalogue.users()) == ["one", "two"]


@pytest.mark.parametrize(
    "fault", [{"urls": ["ftp://x/y.txt"]}, {"sha256": "abc"}, {"about": "a\nb"}]
)
def test_nothing_that_makes_no_sense_is_written(own, fault):
    facts = {"urls": [URL], "sha256": DIGEST, **fault}
    with pytest.raises(InputError, match=next(iter(fault)).removesuffix("s")):
        adding.add_address(name="one", **facts)
    assert not own.exists()


NAMES = st.from_regex(catalogue.NAME, fullmatch=True)
LINES = st.text(st.characters(codec="utf-8"), max_size=40).filter(str.isprintable)


@settings(
    max_examples=25,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(st.lists(st.tuples(NAMES, LINES, LINES), min_size=1, max_size=4, unique_by=lambda x: x[0]))
def test_the_text_of_a_catalogue_round_trips(own, facts):
    text = ""
    listings = [
        Listing(
            name=name, sha256=DIGEST, urls=(URL,) * k, about=about, licence=licence, catalogue=own
        )
        for k, (name, about, licence) in enumerate(facts, 1)
    ]
    for listing in listings:
        text = adding.with_listing(text, listing)
    assert list(catalogue.parse(text, own).values()) == listings
    for listing in listings:
        text = adding.without(text, listing.name)
    assert not text.strip()


def test_a_link_to_the_catalogue_stays_a_link(own, tmp_path):
    if sys.platform == "win32":
        pytest.skip("links need a privilege there")
    own.parent.mkdir()
    (tmp_path / "elsewhere.toml").write_text("# kept\n")
    own.symlink_to(tmp_path / "elsewhere.toml")
    adding.add_file(grids(tmp_path / "x.txt"))
    assert own.is_symlink()
    assert (tmp_path / "elsewhere.toml").read_text(encoding="utf-8").startswith("# kept\n")


def test_a_configuration_that_cannot_be_written(tmp_path, monkeypatch):
    grids(tmp_path / "x.txt")
    monkeypatch.setenv("CONCORD_CONFIG", str(tmp_path / "x.txt"))
    with pytest.raises(InputError, match=r"x\.txt.catalogue\.toml cannot be written"):
        adding.add_file(tmp_path / "x.txt", "mine")


def test_many_add_at_once(own, tmp_path):
    grids(tmp_path / "x.txt")
    threads = [
        threading.Thread(target=adding.add_file, args=(tmp_path / "x.txt", f"mine{k}"))
        for k in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(catalogue.users()) == {f"mine{k}" for k in range(8)}
    assert sorted(path.name for path in own.parent.iterdir()) == ["catalogue.toml"]


# --- folders, digests, locks ---------------------------------------------------------------------


def test_folders_by_the_custom_of_the_platform(monkeypatch, tmp_path):
    import platformdirs

    assert folders.cache_folder() == tmp_path / "cache"
    monkeypatch.setenv("CONCORD_CACHE", "here")
    assert folders.cache_folder() == tmp_path / "here"
    monkeypatch.setenv("CONCORD_CACHE", "")
    monkeypatch.delenv("CONCORD_CONFIG")
    assert folders.cache_folder() == platformdirs.user_cache_path("concord", appauthor=False)
    assert folders.config_folder() == platformdirs.user_config_path("concord", appauthor=False)


@pytest.mark.parametrize(
    ("url", "endings"),
    [
        ("https://x.example/a.txt", ".txt"),
        ("https://x.example/b/a.sdm.gz?raw=1", ".sdm.gz"),
        ("https://x.example/puzzles5_1905_11%2B", ""),
        ("https://x.example/v1.2/puzzles", ""),
        ("https://x.example/a.b%2F..%2F.txt", ""),
        ("https://x.example/", ""),
        ("https://x.example/a.2%00", ""),
    ],
)
def test_the_place_of_a_set(url, endings, tmp_path):
    path = cache.path_of(Listing(name="a", sha256=DIGEST, urls=(url,)))
    assert path == tmp_path / "cache" / "sets" / f"a-{DIGEST[:12]}{endings}"


@pytest.fixture
def counted(monkeypatch):
    """How often the digest of a file is worked out; files are remembered at once."""
    monkeypatch.setattr(cache, "SETTLED_SECONDS", -1.0)
    done = []
    digest = cache.digest

    def counting(path):
        done.append(path)
        return digest(path)

    monkeypatch.setattr(cache, "digest", counting)
    return done


def entry_of(path):
    return Listing(name="mine", sha256=hashlib.sha256(path.read_bytes()).hexdigest(), file=path)


def test_a_digest_is_worked_out_once(tmp_path, counted):
    path = grids(tmp_path / "x.txt")
    listing = entry_of(path)
    assert [cache.state(listing) for _ in range(3)] == ["ready"] * 3
    assert len(counted) == 1


def test_a_change_is_noticed_though_size_and_time_are_the_same(tmp_path, counted):
    path = grids(tmp_path / "x.txt")
    listing = entry_of(path)
    assert cache.state(listing) == "ready"
    times = path.stat().st_atime_ns, path.stat().st_mtime_ns
    time.sleep(0.02)
    path.write_bytes(path.read_bytes().replace(b"3", b"4"))
    os.utime(path, ns=times)
    if sys.platform == "win32":
        pytest.skip("Windows keeps no time of the last change of a file's attributes")
    assert cache.state(listing) == "damaged"
    assert cache.state(listing) == "damaged"
    assert len(counted) == 3, "what does not agree is never remembered"


def test_what_was_remembered_of_another_entry_does_not_count(tmp_path, counted):
    path = grids(tmp_path / "x.txt")
    assert cache.state(entry_of(path)) == "ready"
    assert cache.state(Listing(name="mine", sha256=DIGEST, file=path)) == "damaged"


def test_a_fresh_file_is_not_remembered(tmp_path, counted, monkeypatch):
    monkeypatch.setattr(cache, "SETTLED_SECONDS", 3600.0)
    path = grids(tmp_path / "x.txt")
    listing = entry_of(path)
    assert [cache.state(listing), cache.state(listing)] == ["ready"] * 2
    assert len(counted) == 2


def test_without_a_cache_the_digest_is_worked_out_each_time(tmp_path, counted, monkeypatch):
    path = grids(tmp_path / "x.txt")
    monkeypatch.setenv("CONCORD_CACHE", str(path))
    listing = entry_of(path)
    assert [cache.state(listing), cache.state(listing)] == ["ready"] * 2
    assert len(counted) == 2


def test_a_file_that_cannot_be_read(tmp_path):
    with pytest.raises(InputError, match="cannot be read"):
        cache.state(Listing(name="mine", sha256=DIGEST, file=tmp_path))


def test_forget_deletes_what_was_fetched_and_no_file_of_the_users(tmp_path):
    listing = Listing(name="some", sha256=DIGEST, urls=(URL,))
    assert not cache.forget(listing)
    path = cache.path_of(listing)
    part, origin = cache.parts_of(path)
    path.parent.mkdir(parents=True)
    for each in (path, part, origin, path.with_name("other")):
        each.write_text("x")
    assert cache.forget(listing)
    assert [each.name for each in path.parent.iterdir()] == ["other"]
    mine = grids(tmp_path / "x.txt")
    assert not cache.forget(entry_of(mine))
    assert mine.exists()


def test_a_lock_lets_one_in_at_a_time(tmp_path):
    inside, most, waited = [], [], []

    def enter(k):
        for _ in range(20):
            with locked(tmp_path / "lock", lambda: waited.append(k)):
                inside.append(k)
                most.append(len(inside))
                time.sleep(0.001)
                inside.remove(k)

    threads = [threading.Thread(target=enter, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(most) == 80
    assert set(most) == {1}
    assert waited
    if sys.platform != "win32":
        assert not (tmp_path / "lock").exists()
