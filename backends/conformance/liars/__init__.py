"""Backends that lie, each in one way: what a harness has to find out, and ours does.

    concord compare --set queens --backend propagation --backend sat \\
        --backend py:backends.conformance.liars:DroppedSolution --count all

Each wraps an honest solver (``propagation``) and falsifies what it answers. Whoever writes a
harness of their own, or changes this one, can try it on them;
``tests/harness/judge/test_liars.py`` runs each through ``concord compare``. What they do to the
process they live in, some of them, is not to be imitated.

``liar`` is what all of them are made of; ``claims``, ``solutions``, ``optima``, ``sometimes``,
``times``, ``moments``, ``disguises``, ``values``, ``forgeries``, ``wires``, ``nuisances``, ``work``
and ``attacks`` have the lies by kind.
"""

from backends.conformance.liars.attacks import (
    EditsTheStore,
    HoldsTheStore,
    KillsItsRivals,
    RemovesFromTheStore,
    StopsItsRivals,
)
from backends.conformance.liars.claims import (
    Boasts,
    BoastsAndShows,
    CallsItEnough,
    EmptyDigest,
    NeverReads,
    OtherTwin,
    Pretender,
    ShowsOneOfTwo,
    StoppedByNobody,
    Twin,
    WrongDigest,
)
from backends.conformance.liars.disguises import (
    ChangedAfterwards,
    OwnNumber,
    OwnResult,
    SilencesTheCheck,
    StopsUnseen,
)
from backends.conformance.liars.forgeries import (
    AnswersForAnother,
    BlamesItsRivals,
    CallsItselfLost,
    ForgesProof,
    ForgesUsage,
    OwnDigest,
)
from backends.conformance.liars.liar import Liar
from backends.conformance.liars.moments import (
    CallsItFlattening,
    HidesBehindAThread,
    TellsHalf,
    WorksBeforeItsClock,
)
from backends.conformance.liars.nuisances import (
    EmptiesTheTemporaries,
    FloodsTheWire,
    PaintsItsVersion,
    PromisesAMountain,
    ShoutsAtLength,
    WarmsUpTwice,
)
from backends.conformance.liars.optima import (
    BoundTooTight,
    FalseBoundAtFirst,
    FalseIncumbent,
    FalseObjective,
    WorseIncumbent,
    WrongOptimum,
)
from backends.conformance.liars.solutions import (
    AnotherInstance,
    ChangesTheProblem,
    CountsOneLess,
    CountsOneMore,
    DroppedSolution,
    Duplicate,
    ExhaustedHalfway,
    ExhaustedTooEarly,
    FalseUnsatisfiable,
    FloatForInteger,
    HiddenDuplicate,
    ManyDigits,
    OutsideDomain,
    OverlooksTheLast,
    ProofOfAnother,
    TooManyRepeats,
    TooShort,
    TrueForOne,
    WrongValue,
)
from backends.conformance.liars.sometimes import (
    Fickle,
    OneBadSeed,
    OneInAThousand,
)
from backends.conformance.liars.times import (
    CachedRepeat,
    ForgesHistory,
    ForgesRecords,
    LongPhases,
    NegativePhase,
    SkipsItself,
    SolvesInWarmUps,
    StopsTheClock,
)
from backends.conformance.liars.values import (
    CountsTwins,
    EqualToAll,
    LazySolutions,
    PaintsTheScreen,
    TimeWithoutNumber,
    WordForAll,
)
from backends.conformance.liars.wires import (
    AnswersInAChild,
    AsksForTheTimeOfAProof,
    BoastsOnTheBoard,
    WritesTheWire,
)
from backends.conformance.liars.work import (
    AsksItsServant,
    BurnsWhileIdle,
    OutlivesItsWorker,
    WorksInTheDigest,
)

LIARS: tuple[type[Liar], ...] = (
    NeverReads,
    ShowsOneOfTwo,
    Boasts,
    BoastsAndShows,
    EmptyDigest,
    WrongDigest,
    CallsItEnough,
    StoppedByNobody,
    WrongValue,
    ManyDigits,
    OutsideDomain,
    TooShort,
    TrueForOne,
    FloatForInteger,
    AnotherInstance,
    OverlooksTheLast,
    ChangesTheProblem,
    FalseUnsatisfiable,
    ProofOfAnother,
    DroppedSolution,
    Duplicate,
    TooManyRepeats,
    HiddenDuplicate,
    CountsOneMore,
    CountsOneLess,
    ExhaustedTooEarly,
    ExhaustedHalfway,
    WrongOptimum,
    FalseObjective,
    BoundTooTight,
    FalseIncumbent,
    WorseIncumbent,
    FalseBoundAtFirst,
    OneBadSeed,
    OneInAThousand,
    Fickle,
    Twin,
    OtherTwin,
    Pretender,
    LongPhases,
    NegativePhase,
    ForgesRecords,
    SkipsItself,
    ForgesHistory,
    CachedRepeat,
    SolvesInWarmUps,
    StopsTheClock,
    OwnResult,
    OwnNumber,
    ChangedAfterwards,
    SilencesTheCheck,
    StopsUnseen,
    KillsItsRivals,
    StopsItsRivals,
    EditsTheStore,
    RemovesFromTheStore,
    HoldsTheStore,
    LazySolutions,
    EqualToAll,
    WordForAll,
    CountsTwins,
    TimeWithoutNumber,
    PaintsTheScreen,
    ForgesProof,
    AnswersForAnother,
    CallsItselfLost,
    OwnDigest,
    BlamesItsRivals,
    ForgesUsage,
    WritesTheWire,
    AsksForTheTimeOfAProof,
    AnswersInAChild,
    BoastsOnTheBoard,
    WorksInTheDigest,
    OutlivesItsWorker,
    AsksItsServant,
    BurnsWhileIdle,
    WorksBeforeItsClock,
    CallsItFlattening,
    HidesBehindAThread,
    TellsHalf,
    PromisesAMountain,
    FloodsTheWire,
    WarmsUpTwice,
    ShoutsAtLength,
    PaintsItsVersion,
    EmptiesTheTemporaries,
)
"""Every way to lie that we could think of."""
