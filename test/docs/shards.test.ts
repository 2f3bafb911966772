import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type ExampleData, writeSmallData } from '../e2e/example-data.js';
import { BINARY, hashFiles, makeTempFolder, PROJECT } from '../e2e/run-cli.js';

const { shardRecipe } = (await import(pathToFileURL(join(PROJECT, 'scripts/shard-recipes.mjs')).href)) as {
  shardRecipe: (scheduler: string, words: readonly string[], count: number) => string;
};

const SHARDS = 3;
const temp = makeTempFolder();
const at = (...parts: string[]): string => join(temp.path, ...parts);
const program = (name: string, text: string): void => writeFileSync(at('bin', name), text, { mode: 0o755 });

// Stand-ins for schedulers, that run the tasks here, one by one.
const SBATCH = `#!/bin/sh
last=$(sed -n 's/^#SBATCH --array=0-//p' "$1")
for task in $(seq 0 "$last"); do
  export SLURM_ARRAY_TASK_ID=$task SLURM_ARRAY_TASK_COUNT=$((last + 1)) SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_MAX=$last
  sh "$1" || exit 1
done
`;
const PARALLEL = `#!/bin/sh
while [ "\${1#--}" != "$1" ]; do shift; done
while read -r input; do sh -c "$(echo "$*" | sed "s/{}/$input/")" < /dev/null || exit 1; done
`;
const RAY = `class Remote:
    def __init__(self, call): self.remote = call


def init(): pass
def remote(**options): return Remote
def get(results): return results
`;

let data: ExampleData;
let whole: Readonly<Record<string, string>>;

const environment = (): NodeJS.ProcessEnv => ({
  ...process.env,
  PATH: [at('bin'), process.env['PATH']].join(delimiter),
  PYTHONPATH: at('bin'),
  PERTURBQL_CACHE: at('cache'),
});
const call = (file: string, args: readonly string[], env = environment()): string =>
  execFileSync(file, args, { cwd: temp.path, env, encoding: 'utf8' });
const perturbql = (...args: readonly string[]): string => call(process.execPath, [BINARY, ...args, '--quiet']);

const wordsFor = (out: string): readonly string[] => [
  ...['mutate', '--relations', 'PI,CRm', '--no-guard', '--limit', '1', '--quiet', ...data.options],
  ...['--out', out],
];

/** The file with what the page says to give a scheduler. */
function recipeFile(scheduler: string, out: string): string {
  const file = at(`${out}.job`);
  writeFileSync(file, shardRecipe(scheduler, wordsFor(out), SHARDS));
  return file;
}

function expectWhole(out: string): void {
  expect(perturbql('missing', out)).toBe('');
  perturbql('merge', out, '--out', `${out}-merged`);
  expect(hashFiles(at(`${out}-merged`))).toEqual(whole);
}

beforeAll(() => {
  data = writeSmallData(temp.path);
  mkdirSync(at('bin'));
  program('perturbql', `#!/bin/sh\nexec "${process.execPath}" "${BINARY}" "$@"\n`);
  program('sbatch', SBATCH);
  program('parallel', PARALLEL);
  writeFileSync(at('bin/ray.py'), RAY);
  perturbql(...wordsFor('whole'));
  whole = hashFiles(at('whole'));
}, 60_000);
afterAll(() => temp.remove());

const hasPython = spawnSync('python3', ['--version']).status === 0;

describe('what docs/shards.md gives a scheduler makes the run in one piece', { timeout: 120_000 }, () => {
  it('Slurm', () => {
    const file = recipeFile('Slurm', 'slurm');
    call('sbatch', [file]);
    expectWhole('slurm');
  });

  it('GNU parallel, and the same line again where a shard has failed', () => {
    const file = recipeFile('GNU parallel', 'parallel');
    const broken = { ...environment(), PATH: [at('failing'), environment()['PATH']].join(delimiter) };
    mkdirSync(at('failing'));
    const failing = `#!/bin/sh\ncase "$*" in *1/${SHARDS}) exit 1;; esac\nexec "${process.execPath}" "${BINARY}" "$@"\n`;
    writeFileSync(at('failing/perturbql'), failing, { mode: 0o755 });
    expect(() => call('sh', [file], broken)).toThrow();
    expect(perturbql('missing', 'parallel')).toBe('1-2\n');
    call('sh', [file]);
    expectWhole('parallel');
  });

  it.skipIf(!hasPython)('Ray', () => {
    call('python3', [recipeFile('Ray', 'ray')]);
    expectWhole('ray');
  });

  it('Kubernetes', () => {
    const job = parse(shardRecipe('Kubernetes', wordsFor('kubernetes'), SHARDS)) as {
      kind: string;
      spec: {
        completionMode: string;
        completions: number;
        template: { spec: { containers: { command: string[]; env: { name: string; value: string }[] }[] } };
      };
    };
    const [container] = job.spec.template.spec.containers;
    const given = Object.fromEntries(container!.env.map(({ name, value }) => [name, value]));
    expect([job.kind, job.spec.completionMode, job.spec.completions]).toEqual(['Job', 'Indexed', SHARDS]);
    expect(given).toEqual({ PERTURBQL_SHARDS: String(SHARDS) });
    const [name, ...args] = container!.command;
    for (let index = 0; index < SHARDS; index++) {
      call(name!, args, { ...environment(), ...given, JOB_COMPLETION_INDEX: String(index) });
    }
    expectWhole('kubernetes');
  });
});
