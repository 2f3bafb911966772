import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { command as evaluateCommand } from '../../src/cli/evaluate-command.js';
import { renderEvaluation } from '../../src/cli/evaluation-lines.js';
import { ConfigError, PerturbqlError } from '../../src/errors.js';
import type { EvaluationReport } from '../../src/evaluate/evaluation-report.js';
import type { PairVerdicts } from '../../src/evaluate/verdict-lines.js';
import { runOf } from './run-of.js';

const folder = mkdtempSync(join(tmpdir(), 'perturbql-evaluate-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const EXAMPLES = join(import.meta.dirname, '../../examples');
const GOLD = join(EXAMPLES, 'gold.sql');
const PRED = join(EXAMPLES, 'pred.sql');
const TABLES = ['--tables', join(EXAMPLES, 'tables.json')];
const DATABASES = ['--databases', join(EXAMPLES, 'database')];
const GARDEN = 'community_garden';

const at = (...parts: string[]): string => join(folder, ...parts);

function write(name: string, content: string | Uint8Array): string {
  writeFileSync(at(name), content);
  return at(name);
}

const GOLD_AS_PRED = write('gold-as-pred.sql', readFileSync(GOLD, 'utf8').replace(/\t.*/g, ''));

/** The command in this process: options as they are given; its output, or its error. */
async function run(...args: string[]): Promise<{ readonly stdout: string; readonly error: PerturbqlError | null }> {
  const raw: Record<string, unknown> = {};
  args.forEach((arg, i) => {
    if (!arg.startsWith('--')) return;
    const name = arg.slice(2).replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
    const value = args[i + 1];
    raw[name] = value === undefined || value.startsWith('--') ? true : value;
  });
  const lines: string[] = [];
  const log = vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
  const progress = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    await runOf(evaluateCommand)(raw);
    return { stdout: `${lines.join('\n')}\n`, error: null };
  } catch (error) {
    if (error instanceof PerturbqlError) return { stdout: lines.join('\n'), error };
    throw error;
  } finally {
    log.mockRestore();
    progress.mockRestore();
  }
}

async function report(...args: string[]): Promise<EvaluationReport> {
  const { stdout, error } = await run(...TABLES, ...args, '--json');
  expect(error).toBeNull();
  return JSON.parse(stdout) as EvaluationReport;
}

async function expectRefusal(result: ReturnType<typeof run>, ...parts: readonly RegExp[]): Promise<void> {
  const { stdout, error } = await result;
  expect(stdout).toBe('');
  for (const part of parts) expect(error?.render()).toMatch(part);
  expect(error?.fix).not.toBe('');
}

describe('perturbql evaluate', () => {
  it('says why the hardness of gold is unknown', async () => {
    const gold = join(folder, 'null.sql');
    const sql = 'SELECT full_name FROM gardener WHERE home_country IS NULL';
    writeFileSync(gold, `${sql}\tcommunity_garden\n`);
    const files = ['--gold', gold, '--predictions', gold, '--metrics', 'exact'];
    const { stdout, error } = await run(...TABLES, ...files);
    expect(error).toBeNull();
    expect(stdout).toContain('Unknown: gold queries that Spider’s published evaluator can’t read');
  });

  it('prints one object with a key per metric', async () => {
    const files = ['--gold', GOLD, '--predictions', PRED, '--metrics', 'exact,execution,columns', ...DATABASES];
    const { exact, execution, columns, gold, badGold } = await report(...files);
    expect(gold).toEqual({ file: GOLD, queries: 30, interactions: null });
    expect(badGold).toEqual([]);
    expect(exact?.mode).toBe('exact-values-ignored@3');
    expect(exact?.accuracy).toBeCloseTo(19 / 30);
    expect(exact?.outcomes).toMatchObject({ correct: 19, wrong: 8, unparsable: 1, failing: 1, empty: 1 });
    expect(exact?.hardness.easy.accuracy).toBe(1);
    expect(exact?.components.select.parts.f1).toBeCloseTo(0.926, 3);
    expect(execution?.mode).toBe('ordered@2');
    expect(execution?.outcomes).toMatchObject({ correct: 22, wrong: 5, unparsable: 1, failing: 1, empty: 1 });
    expect(execution?.interval?.low).toBeLessThan(execution!.accuracy!);
    expect(Object.keys(execution!.databases.byId)).toEqual([GARDEN, 'planetarium', 'pottery_studio']);
    expect(execution?.databases.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(columns?.columns).toMatchObject({ gold: 115, predicted: 90, matched: 89 });
  });

  it('prints the same bytes again, and names its seed', async () => {
    const files = [...TABLES, '--gold', GOLD, '--predictions', PRED, '--json'];
    const [first, again, other] = [await run(...files), await run(...files), await run(...files, '--seed', '8')];
    expect(again.stdout).toBe(first.stdout);
    expect(JSON.parse(other.stdout)).toMatchObject({ seed: 8 });
  });

  it('prints tables', async () => {
    const { stdout, error } = await run(...TABLES, ...DATABASES, '--gold', GOLD, '--predictions', PRED);
    expect(error?.render()).toBeUndefined();
    expect(stdout).toMatch(
      /^exact set match, exact-values-ignored@3: 0\.633, 95% interval [\d.]+ to [\d.]+ by bootstrap over questions$/m,
    );
    expect(stdout).toMatch(/^execution accuracy, ordered@2: 0\.733/m);
    expect(stdout).toMatch(/^ {2}unparsable +1 +0 +0 +0 +1$/m);
    expect(stdout.split('\n')[0]).toBe('22 of 30 predictions return the gold query’s rows');
    expect(stdout).toMatch(/^ {2}wrong: gold:1, gold:5, gold:8, gold:12, gold:28$/m);
    expect(stdout).not.toMatch(/^ {2}(databases|component) /m);
  });

  it('prints components and hashes with --verbose', async () => {
    const { stdout } = await run(...TABLES, ...DATABASES, '--gold', GOLD, '--predictions', PRED, '--verbose');
    expect(stdout).toMatch(/^ {2}component +precision/m);
    expect(stdout).toMatch(/^ {2}databases [0-9a-f]{64}$/m);
  });

  it('writes the verdicts of each pair, with reasons', async () => {
    mkdirSync(at('new'));
    const file = at('new', 'verdicts.jsonl');
    const metrics = ['--metrics', 'exact,execution,columns', ...DATABASES];
    const { exact, execution } = await report(...metrics, '--gold', GOLD, '--predictions', PRED, '--verdicts', file);
    const read = (): PairVerdicts[] =>
      readFileSync(file, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as PairVerdicts);
    const pairs = read();
    expect(pairs).toHaveLength(30);
    expect(pairs[0]).toMatchObject({ id: 'gold:0', db_id: GARDEN, hardness: 'easy', exact: { outcome: 'correct' } });
    expect([pairs[0]?.gold, pairs[0]?.predicted]).toEqual([
      readFileSync(GOLD, 'utf8').split('\t')[0],
      readFileSync(PRED, 'utf8').split('\n')[0],
    ]);
    for (const [metric, section] of [['exact', exact] as const, ['execution', execution] as const]) {
      const wrong = pairs.filter((pair) => pair[metric]?.outcome === 'wrong');
      expect(wrong).toHaveLength(section!.outcomes.wrong);
    }
    const failing = pairs.find(({ execution: verdict }) => verdict?.outcome === 'failing');
    expect(failing?.execution?.reason).toMatch(/no such/);
    expect(readdirSync(at('new'))).toEqual(['verdicts.jsonl']);

    await report('--gold', GOLD, '--predictions', PRED, '--compare', GOLD_AS_PRED, '--verdicts', file);
    expect(read().every(({ other }) => other?.exact?.outcome === 'correct')).toBe(true);
  });

  it('counts pairs whose results could not be compared in time, and says so', async () => {
    const rows = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 6000) SELECT';
    const other = (turn: number, shift: string): string =>
      `${rows} 1 + i * 1e-6 ${shift}, ((i + ${turn}) % 2) * 10.0 FROM n`;
    const gold = write('close.sql', `${other(0, '')}\t${GARDEN}\nSELECT 1\t${GARDEN}\n`);
    const file = at('undecided.jsonl');
    const args = [
      '--gold',
      gold,
      '--predictions',
      write('shifted.sql', `${other(1, '+ 5e-7')}\nSELECT 2\n`),
      ...DATABASES,
    ];
    args.push('--metrics', 'execution', '--mode', 'bag', '--float-tolerance', '0.1', '--verdicts', file);
    const whole = await report(...args);
    expect(whole.execution).toMatchObject({ undecided: 1, outcomes: { wrong: 2 } });
    const [close, wrong] = readFileSync(file, 'utf8').split('\n');
    expect(JSON.parse(close!)).toMatchObject({
      execution: { outcome: 'wrong', reason: expect.stringMatching(/^undecided/) as string },
    });
    expect(wrong).not.toContain('undecided');
    expect((await renderEvaluation(whole)).join('\n')).toMatch(
      /^ {2}undecided: 1 of 2; could not be compared in time/m,
    );
  });

  it('refuses options that would change nothing', async () => {
    const files = [...TABLES, '--gold', GOLD, '--predictions', PRED];
    for (const option of [['--mode', 'bag'], ['--plug-values'], ['--float-tolerance', '0.1']]) {
      for (const metrics of [[], [...DATABASES, '--metrics', 'exact,columns']]) {
        const result = run(...files, ...metrics, ...option);
        await expectRefusal(
          result,
          new RegExp(`option ${option[0]} is of no use to the metrics exact`),
          /fix: .* give --databases/,
        );
        expect((await result).error).toBeInstanceOf(ConfigError);
      }
    }
    await expectRefusal(run('--metrics', 'linking', '--verdicts', at('v.jsonl')), /linking has no verdict/);
    const pred = write('own.sql', readFileSync(PRED));
    const own = run(...TABLES, '--gold', GOLD, '--predictions', pred, '--verdicts', pred);
    await expectRefusal(own, /own\.sql is read by this run/);
    expect(readFileSync(pred)).toEqual(readFileSync(PRED));
    const twice = run(...files, '--verdicts', at('v.jsonl'), '--junit', at('v.jsonl'));
    await expectRefusal(twice, /option --junit: .*v\.jsonl is also what --verdicts writes/);
  });

  it('joins JSON lines by id, and names tolerance, values and compatibility in its modes', async () => {
    const gold = write('gold.sql', `SELECT avg(annual_fee) FROM gardener\t${GARDEN}\nSELECT 1\t${GARDEN}\n`);
    const pred = write('pred.jsonl', '{"id": 1, "sql": "SELECT 1"}\n{"id": "gold:0", "sql": null}\n');
    const exact = await report('--gold', gold, '--predictions', pred, '--metrics', 'execution', ...DATABASES);
    expect(exact.execution?.outcomes).toMatchObject({ correct: 1, empty: 1 });
    const named = await report(
      ...[
        '--gold',
        GOLD,
        '--predictions',
        PRED,
        ...DATABASES,
        '--mode',
        'bag',
        '--float-tolerance',
        '1e-3',
        '--plug-values',
      ],
    );
    expect(named.execution?.mode).toBe('bag-tolerance-0.001-plugged-500@2');
    const simple = write('simple.sql', `SELECT count(*) FROM gardener\t${GARDEN}\n`);
    const one = write('one.sql', 'SELECT count(*) FROM plot\n');
    const compat = await report('--gold', simple, '--predictions', one, '--compat', 'spider', ...DATABASES);
    expect(compat.exact?.mode).toBe('exact-spider@1');
    const both = await report(
      ...['--gold', simple, '--predictions', one, '--compat', 'spider,test-suite', ...DATABASES],
    );
    expect(both.exact?.mode).toBe('exact-spider@1');
    expect(both.execution?.mode).toBe('test-suite-plugged-500-no-distinct@2');
  });

  it('judges as BIRD does: sets of rows, Soft F1, further golds, and times only where asked', async () => {
    const line = (sql: string): string => `${sql}\t${GARDEN}\n`;
    const all = 'SELECT gardener_id FROM gardener';
    const some = `${all} ORDER BY gardener_id LIMIT 1`;
    const gold = write('bird-gold.sql', line(all) + line(all) + line(all));
    const pred = write('bird-pred.sql', `${all} UNION ALL ${all}\n${some}\nSELECT nobody FROM gardener\n`);
    const further = write('further.json', JSON.stringify([{ question_id: 1, db_id: GARDEN, SQL: some }]));
    const files = ['--gold', gold, '--predictions', pred, ...DATABASES, '--metrics', 'execution', '--compat', 'bird'];
    const { execution } = await report(...files);
    expect(execution).toMatchObject({ mode: 'bird@3', correct: 1, outcomes: { wrong: 1, failing: 1 } });
    expect(execution?.bird?.softF1).toBeGreaterThan(1 / 3);
    expect(execution?.bird?.softF1).toBeLessThan(2 / 3);
    expect(execution?.bird?.rVes).toBeUndefined();
    const verdicts = at('bird.jsonl');
    const any = await report(...files, '--alternative-golds', further, '--r-ves', '--verdicts', verdicts);
    expect(any.execution).toMatchObject({ correct: 2, bird: { softF1: 2 / 3, rVes: { reproducible: false } } });
    expect(any.execution?.bird?.rVes?.value).toBeGreaterThan(0);
    expect(readFileSync(verdicts, 'utf8')).toContain('"execution":{"outcome":"correct","softF1":1}');
    const elsewhere = write('elsewhere.json', JSON.stringify([{ question_id: 9, db_id: GARDEN, SQL: some }]));
    await expectRefusal(
      run(...TABLES, ...files, '--alternative-golds', elsewhere),
      /question_id 9 is none of the gold/,
    );
    await expectRefusal(
      run(...TABLES, '--gold', gold, '--predictions', pred, '--r-ves'),
      /--r-ves is of no use to an evaluation without BIRD’s/,
    );
  });

  it('refuses options that conflict with a published evaluator', async () => {
    const files = [...TABLES, ...DATABASES, '--gold', GOLD, '--predictions', PRED];
    const asked = (...options: string[]): ReturnType<typeof run> => run(...files, ...options);
    await expectRefusal(asked('--compat', 'bird', '--mode', 'ordered'), /--mode ordered conflicts with --compat bird/);
    await expectRefusal(asked('--compat', 'test-suite', '--plug-values'), /--plug-values conflicts/);
    await expectRefusal(asked('--compat', 'test-suite,bird'), /test-suite and bird both say/);
    await expectRefusal(asked('--compat', 'wikisql'), /there is no evaluator "wikisql"/);
    await expectRefusal(asked('--compat', 'bird', '--metrics', 'exact'), /--compat is of no use to the metrics exact/);
  });

  it('scores interactions by question and as a whole', async () => {
    const line = (sql: string): string => `${sql}\t${GARDEN}\n`;
    const [a, b] = ['SELECT count(*) FROM gardener', 'SELECT count(*) FROM plot'];
    const gold = write('turns.sql', `${line(a)}${line(b)}\n${line(b)}${line(a)}`);
    const pred = write('turns-pred.sql', `${a}\n${b}\n\n${b}\n${b}\n`);
    const { exact } = await report('--gold', gold, '--predictions', pred);
    expect(exact?.accuracy).toBe(0.75);
    expect(exact?.interactions).toMatchObject({ interactions: 2, correct: 1, accuracy: 0.5 });
    expect(exact?.interactions?.byTurn.map(({ accuracy }) => accuracy)).toEqual([1, 0.5]);
  });

  it('compares two models pair by pair', async () => {
    const { exact } = await report('--gold', GOLD, '--predictions', PRED, '--compare', GOLD);
    expect(exact?.other?.accuracy).toBe(1);
    expect(exact?.comparison?.mcNemar).toMatchObject({ onlyFirst: 0, onlySecond: 11 });
    expect(exact?.comparison?.difference?.mean).toBeCloseTo(11 / 30);
  });

  it('measures schema links, with gold and predicted ones alone', async () => {
    const gold = write(
      'links.jsonl',
      '{"id": "dev:0", "columns": [["gardener.home_country", 4], ["gardener.home_country", 5]], "tables": [["gardener", 2]]}\n{"id": "dev:1", "tables": [["plant", "plants"]]}\n',
    );
    const pred = write(
      'links-pred.jsonl',
      '{"id": "dev:1", "tables": [["Plant", "Plants"], ["plot", 3]]}\n{"id": "dev:0", "columns": [["gardener.home_country", 5]], "tables": []}\n',
    );
    const { stdout } = await run('--metrics', 'linking', '--links', gold, '--predicted-links', pred, '--json');
    expect((JSON.parse(stdout) as EvaluationReport).linking).toEqual({
      mode: 'linking@1',
      questions: 2,
      columns: { gold: 2, predicted: 1, matched: 1, precision: 1, recall: 0.5, f1: 2 / 3 },
      tables: { gold: 2, predicted: 2, matched: 1, precision: 0.5, recall: 0.5, f1: 0.5 },
    });
    await expectRefusal(
      run('--metrics', 'linking', '--links', gold, '--predicted-links', write('few.jsonl', '{"id": "dev:0"}')),
      /few\.jsonl: 1 of 2 questions have no links/,
    );
    await expectRefusal(
      run(
        '--metrics',
        'linking',
        '--links',
        gold,
        '--predicted-links',
        write('bad.jsonl', '{"id": "dev:0", "columns": [["a"]]}'),
      ),
      /bad\.jsonl:1/,
    );
    await expectRefusal(run('--metrics', 'linking', '--links', gold), /--predicted-links is missing/);
    const alone = await run('--links', gold, '--predicted-links', pred, '--json');
    expect(Object.keys(JSON.parse(alone.stdout) as object)).toContain('linking');
    await expectRefusal(run('--metrics', 'exact', '--links', gold), /option --links is of no use to the metrics exact/);
  });
});

describe('gold that fails against itself', () => {
  const gold = `SELECT count(*) FROM gardener\t${GARDEN}\nSELECT nobody FROM gardener\t${GARDEN}\n`;

  it('stops the run with a list', async () => {
    const [goldFile, pred] = [write('bad-gold.sql', gold), write('any.sql', 'SELECT 1\nSELECT 2\n')];
    const result = run(...TABLES, ...DATABASES, '--gold', goldFile, '--predictions', pred);
    await expectRefusal(
      result,
      /bad-gold\.sql:2: 1 of 2 gold queries are not correct against themselves/,
      /line 2 \(bad-gold:1\), community_garden, exact: /,
      /line 2 \(bad-gold:1\), community_garden, execution: failing: no such column: nobody/,
      /--allow-bad-gold/,
    );
  });

  it('counts as not correct where that is allowed', async () => {
    const [goldFile, pred] = [
      write('bad-gold.sql', gold),
      write('any.sql', 'SELECT count(*) FROM gardener\nSELECT 2\n'),
    ];
    const { execution, badGold } = await report(
      ...DATABASES,
      '--gold',
      goldFile,
      '--predictions',
      pred,
      '--allow-bad-gold',
    );
    expect(execution?.outcomes).toMatchObject({ correct: 1, 'bad-gold': 1 });
    expect(badGold.map(({ metric, line }) => [metric, line])).toEqual([
      ['exact', 2],
      ['execution', 2],
    ]);
  });
});

describe('bad input', () => {
  const text = `SELECT count(*) FROM gardener\t${GARDEN}\nSELECT count(*) FROM plot\t${GARDEN}\n`;
  const good = 'SELECT count(*) FROM gardener\nSELECT count(*) FROM plot\n';
  const utf16 = (content: string): Uint8Array => Buffer.from(`\uFEFF${content}`, 'utf16le');
  const call = (gold: string | Uint8Array, pred: string | Uint8Array, ...more: string[]): ReturnType<typeof run> =>
    run(...TABLES, '--gold', write('g.sql', gold), '--predictions', write('p.sql', pred), ...more);

  it.each([
    ['a byte order mark and CRLF', `\uFEFF${text.replaceAll('\n', '\r\n')}`, good.replaceAll('\n', '\r\n')],
    ['a last line without its end', text.trimEnd(), good.trimEnd()],
    ['predictions with the db_id', text, text],
  ])('takes %s', async (_, gold, pred) => {
    const { stdout } = await call(gold, pred, '--json');
    expect((JSON.parse(stdout) as EvaluationReport).exact?.accuracy).toBe(1);
  });

  it.each([
    ['UTF-16 gold', utf16(text), good, /g\.sql: the file is UTF-16/],
    ['UTF-16 predictions', text, utf16(good), /p\.sql: the file is UTF-16/],
    ['empty gold', '', good, /g\.sql: the file holds no gold queries/],
    ['gold of blank lines', '\n\n', good, /g\.sql: the file holds no gold queries/],
    ['empty predictions', text, '', /p\.sql: the predictions have 0 lines.*there are 2 gold queries/],
    ['too few predictions', text, 'SELECT 1\n', /p\.sql: the predictions have 1 lines.*there are 2 gold queries/],
    ['too many predictions', text, `${good}SELECT 3\n`, /p\.sql: the predictions have 3 lines/],
    ['gold without db_id', 'SELECT 1\nSELECT 2\n', good, /g\.sql:1: the line has no query or no db_id/],
    [
      'an unknown db_id',
      text.replace(`plot\t${GARDEN}`, 'plot\tnowhere'),
      good,
      /tables\.json: db_id "nowhere" of gold query g:1 \(line 2\)/,
    ],
    [
      'an id twice',
      text,
      '{"id": 0, "sql": "SELECT 1"}\n{"id": 0, "sql": "SELECT 1"}\n',
      /p\.sql:2: id 0 occurs twice/,
    ],
    ['an unknown id', text, '{"id": 9, "sql": "SELECT 1"}\n', /p\.sql:1: id 9 is none of the gold file's/],
    ['a missing id', text, '{"id": 0, "sql": "SELECT 1"}\n', /p\.sql: 1 of 2 gold queries have no prediction: g:1/],
    ['broken JSON', text, '{"id": 0, "sql": \n', /p\.sql:1/],
    ['a record without SQL', text, '{"id": 0}\n', /p\.sql:1/],
  ])('refuses %s', async (_, gold, pred, message) => {
    await expectRefusal(call(gold, pred), message);
  });

  it('refuses what options lack', async () => {
    const files = ['--gold', GOLD, '--predictions', PRED];
    await expectRefusal(
      run(...files, ...TABLES, '--metrics', 'execution'),
      /--databases is missing/,
      /execution needs it/,
    );
    await expectRefusal(run(...files, ...TABLES, '--metrics', 'exact,speed'), /there is no metric "speed"/);
    await expectRefusal(run(...files), /--tables is missing/);
    await expectRefusal(run('--predictions', PRED, ...TABLES), /--gold is missing/);
    await expectRefusal(run(...files, ...TABLES, '--connection', 'mysql://h/d'), /--connection is for a data set/);
    await expectRefusal(run(...files, ...TABLES, '--float-tolerance', '2'), /--float-tolerance/);
    await expectRefusal(
      run('--gold', at('absent.sql'), '--predictions', PRED, ...TABLES),
      /absent\.sql: the file can’t be read/,
    );
  });

  it('refuses databases that are absent, and names those that are none', async () => {
    await expectRefusal(
      call(text, good, '--databases', folder),
      /community_garden\.sqlite: the database of community_garden is not there/,
    );
    mkdirSync(at('junk', GARDEN), { recursive: true });
    for (const content of ['', 'no database '.repeat(100)]) {
      writeFileSync(at('junk', GARDEN, `${GARDEN}.sqlite`), content);
      const result = call(text, good, '--databases', at('junk'), '--metrics', 'execution');
      await expectRefusal(
        result,
        /2 of 2 gold queries are not correct/,
        content === '' ? /no such table/ : /file is not a database/,
      );
      expect(readFileSync(at('junk', GARDEN, `${GARDEN}.sqlite`), 'utf8')).toBe(content);
    }
  });
});
