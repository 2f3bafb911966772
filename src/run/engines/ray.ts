import { join } from 'node:path';
import { ABSENT, type Engine, shellLine } from './engine.js';

/** Places the shards on the cluster that `RAY_ADDRESS` names, or on a local one. */
const DRIVER = `import json, subprocess, sys

try:
    import ray
except ImportError:
    sys.exit(${ABSENT})

job = json.load(open(sys.argv[1]))
ray.init(log_to_driver=True)


@ray.remote(max_retries=0)
def run(index):
    shard = ["--shard", f"{index}/{job['count']}"]
    return subprocess.run(job["command"] + shard, cwd=job["cwd"]).returncode


codes = ray.get([run.remote(index) for index in job["indexes"]])
sys.exit(0 if not any(codes) else 1)
`;

/** Ray: a driver that places one task for each shard; \`ray\` of the \`python3\` that is found. */
export const ray: Engine = {
  install: 'Ray (pip install ray)',
  plan: ({ command, indexes, count, cwd, folder }) => {
    const [driver, job] = [join(folder, 'ray_driver.py'), join(folder, 'job.json')];
    const files = { [driver]: DRIVER, [job]: `${JSON.stringify({ command, indexes, count, cwd }, null, 2)}\n` };
    return { files, start: { program: 'python3', args: [driver, job] }, lines: [shellLine(['python3', driver, job])] };
  },
};
