"""Policies from outside as bots: functions in Python, ONNX files, and programs.

A policy is a function of observations, int8 (rows, numbers) in the game's SLICES, and masks, bool (rows, actions): it
gives probabilities, float (rows, actions), 0 where the mask is False, each row with the sum 1. The same function is
measured on a tree, `tree.nash_conv(policy)`, and plays wherever bots do. `python:FILE.py` is the function `policy` of a
file, `python:FILE.py:NAME` another one of it; `onnx:FILE.onnx` is a net; `run:COMMAND` a program of the protocol.
"""

# These names start what a user brings, so that nothing which strangers can reach takes them: `roster.bot` refuses them,
# `any_bot` doesn't.

import contextlib
import functools
import hashlib
import weakref
from collections.abc import Callable, Sequence
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import numpy as np

from hexdeck.bots.bot import Bot, Candidate, KernelBot, ranked
from hexdeck.bots.players import programs
from hexdeck.bots.players.bot_names import bot_name
from hexdeck.bots.players.roster import KINDS as BOTS
from hexdeck.bots.players.roster import bot, bots_of, resolved, unknown
from hexdeck.engine.discovery.finding import cleared_by_forget
from hexdeck.engine.errors import BadOption, HexdeckError, UnknownBot, shown, unreadable
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.play.match import Match
from hexdeck.engine.text import _, say

Policy = Callable[[np.ndarray, np.ndarray], Any]
Named = str | Policy  # a bot by its name, or a policy
PYTHON, ONNX = "python:", "onnx:"
OWN = PYTHON, ONNX, programs.PREFIX
FORMS = "net:FILE.net", "onnx:FILE.onnx", "python:FILE.py", "run:COMMAND"  # of names of one's own
EXACT = 1e-4  # that the sum of a row may differ from 1, and that illegal actions may have: a net computes in float32
THINK = 10.0  # seconds that a program has for a move


def any_bot(name: Named, game: GameSetup, seed: int | bytes = 0, backend: str | None = None) -> Bot:
    """A bot for a game: a policy, one of a user's own by its name, or one of ours; raises what `bot` does."""
    if not isinstance(name, str):
        return PolicyBot(game, name, title_of(name), seed, backend)
    if name.startswith(programs.PREFIX):
        return ProgramBot(game, name.removeprefix(programs.PREFIX), backend)
    if name.startswith((PYTHON, ONNX)):
        return PolicyBot(game, policy_named(name, game, fingerprint(name)), name, seed, backend)
    if (kind := bot_name(resolved(name, game)).kind) not in BOTS:
        raise UnknownBot(unknown(kind, [*bots_of(game), *FORMS]))
    return bot(name, game, seed, backend)


def title_of(name: Named) -> str:
    """A bot's name as results show it."""
    return name if isinstance(name, str) else str(getattr(name, "__name__", type(name).__name__))


def policy_file(name: str) -> tuple[Path, str]:
    """The file of a name of one's own, and the function in it."""
    kind, _colon, path = name.partition(":")
    file, colon, function = path.rpartition(":")
    return (Path(file), function) if kind + ":" == PYTHON and colon and file.endswith(".py") else (Path(path), "policy")


def fingerprint(name: str) -> str:
    """A hash of the files in a bot's name: policies, nets, the words of a command; "" where there is none."""
    files, content = list[Path](), b""
    with contextlib.suppress(HexdeckError, OSError):
        if name.startswith(programs.PREFIX):
            files = [*map(Path, programs.command_words(name.removeprefix(programs.PREFIX)))]
        else:
            files = [policy_file(name)[0]] if name.startswith(OWN) else bot_name(name).paths
        content = b"".join(file.read_bytes() for file in files if file.is_file())
    return hashlib.sha256(content).hexdigest()[:12] if content else ""


@cleared_by_forget
@functools.lru_cache(8)
def policy_named(name: str, game: GameSetup, _fingerprint: str) -> Policy:
    """The policy in a file, by its name, read once unless the file changes; raises HexdeckError."""
    file, function = policy_file(name)
    if name.startswith(ONNX):
        return OnnxPolicy(file, game)
    policy = getattr(loaded(file), function, None)
    if not callable(policy):
        text = _("{file} has no function {name}(observations, masks).")
        raise HexdeckError(say(text, file=str(file), name=function))
    return policy  # type: ignore[no-any-return]


def loaded(file: Path) -> Any:
    """A Python file, run as a module; raises HexdeckError where that isn't possible, with the first line of why."""
    spec = spec_from_file_location(f"hexdeck_file_{file.stem}", file) if file.is_file() else None
    if spec is None or spec.loader is None:
        text = _("{file} isn't a Python file.") if file.exists() else _("There is no file {file}.")
        raise HexdeckError(say(text, file=str(file)))
    module = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise HexdeckError(say("{file} can't be run: {why}", file=str(file), why=first_line(error))) from None
    return module


def first_line(error: BaseException) -> str:
    """What kind of error it was, and the first line of what it says."""
    return f"{type(error).__name__}: {error}".split("\n", 1)[0].rstrip(": ")[:200]


