import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { EXAMPLE_DATA } from '../e2e/example-data.js';
import { type CliResult, makeTempFolder, PROJECT, runCli } from '../e2e/run-cli.js';

const temp = makeTempFolder();
const run = (...args: string[]): Promise<CliResult> => runCli(args, { cwd: temp.path });
const example = (name: string): string => join(PROJECT, 'examples', name);
afterAll(() => temp.remove());

const CONFIG = {
  $schema: './node_modules/perturbql/docs/perturbql.config.schema.json',
  dataset: 'spider',
  tables: EXAMPLE_DATA.tables,
  examples: EXAMPLE_DATA.examples,
  gold: example('gold.sql'),
  predictions: example('pred.sql'),
  metrics: ['exact'],
  out: 'RUN',
  // Of other commands.
  baseUrl: 'http://127.0.0.1/v1',
  nli: { rplMin: 0.7 },
};

function configure(config: unknown, file = 'perturbql.config.json'): void {
  writeFileSync(join(temp.path, file), JSON.stringify(config));
}
beforeEach(() => configure(CONFIG));

describe('a configuration file alone', () => {
  it('is enough for evaluate', async () => {
    const { code, stdout, stderr } = await run('evaluate');
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/^exact set match/m);
    expect(stdout).not.toContain('execution accuracy');
  });

  it('may have options that were removed since', async () => {
    configure({ ...CONFIG, private: true, engine: 'slurm' });
    expect((await run('evaluate')).code).toBe(0);
    configure({ ...CONFIG, neverThere: true });
    expect((await run('evaluate')).stderr).toContain('unknown key "neverThere"');
  });

  it('is enough for a dry run of augment', async () => {
    const { code, stdout, stderr } = await run('augment', '--dry-run');
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('pairs to score');
  });
});

describe('a flag', () => {
  it('means its metric, whatever metrics the file has', async () => {
    configure({ ...CONFIG, out: undefined });
    const { stdout, stderr } = await run('evaluate', '--databases', EXAMPLE_DATA.databases, '--json');
    expect(stderr).not.toContain('error');
    expect(Object.keys(JSON.parse(stdout) as object)).toEqual(expect.arrayContaining(['exact', 'execution']));
    const { code, stderr: refused } = await run('evaluate', '--suite', 'absent');
    // Of the suite, that is not there; not of the metrics.
    expect([code, refused]).toEqual([2, expect.stringContaining('absent')]);
    expect(refused).not.toContain('metric');
  });

  it('is not contradicted by what the file has for other calls', async () => {
    configure({ ...CONFIG, out: undefined, suite: 'absent', floatTolerance: 0.1, rVes: true });
    const { code, stderr } = await run('evaluate', '--metrics', 'exact');
    expect(code, stderr).toBe(0);
  });

  it('wins over the file', async () => {
    const { stdout } = await run('evaluate', '--metrics', 'columns', '--json');
    expect(Object.keys(JSON.parse(stdout) as object)).toContain('columns');
    expect(Object.keys(JSON.parse(stdout) as object)).not.toContain('exact');
  });

  it('names another file, before the command or after it', async () => {
    configure({ ...CONFIG, metrics: ['columns'] }, 'other.json');
    const [after, before] = [
      await run('evaluate', '--config', 'other.json'),
      await run('--config', 'other.json', 'evaluate'),
    ];
    expect(after.stdout).toContain('columns and tables used');
    expect(before).toMatchObject({ code: 0, stdout: after.stdout });
  });
});

describe('a wrong file', () => {
  it.each([
    [{ ...CONFIG, metrics: ['speed'] }, /config\.json, configuration: field "metrics\.0" is wrong/],
    [{ ...CONFIG, prediction: 'x' }, /unknown key "prediction"\n {2}fix: Did you mean "predictions"\?/],
    [{ ...CONFIG, dryRun: true }, /unknown key "dryRun"/],
    [{ ...CONFIG, gold: undefined, examples: undefined }, /option --gold is missing/],
  ])('is refused: %j', async (config, message) => {
    configure(config);
    const { code, stderr } = await run('evaluate');
    expect(stderr).toMatch(message);
    expect(code).toBe(2);
  });
});

describe('options of every command', () => {
  it('--verbose says which file is read, --quiet says nothing', async () => {
    expect((await run('evaluate', '--verbose')).stderr).toMatch(
      /^configuration: perturbql\.config\.json\n(?:reading inputs: took \d+ s\n)?$/,
    );
    expect((await run('evaluate', '--verbose', '--quiet')).stderr).toBe('');
  });

  it('--progress json writes one object a line', async () => {
    const { stderr } = await run(
      'evaluate',
      '--metrics',
      'execution',
      '--databases',
      example('database'),
      '--progress',
      'json',
    );
    const events = stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(events.length).toBeGreaterThan(0);
    for (const event of events) {
      expect(Object.keys(event)).toEqual(['event', 'step', 'done', 'total', 'rate', 'secondsLeft', 'message']);
      expect(event['event']).toBe('progress');
    }
    // The gold queries against themselves first, under a name of their own.
    expect([...new Set(events.map(({ step }) => step))]).toEqual([
      'reading inputs',
      'gold queries executed',
      'pairs executed',
    ]);
    expect(events.at(-1)).toMatchObject({ step: 'pairs executed', done: events.at(-1)!['total'] });
  });
});

describe('a mistyped setting', () => {
  it('that is outside its group is shown within it', async () => {
    configure({ ...CONFIG, 'nli.rplMn': 0.4 });
    const { code, stderr } = await run('augment', '--dry-run');
    expect(code).toBe(2);
    expect(stderr).toContain('unknown key "nli.rplMn"');
    expect(stderr).toContain('fix: Did you mean "rplMin" within "nli": {"nli": {"rplMin": …}}?');
  });
});
