"""NeMo Gym's server over HTTP on the tasks of the export, with its settings; its own bird_sql reads them, too."""

import importlib.metadata
import importlib.util
import json
import sys
from pathlib import Path
from unittest.mock import MagicMock

import yaml
from fastapi.testclient import TestClient
from nemo_gym.config_types import ResourcesServerTypeConfig, ResponsesAPIAgentServerTypeConfig
from nemo_gym.openai_utils import NeMoGymResponse
from nemo_gym.server_utils import ServerClient
from resources_servers.bird_sql.app import BirdSqlVerifyRequest
from sql_answers import report, right, wrong

PLACE = Path(sys.argv[1]) / "nemo-gym/resources_servers/perturbql_sql"
config = yaml.safe_load((PLACE / "configs/perturbql_sql.yaml").read_text())
ResponsesAPIAgentServerTypeConfig.model_validate(config["perturbql_sql_simple_agent"])
servers = ResourcesServerTypeConfig.model_validate(config["perturbql_sql"]).resources_servers
entry = servers["perturbql_sql"]

spec = importlib.util.spec_from_file_location("app", PLACE / entry.entrypoint)
app = importlib.util.module_from_spec(spec)
sys.modules["app"] = app
spec.loader.exec_module(app)
settings = app.PerturbqlServerConfig(host="", port=0, name="perturbql_sql", entrypoint=entry.entrypoint)
server = app.PerturbqlServer(config=settings, server_client=MagicMock(spec=ServerClient))
client = TestClient(server.setup_webserver())


def response(text: str) -> dict:
    content = [{"annotations": [], "text": text, "type": "output_text"}]
    message = {"id": "m", "content": content, "role": "assistant", "status": "completed", "type": "message"}
    fields = {"id": "r", "created_at": 0.0, "model": "m", "object": "response", "output": [message]}
    return NeMoGymResponse(**fields, parallel_tool_calls=True, tool_choice="auto", tools=[]).model_dump()


def scores_of(answer) -> list[float]:
    scores = []
    with (PLACE / "data/tasks.jsonl").open() as lines:
        for task in map(json.loads, lines):
            body = {**task, "response": response(answer(task["gt_sql"]))}
            BirdSqlVerifyRequest.model_validate(body)
            verified = client.post("/verify", json=body)
            verified.raise_for_status()
            scores.append(verified.json()["reward"])
    return scores


report(importlib.metadata.version("nemo-gym"), scores_of(right), scores_of(wrong))
