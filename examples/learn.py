"""From battle to gradient: a small policy that scores the rows of proposed answers, first by imitation of `subaltern`,
then by its own battles. CPU only.

    python examples/learn.py --scenario the-disputed-valley --imitate 400 --reinforce 200 --plot docs/pictures/learn.svg

The rulebook's own first judgement (`promise`) is kept from the policy; what it knows of an answer is what the answer is.
With `--ray N` its own battles are fought by N Ray actors, each with its own vector of battles.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from tricorne.envs import COLUMNS, BattleVectorEnv

PARTS = ("units", "ground", "decision", "answers")


class Policy(nn.Module):
    """Units and ground are summed up as sets; each answer is scored beside that summary, the decision and the units it
    names. Nothing depends on how many rows there are, or in which order."""

    def __init__(self, wide: int = 64) -> None:
        super().__init__()

        def layers(n: int, out: int) -> nn.Sequential:
            return nn.Sequential(nn.Linear(n, wide), nn.ReLU(), nn.Linear(wide, out))

        self.unit = layers(len(COLUMNS["units"]), wide)
        self.ground = layers(len(COLUMNS["ground"]), wide)
        self.decision = layers(len(COLUMNS["decision"]), wide)
        self.answer = layers(len(COLUMNS["answers"]), wide)
        self.score = layers(6 * wide, 1)
        self.value = layers(3 * wide, 1)
        self.rows = [COLUMNS["answers"].index(name) for name in ("unit_row", "target_row")]

    def forward(self, seen: dict[str, Tensor], mask: Tensor) -> tuple[Tensor, Tensor]:
        """A score for each answer (nothing for those that are not there) and what the position is worth."""
        units = self.unit(seen["units"]) * seen["units"][..., :1]
        ground = self.ground(seen["ground"]) * seen["ground"][..., :1]
        whole = torch.cat([units.mean(1), ground.mean(1), self.decision(seen["decision"])], -1)
        n = seen["answers"].shape[1]
        named = [self.named(units, seen["answers"][..., row]) for row in self.rows]
        beside = whole.unsqueeze(1).expand(-1, n, -1)
        scores = self.score(torch.cat([beside, self.answer(seen["answers"]), *named], -1)).squeeze(-1)
        return scores.masked_fill(~mask, -1e9), torch.tanh(self.value(whole)).squeeze(-1)

    @staticmethod
    def named(units: Tensor, rows: Tensor) -> Tensor:
        """What is known of the unit that each answer names; nothing where it names none."""
        index = rows.long().clamp(min=0).unsqueeze(-1).expand(-1, -1, units.shape[-1])
        return units.gather(1, index) * (rows >= 0).unsqueeze(-1)


def looked(seen: dict[str, Any]) -> tuple[dict[str, Tensor], Tensor]:
    """An observation as tensors of its own: the environment goes on writing into its arrays."""
    parts = {part: torch.from_numpy(seen["observation"][part].copy()) for part in PARTS}
    return parts, torch.from_numpy(seen["action_mask"].astype(bool))


def vector(scenario: str, battles: int, against: str | None) -> BattleVectorEnv:
    return BattleVectorEnv(scenario, battles, against=against, promise=False, answers=32)


def imitate(policy: Policy, scenario: str, steps: int, battles: int, seed: int) -> list[float]:
    """Learns to answer as a subaltern would, in battles between subalterns. How often it does, step by step."""
    env = vector(scenario, battles, None)
    optimiser = torch.optim.Adam(policy.parameters(), 1e-3)
    seen, info = env.reset(seed=seed)
    alike = []
    for _ in range(steps):
        parts, mask = looked(seen)
        advice = torch.from_numpy(info["advice"].copy())
        scores, _ = policy(parts, mask)
        choice = mask.sum(-1) > 1
        loss = nn.functional.cross_entropy(scores[choice], advice[choice]) if choice.any() else scores.sum() * 0
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        if choice.any():
            alike.append((scores[choice].argmax(-1) == advice[choice]).float().mean().item())
        # Now and then something else is done, so that it learns what to do about its own mistakes.
        answers = np.where(np.random.default_rng(len(alike)).random(battles) < 0.9, info["advice"], 0)
        seen, _, _, _, info = env.step(answers)
    return alike


def fought(policy: Policy, env: BattleVectorEnv, seen: dict[str, Any], steps: int) -> tuple[dict[str, Any], Any]:
    """Some steps of the policy's own in every battle, remembered: what was seen, done and thought of it."""
    kept: dict[str, list[Any]] = {"parts": [], "mask": [], "answer": [], "log": [], "value": [], "reward": [], "over": []}
    for _ in range(steps):
        parts, mask = looked(seen)
        with torch.no_grad():
            scores, value = policy(parts, mask)
            chance = torch.distributions.Categorical(logits=scores)
            answer = chance.sample()
        seen, reward, over, broken_off, _ = env.step(answer.numpy())
        done = (over | broken_off).astype(np.float32)
        things = (parts, mask, answer, chance.log_prob(answer), value, torch.tensor(reward), torch.from_numpy(done))
        for key, thing in zip(kept, things, strict=True):
            kept[key].append(thing)
    with torch.no_grad():
        kept["value"].append(policy(*looked(seen))[1])
    return kept, seen


