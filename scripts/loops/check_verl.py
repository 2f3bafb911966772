"""verl's data set, custom reward function and reward manager over the export, with a tokenizer of bytes."""

import asyncio
import importlib.metadata
import sys
from pathlib import Path

import torch
from omegaconf import OmegaConf
from sql_answers import report, right, wrong
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from torch.utils.data import DataLoader
from transformers import PreTrainedTokenizerFast
from verl import DataProto
from verl.experimental.reward_loop.reward_manager.naive import NaiveRewardManager
from verl.trainer.ppo.reward import get_custom_reward_fn
from verl.utils.dataset.rl_dataset import RLHFDataset, collate_fn

RUN = Path(sys.argv[1])


def byte_tokenizer() -> PreTrainedTokenizerFast:
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    tokenizer = Tokenizer(models.BPE({char: i for i, char in enumerate(alphabet)}, []))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    template = "{% for message in messages %}{{ message.role }}: {{ message.content }}\n{% endfor %}"
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, pad_token=alphabet[0], chat_template=template)


tokenizer = byte_tokenizer()
config = OmegaConf.create({"max_prompt_length": 100_000, "filter_overlong_prompts_workers": 1})
dataset = RLHFDataset([str(path) for path in RUN.glob("verl/*.parquet")], tokenizer, config)
reward = {"custom_reward_function": {"path": f"{RUN}/verl/reward.py", "name": "compute_score"}}
compute_score = get_custom_reward_fn(OmegaConf.create({"reward": reward}))


async def scores_of(answer) -> list[float]:
    manager = NaiveRewardManager(OmegaConf.create({}), tokenizer, compute_score)
    scores = []
    for batch in DataLoader(dataset, batch_size=1, collate_fn=collate_fn):
        [gold] = batch["reward_model"]
        responses = torch.tensor([tokenizer.encode(answer(gold["ground_truth"]))])
        tensors = {"prompts": torch.zeros((1, 1), dtype=torch.long), "responses": responses}
        tensors["attention_mask"] = torch.ones((1, 1 + responses.shape[1]), dtype=torch.long)
        fields = ("data_source", "reward_model", "extra_info")
        data = DataProto.from_dict(tensors=tensors, non_tensors={name: batch[name] for name in fields})
        scores.append((await manager.run_single(data))["reward_score"])
    return scores


golds, others = (asyncio.run(scores_of(answer)) for answer in (right, wrong))
report(importlib.metadata.version("verl"), golds, others)