def as_numbers(table: Any) -> np.ndarray:
    """An array as a new one of float64; raises BadOption."""
    try:
        if np.ndim(table) == 0 or np.iscomplexobj(table):
            raise BadOption(say("Probabilities are an array of numbers, not {given}.", given=shown(table)))
        return np.array(table, np.float64)
    except (TypeError, ValueError, RuntimeError) as error:
        raise BadOption(say("Probabilities are an array of numbers: {why}.", why=first_line(error))) from None


# --- answers ----------------------------------------------------------------------------------------------------------
def checked_probabilities(
    table: Any, masks: np.ndarray, actions: Sequence[str], seats: np.ndarray | None = None
) -> np.ndarray:
    """Probabilities as float64 (rows, actions), each row with the sum 1; raises BadOption, which names the row.

    `actions`: their names; `seats`: that of each row, to name it too.
    """
    values = as_numbers(table)
    if values.shape != masks.shape:
        text = _("Probabilities have the shape of the masks, {shape}: a row for each, not {given}.")
        raise BadOption(say(text, shape=str(masks.shape), given=str(values.shape)))
    wrong = (
        (~np.isfinite(values).all(axis=1), _("Row {row} of the probabilities has a value that is no number.")),
        ((values < 0).any(axis=1), _("Row {row} of the probabilities has a value below 0.")),
        (
            np.where(masks, 0, values).sum(axis=1) > EXACT,
            _("Row {row} gives the illegal action {action} the probability {p}, not 0."),
        ),
        (abs(values.sum(axis=1) - 1) > EXACT, _("Row {row} of the probabilities sums to {sum}, not to 1.")),
    )
    for rows, text in wrong:
        if rows.any():
            row = int(rows.argmax())
            at = int(np.where(masks[row], 0, values[row]).argmax())
            named = row if seats is None else say("{row} (seat {seat})", row=row, seat=int(seats[row]))
            figures = {"sum": f"{values[row].sum():.4g}", "p": f"{values[row, at]:.4g}"}
            raise BadOption(say(text, row=named, action=actions[at], **figures))
    values[~masks] = 0
    values /= values.sum(axis=1, keepdims=True)
    return values


def answers(
    policy: Policy,
    name: str,
    observations: np.ndarray,
    masks: np.ndarray,
    actions: Sequence[str],
    seats: np.ndarray | None = None,
) -> np.ndarray:
    """What a policy answers, checked; raises HexdeckError, which names it, and the line where the policy raised."""
    try:
        return checked_probabilities(policy(observations, masks), masks, actions, seats)
    except HexdeckError as error:
        raise HexdeckError(say("The policy {name} can't be used: {why}", name=name, why=error.text)) from None
    except Exception as error:
        within = error.__traceback__.tb_next if error.__traceback__ else None
        line = f" ({Path(within.tb_frame.f_code.co_filename).name}, line {within.tb_lineno})" if within else ""
        why = f"{first_line(error)}{line}."
        raise HexdeckError(say("The policy {name} can't be used: {why}", name=name, why=why)) from error


class PolicyBot(KernelBot):
    """Plays as a policy says, and draws lots by its probabilities. Other threads may ask the same policy."""

    def __init__(self, game: GameSetup, policy: Policy, name: str, seed: int | bytes, backend: str | None) -> None:
        if not callable(policy):
            text = _("A bot is a name or a function of observations and masks, not {given}.")
            raise BadOption(say(text, given=shown(policy)))
        super().__init__(game, backend, seed, "bot policy")
        self.policy, self.name = policy, name

    def look(self, knowledge: bytes, seat: int) -> tuple[np.ndarray, np.ndarray]:
        """What the policy is asked: the observation, and the mask of legal actions."""
        observation, mask = (
            np.zeros(self.game.observation_size, np.int8),
            np.zeros(len(self.game.rules.ACTIONS), np.bool_),
        )
        mask[self.legal(knowledge, seat)] = True
        self.driver.call("observe_row", self._rows, 0, seat, self.driver.shared(observation))
        return observation, mask

    def ask(self, views: Sequence[tuple[np.ndarray, np.ndarray]]) -> np.ndarray:
        """The probabilities for several views, float64 (views, actions)."""
        observations, masks = map(np.array, zip(*views, strict=True))
        return answers(self.policy, self.name, observations, masks, self.game.rules.ACTIONS)

    def draw(self, probabilities: np.ndarray) -> int:
        """An action drawn by its probability."""
        actions = np.flatnonzero(probabilities)
        return int(actions[self.drawn(probabilities[actions])])

    def choose(self, knowledge: bytes, seat: int) -> int:
        """An action id for the seat, from its concealed struct."""
        return self.draw(self.ask([self.look(knowledge, seat)])[0])

    def candidates(self, knowledge: bytes, seat: int, worlds: int | None = None) -> list[Candidate]:  # noqa: ARG002
        """Every legal action with its probability; a policy from outside has no values."""
        view = self.look(knowledge, seat)
        (row,) = self.ask([view])
        return ranked(Candidate(int(k), float(row[k]), None, None) for k in np.flatnonzero(view[1]))