def gains(kept: dict[str, Any]) -> tuple[Tensor, Tensor]:
    """How much better than expected each answer turned out, and what each position was worth (GAE)."""
    gain, gained = torch.zeros_like(kept["value"][0]), []
    for n in reversed(range(len(kept["answer"]))):
        on = 1 - kept["over"][n]
        surprise = kept["reward"][n] + 0.999 * kept["value"][n + 1] * on - kept["value"][n]
        gain = surprise + 0.999 * 0.97 * on * gain
        gained.append(gain)
    gain = torch.stack(gained[::-1])
    return gain, gain + torch.stack(kept["value"][:-1])


def learn_from(policy: Policy, optimiser: torch.optim.Optimizer, kept: dict[str, Any], judging_only: bool) -> None:
    """Proximal policy optimisation over what was fought: some passes, never far from the policy that fought it."""
    gain, worth = gains(kept)
    gain = (gain - gain.mean()) / (gain.std() + 1e-6)
    for _ in range(1 if judging_only else 3):
        for n in torch.randperm(len(kept["answer"])).split(8):
            at = n.tolist()
            parts = {part: torch.cat([kept["parts"][i][part] for i in at]) for part in PARTS}
            mask = torch.cat([kept["mask"][i] for i in at])
            answer, before = (torch.cat([kept[key][i] for i in at]) for key in ("answer", "log"))
            scores, value = policy(parts, mask)
            loss = nn.functional.mse_loss(value, worth[n].flatten())
            # Until it can judge a position, what it makes of its battles is noise: the answers stay as they are.
            if not judging_only:
                chance = torch.distributions.Categorical(logits=scores)
                ratio = (chance.log_prob(answer) - before).exp()
                better = gain[n].flatten()
                bounded = torch.min(ratio * better, ratio.clamp(0.9, 1.1) * better)
                choice = mask.sum(-1) > 1
                loss = 0.5 * loss - bounded[choice].mean() - 0.002 * chance.entropy()[choice].mean()
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
            optimiser.step()


class Fighter:
    """A vector of battles that a policy is sent to, here or in a Ray actor."""

    def __init__(self, scenario: str, battles: int, against: str | None, seed: int) -> None:
        self.policy = Policy()
        self.env = vector(scenario, battles, against)
        self.seen, _ = self.env.reset(seed=seed)

    def fight(self, weights: dict[str, Tensor], steps: int) -> dict[str, Any]:
        self.policy.load_state_dict(weights)
        kept, self.seen = fought(self.policy, self.env, self.seen, steps)
        return kept


