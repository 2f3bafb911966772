import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { candidatesFor } from '../measure/attack/attack-fixture.js';
import { EXAMPLES, writeSmallData } from '../e2e/example-data.js';
import { BINARY, makeTempFolder, PROJECT } from '../e2e/run-cli.js';

const temp = makeTempFolder();
const at = (...parts: string[]): string => join(temp.path, ...parts);
/** An attack on a model that never answers right. */
let attackOptions = '';
const EVALUATE = ['gold.sql', 'pred.sql', 'tables.json', 'database'].map((name) => `"${join(EXAMPLES, name)}"`);
const evaluateOptions = `--gold ${EVALUATE[0]} --predictions ${EVALUATE[1]}\n --tables ${EVALUATE[2]} --databases ${EVALUATE[3]}`;

/** An `npm` that notes what it is asked and puts the built checkout where it would install the package. */
const NPM = `#!/usr/bin/env bash
printf '%s\\n' "$*" >> "$NPM_NOTES"
while [ "$1" != --prefix ]; do shift; done
mkdir -p "$2/node_modules/.bin"
ln -sfn "${PROJECT}" "$2/node_modules/perturbql"
printf '#!/bin/sh\\nexec "%s" "%s" "$@"\\n' "${process.execPath}" "${BINARY}" > "$2/node_modules/.bin/perturbql"
chmod +x "$2/node_modules/.bin/perturbql"
`;

interface ScriptResult {
  readonly code: number | null;
  readonly output: string;
}

function bash(script: string, cwd: string, env: Readonly<Record<string, string>>): ScriptResult {
  const own = { NPM_NOTES: at('npm-notes'), PERTURBQL_CACHE: at('cache') };
  const path = `${env['PATH'] ?? at('bin')}:${process.env['PATH']}`;
  const done = spawnSync('bash', ['-e', '-o', 'pipefail', '-c', script], {
    cwd,
    env: { ...process.env, ...own, ...env, PATH: path },
    encoding: 'utf8',
  });
  return { code: done.status, output: done.stdout + done.stderr };
}

function folder(name: string): string {
  mkdirSync(at(name), { recursive: true });
  return at(name);
}

const read = (...parts: string[]): string => readFileSync(at(...parts), 'utf8');

beforeAll(() => {
  const data = writeSmallData(at('data'), [0, 10, 20]);
  writeFileSync(
    at('candidates.jsonl'),
    candidatesFor(3)
      .map((decision) => `${JSON.stringify(decision)}\n`)
      .join(''),
  );
  const given = [...data.options, '--candidates', at('candidates.jsonl'), '--seeds', '1'];
  const model = `"${process.execPath}" "${join(PROJECT, 'test/e2e/slow-model.mjs')}" "${at('notes')}" 0`;
  attackOptions = `${given.map((word) => `"${word}"`).join(' ')} --victim command --command '${model}'`;
  writeFileSync(join(folder('bin'), 'npm'), NPM);
  chmodSync(at('bin/npm'), 0o755);
});
afterAll(() => temp.remove());

const step = z.object({
  run: z.string().optional(),
  uses: z.string().optional(),
  env: z.record(z.string(), z.string()).default({}),
});
const action = z
  .object({
    inputs: z.record(z.string(), z.object({ description: z.string(), default: z.string() })),
    runs: z.object({ using: z.literal('composite'), steps: z.array(step) }),
  })
  .parse(parse(readFileSync(join(PROJECT, 'integrations/github/action.yml'), 'utf8')));

/** Runs the steps of the action as a runner does: expressions filled in, GITHUB_PATH followed, the first fault ends it. */
function runAction(name: string, given: Readonly<Record<string, string>>): ScriptResult & { readonly summary: string } {
  const cwd = folder(name);
  const [summary, path] = [join(cwd, 'summary'), join(cwd, 'path')];
  for (const file of [summary, path]) writeFileSync(file, '');
  const inputs = (text: string): string =>
    text.replace(/\$\{\{ inputs\.([\w-]+) \}\}/g, (_, input: string) => given[input] ?? action.inputs[input]!.default);
  let last: ScriptResult = { code: 0, output: '' };
  for (const { run, env } of action.runs.steps) {
    if (run === undefined) continue;
    // Inputs reach a script by the environment alone: written into it, they could run as its commands.
    expect(run).not.toContain('${{');
    const set = Object.fromEntries(Object.entries(env).map(([key, value]) => [key, inputs(value)]));
    const added = readFileSync(path, 'utf8').split('\n').filter(Boolean).reverse();
    const runner = { RUNNER_TEMP: cwd, GITHUB_PATH: path, GITHUB_STEP_SUMMARY: summary };
    last = bash(run, cwd, { ...runner, ...set, PATH: [...added, at('bin')].join(':') });
    if (last.code !== 0) break;
  }
  return { ...last, summary: readFileSync(summary, 'utf8') };
}

