"""A resources server of NeMo Gym that has perturbql judge the query of an answer."""

import asyncio
from pathlib import Path

import perturbql
from nemo_gym.base_resources_server import (
    BaseResourcesServerConfig,
    BaseVerifyRequest,
    BaseVerifyResponse,
    SimpleResourcesServer,
)
from nemo_gym.reward_profile import compute_pass_majority_metrics, compute_subset_metrics
from pydantic import ConfigDict

RUN = Path(__file__).resolve().parents[3]


class VerifyRequest(BaseVerifyRequest):
    model_config = ConfigDict(extra="allow")

    gt_sql: str
    db_id: str
    kind: str


class VerifyResponse(BaseVerifyResponse):
    model_config = ConfigDict(extra="allow")


class PerturbqlServerConfig(BaseResourcesServerConfig):
    #: Options of `perturbql serve rewards`, such as reward or suite.
    options: dict[str, str | int | float | bool] = {}


class PerturbqlServer(SimpleResourcesServer):
    config: PerturbqlServerConfig

    async def verify(self, body: VerifyRequest) -> VerifyResponse:
        given = {"tables": RUN / "tables.json", "databases": RUN / "database", **self.config.options}
        answer = body.response.output_text or ""
        scores = await asyncio.to_thread(perturbql.reward, [answer], [body.gt_sql], [body.db_id], answers=True, **given)
        return VerifyResponse(**body.model_dump(), reward=scores[0])

    def compute_metrics(self, tasks):
        """Accuracy over all, and over the questions of each kind."""

        def score(result):
            return {"accuracy": float(result["reward"])}

        metrics, *_ = compute_pass_majority_metrics(tasks, score_fn=score)
        return metrics | compute_subset_metrics(tasks, "kind", score)


if __name__ == "__main__":
    PerturbqlServer.run_webserver()