# --- ONNX -------------------------------------------------------------------------------------------------------------
KINDS = {"tensor(float)": np.float32, "tensor(double)": np.float64, "tensor(int8)": np.int8, "tensor(bool)": np.bool_}
LOGITS, PROBABILITIES = "logits", "probabilities"


class OnnxPolicy:
    """The policy of a net in an ONNX file, by onnxruntime on one thread; raises HexdeckError for a file of others.

    Its input `observation` takes rows of the game's observations; it may have a second one, `mask`. Its output is
    `logits`, of which the legal ones become probabilities, or `probabilities`.
    """

    def __init__(self, file: Path, game: GameSetup) -> None:
        try:
            import onnxruntime
        except ImportError:
            text = _("ONNX files need onnxruntime: pip install '.[onnx]' in Hexdeck's folder installs it.")
            raise HexdeckError(say(text)) from None
        settings = onnxruntime.SessionOptions()
        settings.intra_op_num_threads = settings.inter_op_num_threads = 1
        settings.log_severity_level = 4  # what is wrong is said once, by us
        try:
            self._session = onnxruntime.InferenceSession(
                file.read_bytes(), settings, providers=["CPUExecutionProvider"]
            )
        except OSError as error:
            raise unreadable(file, error) from None
        except Exception:  # onnxruntime's own, which have no common class
            raise HexdeckError(say("{file} is not an ONNX file, or it is damaged.", file=str(file))) from None
        wide = {"observation": game.observation_size, "mask": len(game.rules.ACTIONS)}
        inputs = {tensor.name: tensor for tensor in self._session.get_inputs()}
        outputs = {tensor.name: tensor for tensor in self._session.get_outputs()}
        is_policy = (
            "observation" in inputs
            and all(name in wide and fitting(tensor, wide[name]) for name, tensor in inputs.items())
            and any(fitting(outputs[name], wide["mask"]) for name in (LOGITS, PROBABILITIES) if name in outputs)
        )
        if not is_policy:
            text = _(
                "{file} isn't a policy of {game}: it needs an input observation (rows, {size}), perhaps an input mask "
                "(rows, {actions}), and an output logits or probabilities (rows, {actions}), but has {given}."
            )
            tensors = ", ".join(f"{tensor.name} {tensor.shape}" for tensor in (*inputs.values(), *outputs.values()))
            about = {"size": wide["observation"], "actions": wide["mask"], "given": tensors[:300]}
            raise HexdeckError(say(text, file=str(file), game=game.name, **about))
        self._kinds = {name: KINDS[tensor.type] for name, tensor in inputs.items()}
        self._output = LOGITS if LOGITS in outputs else PROBABILITIES

    def __call__(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """See `Policy`; raises HexdeckError where the net can't be computed."""
        feed = {"observation": observations, "mask": masks}
        try:
            (out,) = self._session.run(
                [self._output], {name: feed[name].astype(kind) for name, kind in self._kinds.items()}
            )
        except Exception as error:
            raise HexdeckError(say("the net can't be computed: {why}", why=first_line(error))) from None
        if self._output == PROBABILITIES or out.shape != masks.shape:
            return np.asarray(out)
        logits = np.where(masks, np.asarray(out, np.float64), -np.inf)
        powers = np.exp(logits - logits.max(axis=1, keepdims=True))
        return np.asarray(powers / powers.sum(axis=1, keepdims=True))


def fitting(value: Any, wide: int) -> bool:
    """Whether an input or output takes rows, any number of them, of so many numbers, of a kind that we give."""
    shape = value.shape
    return len(shape) == 2 and not isinstance(shape[0], int) and shape[1] in (wide, None) and value.type in KINDS


# --- programs ---------------------------------------------------------------------------------------------------------
class ProgramBot:
    """A program of the protocol as a bot, one process for each; raises HexdeckError where it can't go on.

    Outside a tournament a program isn't told what happened before, nor how a match ends: see the protocol.
    """

    def __init__(self, game: GameSetup, command: str, backend: str | None = None) -> None:
        programs.check_command(programs.PREFIX + command)
        self._program = programs.Program(command, THINK)
        self.name, self._match = self._program.name, Match(game, by_hand=True, backend=backend)
        weakref.finalize(self, self._program.close)

    def begin(self, _number: int) -> None:
        """A new match: the next line is number 0."""
        self._program.version = 0

    def choose(self, knowledge: bytes, seat: int) -> int:
        """The action that the program answers."""
        self._match.load_trusted_position(np.frombuffer(knowledge, np.uint8))
        try:
            return self._program.choose(self._match, seat)
        except programs.Forfeit as error:
            raise HexdeckError(say("{bot} can't go on: {why}.", bot=self.name, why=error.text)) from None

    def candidates(self, knowledge: bytes, seat: int, worlds: int | None = None) -> list[Candidate]:  # noqa: ARG002
        """Every legal action; all of the probability is on the one that it answers now."""
        action = self.choose(knowledge, seat)
        return ranked(Candidate(k, float(k == action), None, None) for k in self._match.legal_ids(seat))