describe('the GitHub Action', () => {
  it('evaluates and attacks, with JUnit XML of both and a summary', () => {
    const given = { evaluate: evaluateOptions, attack: attackOptions, 'fail-below': 'original=0 rpl=0' };
    const { code, output, summary } = runAction('both', given);
    expect(output).toContain('exact match');
    expect(code).toBe(0);
    expect(summary).toMatch(/^## perturbql evaluate: passed\n\n```text\n/);
    expect(summary).toMatch(/^## perturbql attack: passed$/m);
    expect(summary).toMatch(/^exact set match/m);
    expect(read('both/perturbql-results/evaluate.xml')).toMatch(/<testsuite name="exact" tests="\d+"/);
    expect(read('both/perturbql-results/attack.xml')).toContain('exact match under RPL is at least 0%');
    for (const report of ['evaluate.html', 'attack/report.html'])
      expect(existsSync(at('both/perturbql-results', report))).toBe(true);
    expect(read('npm-notes')).toMatch(/^install --ignore-scripts .* perturbql$/m);
  });

  it('fails where an accuracy is below its limit, and still writes everything', () => {
    const { code, summary } = runAction('below', { attack: attackOptions, 'fail-below': 'rpl=100 original=100' });
    expect(code).toBe(3);
    expect(summary).toMatch(/^## perturbql attack: below its limits$/m);
    expect(summary).toMatch(/^failed: exact match under RPL is [\d.]+%, below 100%$/m);
    expect(read('below/perturbql-results/attack.xml')).toMatch(/<failure type="below"/);
  });

  it('fails with the fault in the summary where an input is wrong, and runs nothing that an option says', () => {
    const evaluate = '--gold nowhere.sql --predictions "$(touch pwned)" --tables `touch pwned`';
    const { code, summary } = runAction('wrong', { evaluate });
    expect(code).toBe(2);
    expect(summary).toMatch(/^## perturbql evaluate: failed$/m);
    expect(existsSync(at('wrong/pwned'))).toBe(false);
  });

  it('keeps the results even of a failed check', () => {
    expect(action.runs.steps.at(-1)?.uses).toMatch(/^actions\/upload-artifact@v\d+$/);
  });
});

const template = z
  .object({
    '.perturbql': z.object({
      image: z.string(),
      variables: z.record(z.string(), z.string()),
      script: z.array(z.string()),
      artifacts: z.object({ when: z.literal('always'), reports: z.object({ junit: z.string() }) }),
    }),
  })
  .parse(parse(readFileSync(join(PROJECT, 'integrations/gitlab/perturbql.gitlab-ci.yml'), 'utf8')))['.perturbql'];

describe('the GitLab template', () => {
  const runJob = (name: string, given: Readonly<Record<string, string>>): ScriptResult =>
    bash(template.script.join('\n'), folder(name), {
      ...template.variables,
      ...given,
      CI_BUILDS_DIR: folder(`${name}-builds`),
    });

  it('evaluates and attacks, and its JUnit files are those it reports', () => {
    const given = { PERTURBQL_EVALUATE: evaluateOptions, PERTURBQL_ATTACK: attackOptions };
    const { code } = runJob('gitlab', { ...given, PERTURBQL_FAIL_BELOW: 'add=0' });
    expect(code).toBe(0);
    expect(template.artifacts.reports.junit).toBe('perturbql-results/*.xml');
    expect(read('gitlab/perturbql-results/evaluate.xml')).toMatch(/^<\?xml /);
    expect(read('gitlab/perturbql-results/attack.xml')).toMatch(/^<\?xml /);
    expect(read('gitlab/perturbql-results/summary.md')).toMatch(/^## perturbql attack: passed$/m);
  });

  it('fails where an accuracy is below its limit', () => {
    expect(runJob('gitlab-below', { PERTURBQL_ATTACK: attackOptions, PERTURBQL_FAIL_BELOW: 'rpl=100' }).code).toBe(3);
  });
});
