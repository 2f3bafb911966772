"""What train_judge.py and train_encoder.py share: steps in a fixed order, a running average of the weights, checkpoints.

The same command again after a stop goes on at the same batch with the same random state.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch


@dataclass(frozen=True)
class Schedule:
    """How the rate moves, and how slowly the average of the weights forgets."""

    highest_rate: float
    warmup_steps: int
    lowest_share: float
    """Of the highest rate, at the end."""
    averaged_share: float
    """Of the average that each step keeps: the average is what is written, so that a run that must stop early gives
    good weights too."""

    def rate_at(self, step: int, steps: int) -> float:
        """Linear warm-up, then linear decay."""
        return self.highest_rate * min(1, (step + 1) / self.warmup_steps) * max(self.lowest_share, 1 - step / steps)


def fingerprint(texts: Iterable[str], settings: dict[str, Any]) -> str:
    """Names one run: a checkpoint of other data or settings must not be continued."""
    digest = hashlib.sha256(json.dumps(settings, sort_keys=True).encode())
    for text in texts:
        digest.update(f"{text}\n".encode())
    return digest.hexdigest()


class FineTuning:
    """A network, its optimizer, and how far its run has come."""

    def __init__(self, model: torch.nn.Module, schedule: Schedule, out: Path, run_id: str) -> None:
        self.model = model
        self._trained: list[torch.Tensor] = [parameter for parameter in model.parameters() if parameter.requires_grad]
        self._optimizer = torch.optim.AdamW(self._trained, lr=schedule.highest_rate, weight_decay=0.01)
        self._average: list[torch.Tensor] = [parameter.detach().clone() for parameter in self._trained]
        self._schedule = schedule
        self._run_id = run_id
        self._checkpoint = out / "checkpoint.pt"

    def resume(self) -> int:
        """Loads the checkpoint if there is one; returns the next step."""
        if not self._checkpoint.exists():
            return 0
        state = torch.load(self._checkpoint, weights_only=True)
        if state["run"] != self._run_id:
            raise SystemExit(f"{self._checkpoint} is of other data or settings: remove it or change --out")
        self.model.load_state_dict(state["model"])
        self._optimizer.load_state_dict(state["optimizer"])
        self._average = state["average"]
        torch.set_rng_state(state["random"])
        return int(state["step"])

    def save_checkpoint(self, step: int) -> None:
        """Writes next to the checkpoint and renames, so that a stop while writing leaves the older one whole."""
        self._checkpoint.parent.mkdir(parents=True, exist_ok=True)
        unfinished = self._checkpoint.with_suffix(".tmp")
        state = {
            "run": self._run_id,
            "step": step,
            "model": self.model.state_dict(),
            "optimizer": self._optimizer.state_dict(),
            "average": self._average,
            "random": torch.get_rng_state(),
        }
        torch.save(state, unfinished)
        os.replace(unfinished, self._checkpoint)

    def learn(self, loss: torch.Tensor, step: int, steps: int) -> float:
        """One optimizer step from a batch's loss, which it returns."""
        for group in self._optimizer.param_groups:
            group["lr"] = self._schedule.rate_at(step, steps)
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self._trained, 1.0)
        self._optimizer.step()
        self._optimizer.zero_grad()
        # Early weights are far off: the average forgets them sooner.
        kept = min(self._schedule.averaged_share, (1 + step) / (10 + step))
        with torch.no_grad():
            torch._foreach_lerp_(self._average, self._trained, 1 - kept)
        return float(loss.item())

    def take_average(self) -> None:
        """Puts the average in place of the last weights."""
        with torch.no_grad():
            for parameter, average in zip(self._trained, self._average, strict=True):
                parameter.copy_(average)


class Trainer:
    """What learns: a batch at a time, in order."""

    tuning: FineTuning

    def loss(self, batch: Any) -> torch.Tensor:
        """The loss of one batch."""
        raise NotImplementedError


def progress(losses: Iterator[tuple[int, float]], steps: int, size: int) -> Iterator[int]:
    """Prints a smoothed loss and the rate every hundred steps, and passes the steps on."""
    began, first, smooth = time.monotonic(), -1, 0.0
    for step, loss in losses:
        smooth = loss if first < 0 else 0.98 * smooth + 0.02 * loss
        first = step if first < 0 else first
        if step % 100 == 0:
            rate = (step - first + 1) * size / (time.monotonic() - began)
            print(f"step {step} of {steps}, loss {smooth:.3f}, {rate:.0f} pairs/s", flush=True)
        yield step


def train(trainer: Trainer, batches: Sequence[Sequence[Any]], minutes: float) -> int:
    """Learns every batch that the checkpoint has not seen; returns how many steps there are."""
    steps, tuning = len(batches), trainer.tuning
    losses = ((step, tuning.learn(trainer.loss(batches[step]), step, steps)) for step in range(tuning.resume(), steps))
    saved = time.monotonic()
    for step in progress(losses, steps, len(batches[0])):
        if time.monotonic() - saved >= 60 * minutes:
            tuning.save_checkpoint(step + 1)
            saved = time.monotonic()
    return steps


def set_up(threads: int, seed: int) -> None:
    """The state that every run starts from."""
    torch.set_num_threads(threads)
    torch.manual_seed(seed)
    # Without it, going on from trained weights is several times slower: tiny numbers take the slow path of the CPU.
    torch.set_flush_denormal(True)