def reinforce(policy: Policy, fighters: list[Any], rounds: int, steps: int, each: Any) -> None:
    """Sends the policy to its battles and learns from them, round by round."""
    optimiser = torch.optim.Adam(policy.parameters(), 1e-4)
    judge = torch.optim.Adam(policy.value.parameters(), 1e-3)
    for n in range(rounds):
        weights = {name: tensor.detach().clone() for name, tensor in policy.state_dict().items()}
        if hasattr(fighters[0].fight, "remote"):
            import ray

            sent = ray.put(weights)
            batches = ray.get([fighter.fight.remote(sent, steps) for fighter in fighters])
        else:
            batches = [fighter.fight(weights, steps) for fighter in fighters]
        judging_only = n < rounds // 10
        for kept in batches:
            learn_from(policy, judge if judging_only else optimiser, kept, judging_only)
        each(n + 1)


def share(policy: Policy, scenario: str, against: str, battles: int, seed: int) -> float:
    """The share of battles that the policy's best answers win, sides changed in turn; a draw is half of one."""
    env = vector(scenario, min(battles, 32), against)
    seen, _ = env.reset(seed=seed)
    won = ended = 0.0
    while ended < battles:
        with torch.no_grad():
            scores, _ = policy(*looked(seen))
        seen, reward, over, broken_off, _ = env.step(scores.argmax(-1).numpy())
        done = over | broken_off
        ended += done.sum()
        won += ((reward[done] + 1) / 2).sum()
    return float(won / ended)


def draw(curve: list[dict[str, Any]], path: Path) -> None:
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "tricorne"
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(8, 4.5))
    for against in ("random", "subaltern"):
        axes.plot([p["steps"] for p in curve], [p[against] for p in curve], marker="o", label=f"against {against}")
    axes.axhline(0.5, color="grey", linewidth=0.8)
    axes.set(xlabel="gradient steps", ylabel="share of battles won", ylim=(0, 1), title="A small policy learns to fight")
    axes.legend()
    figure.savefig(path, metadata={"Date": None})


def main(words: list[str] | None = None) -> list[dict[str, Any]]:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scenario", default="the-disputed-valley")
    parser.add_argument("--imitate", type=int, default=400, help="gradient steps by imitation")
    parser.add_argument("--reinforce", type=int, default=200, help="gradient steps by its own battles")
    parser.add_argument("--battles", type=int, default=64, help="battles side by side")
    parser.add_argument("--trial", type=int, default=100, help="battles for each point of the curve")
    parser.add_argument("--points", type=int, default=4, help="points of the curve in each half")
    parser.add_argument("--ray", type=int, default=0, help="Ray actors that fight its own battles")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plot", type=Path)
    parser.add_argument("--keep", type=Path, help="where the weights are kept")
    args = parser.parse_args(words)

    torch.manual_seed(args.seed)
    policy, curve, begun = Policy(), [], time.monotonic()

    def measured(steps: int, **more: Any) -> None:
        against = {a: share(policy, args.scenario, a, args.trial, 10_000 + args.seed) for a in ("random", "subaltern")}
        curve.append({"steps": steps, **against, "seconds": round(time.monotonic() - begun, 1), **more})
        print(json.dumps(curve[-1]), flush=True)

    measured(0)
    part = max(1, args.imitate // args.points)
    for n in range(args.points if args.imitate else 0):
        alike = imitate(policy, args.scenario, part, args.battles, args.seed + n)
        measured((n + 1) * part, as_a_subaltern=round(float(np.mean(alike[-20:])), 3))
    begin = part * args.points if args.imitate else 0
    if args.reinforce:
        workers = max(1, args.ray)
        if args.ray:
            import ray

            ray.init(ignore_reinit_error=True, include_dashboard=False, log_to_driver=False)
            remote = ray.remote(num_cpus=1)(Fighter)
            fighters = [remote.remote(args.scenario, args.battles // workers, "subaltern", 1000 * n) for n in range(workers)]
        else:
            fighters = [Fighter(args.scenario, args.battles, "subaltern", 1000)]
        every = max(1, args.reinforce // args.points)
        reinforce(
            policy, fighters, args.reinforce, 16,
            lambda n: measured(begin + n * workers) if n % every == 0 else None,
        )
    if args.plot:
        draw(curve, args.plot)
    if args.keep:
        torch.save(policy.state_dict(), args.keep)
    return curve


if __name__ == "__main__":
    main()
