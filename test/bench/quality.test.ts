import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadSpiderLabels, loadWikiSqlLabels, samplePairs } from '../../bench/quality/labeled-pairs.js';
import { measureSet } from '../../bench/quality/measure-set.js';
import { measureStudies, type StudyData } from '../../bench/quality/paper-studies.js';
import {
  labelFigures,
  renderLogLine,
  renderQualityReport,
  type QualityReport,
} from '../../bench/quality/quality-report.js';
import { runQuality } from '../../bench/quality/run-quality.js';
import { CosineScorer, WordVectorScorer } from '../../bench/quality/similarity-scorer.js';
import { ConfigError, InputFormatError } from '../../src/errors.js';
import { renderStatement } from '../../src/nli/statement.js';
import type { EntailmentScorer, StageContext } from '../../src/stage.js';
import { TableNameTpe } from '../../src/tpe/table-name-tpe.js';

// Every label here is made up.
const SCHEMA = {
  db_id: 'harbor',
  table_names: ['ships'],
  table_names_original: ['Ships'],
  column_names: [
    [-1, '*'],
    [0, 'home port'],
    [0, 'length'],
    [0, 'owner'],
  ],
  column_names_original: [
    [-1, '*'],
    [0, 'Home_Port'],
    [0, 'Length'],
    [0, 'Owner'],
  ],
  column_types: ['text', 'text', 'number', 'text'],
  primary_keys: [],
  foreign_keys: [],
};
const HEADER = ['home port', 'length', 'owner'];
const SHIPS = { table_id: 'SPIDER_1', db_id: 'harbor', table_name_original: 'Ships', header: HEADER };
const RPL = { 'home port': ['base harbor', 'dock'], length: ['overall length'], owner: ['proprietor'] };
const ADD = { 'home port': ['flag', 'titleholder'], length: ['draft', 'size'] };

/** Entailment of target and candidate, e1 and e2; everything else 0.1. */
const SCORES: Readonly<Record<string, readonly [number, number]>> = {
  'home port>base harbor': [0.9, 0.8],
  'home port>dock': [0.9, 0.3],
  'length>overall length': [0.65, 0.65],
  'owner>proprietor': [0.2, 0.4],
  'length>size': [0.7, 0.9],
  'owner>titleholder': [0.1, 0.6],
};

const context: StageContext = {
  signal: new AbortController().signal,
  rngFor: () => {
    throw new Error('no stage here draws');
  },
  emit: () => undefined,
};
const nameOf = (statement: string): string => statement.replace(/^ship /, '').replace(/ \(\w+\)\.$/, '');

function fakeScorer(seen: string[] = []): EntailmentScorer {
  const scoreOf = (premise: string, hypothesis: string): number =>
    SCORES[`${premise}>${hypothesis}`]?.[0] ?? SCORES[`${hypothesis}>${premise}`]?.[1] ?? 0.1;
  return {
    id: 'nli',
    fingerprint: 'fake',
    score: (pairs) => {
      seen.push(...pairs.map(({ premise, hypothesis }) => `${premise} => ${hypothesis}`));
      const entailments = pairs.map(({ premise, hypothesis }) => scoreOf(nameOf(premise), nameOf(hypothesis)));
      return Promise.resolve(
        entailments.map((entailment) => ({
          entailment,
          neutral: 0,
          contradiction: 0,
          entailmentLogit: 0,
          reading: null,
        })),
      );
    },
  };
}

let root: string;
let data: string;

function write(name: string, json: unknown): void {
  writeFileSync(join(data, name), JSON.stringify(json));
}

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'quality-'));
  data = join(root, 'data');
  mkdirSync(join(data, 'adveta'), { recursive: true });
  mkdirSync(join(data, 'spider'));
  write('spider/tables.json', [SCHEMA]);
  for (const [bucket, dict] of [
    ['rpl', RPL],
    ['add', ADD],
  ] as const) {
    write(`adveta/spider-${bucket}-candidates.json`, { SPIDER_1: { ...SHIPS, dict } });
    // As in the release, the ADD file writes slashes as spaces.
    const header = bucket === 'rpl' ? HEADER.map((name) => name.replace(' ', '/')) : HEADER;
    const named = Object.entries(dict).map(
      ([name, candidates]) => [header[HEADER.indexOf(name)]!, candidates] as const,
    );
    const tables = ['a', 'b', 'c'].map((id) => ({
      id,
      table_id: id,
      header,
      dict: Object.fromEntries<readonly string[]>(named),
    }));
    write(
      `adveta/wikisql-even-${bucket}-candidates.json`,
      Object.fromEntries(tables.map((table) => [table.id, table])),
    );
  }
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

describe('bench:quality', () => {
  const thresholds = { rplMin: 0.65, addMax: 0.45 };

  it('gives the figures that the made-up labels have by hand', async () => {
    const set = loadSpiderLabels(data);
    const seen: string[] = [];
    const contender = { scorer: fakeScorer(seen), input: { id: 'template', render: renderStatement } };
    const strict = { rplMin: 0.7, addMax: 0.05 };
    const both = { ...contender, thresholds: [thresholds, strict] };
    const rows = await measureSet(set, new TableNameTpe(), [both], context, () => undefined);
    expect(rows).toHaveLength(2);
    expect(rows.slice(0, 1)).toEqual([
      {
        set: 'Spider',
        scorer: 'nli',
        input: 'template',
        thresholds,
        figures: {
          rplPairs: 4,
          addPairs: 4,
          // RPL 0.8 0.3 0.65 0.2 against ADD 0.1 0.1 0.1 0.7: 4 + 3 + 3 + 3 of 16.
          auc: 13 / 16,
          precision: 2 / 3,
          recall: 0.5,
          // "titleholder" fails against "owner" only.
          addKept: { target: 0.75, everyColumn: 0.5 },
          rplAsAdd: { target: 0.25, everyColumn: 0.25 },
        },
      },
    ]);
    expect(rows[1]).toMatchObject({
      thresholds: strict,
      figures: { precision: 0.5, recall: 0.25, addKept: { target: 0, everyColumn: 0 } },
    });
    expect(seen).toContain('ship home port (text). => ship base harbor (text).');
    expect(seen).toContain('ship draft (number). => ship length (number).');
    expect(new Set(seen).size).toBe(seen.length);
  });

  it('lets cosines stand for both directions, and -1 for a name without vector', async () => {
    const axis = (text: string): Float32Array => Float32Array.from(text === 'a' ? [1, 0] : [0.6, 0.8]);
    const embedded: string[] = [];
    const cosine = new CosineScorer({
      fingerprint: 'fake',
      embed: (texts) => {
        embedded.push(...texts);
        return Promise.resolve(texts.map(axis));
      },
    });
    const pair = { premise: 'a', hypothesis: 'b' };
    const scores = await cosine.score([pair, { premise: 'b', hypothesis: 'a' }], context);
    await cosine.score([pair], context);
    expect(scores.map(({ entailment }) => entailment.toFixed(6))).toEqual(['0.600000', '0.600000']);
    expect(embedded).toEqual(['a', 'b']);
    const words = new WordVectorScorer({ id: 'words', fingerprint: '', similarity: (a) => (a === 'a' ? 0.5 : null) });
    const known = await words.score([pair, { premise: 'x', hypothesis: 'a' }]);
    expect(known.map(({ entailment }) => entailment)).toEqual([0.5, -1]);
  });

  it('samples tables and pairs by the seed alone', () => {
    const { pairs, sample } = loadWikiSqlLabels(data, 7);
    expect(sample).toBe('12 RPL and 12 ADD pairs from 3 tables, seed 7');
    expect(pairs).toHaveLength(24);
    expect(loadWikiSqlLabels(data, 7).pairs).toEqual(pairs);
    const few = samplePairs(pairs, 7, 2, 3);
    expect(new Set(few.map(({ target }) => target)).size).toBeLessThanOrEqual(2);
    expect(few.map(({ bucket }) => bucket)).toEqual(['RPL', 'RPL', 'RPL', 'ADD', 'ADD', 'ADD']);
    expect(samplePairs(pairs, 7, 2, 3)).toEqual(few);
    expect([8, 9, 10].some((seed) => JSON.stringify(samplePairs(pairs, seed, 2, 3)) !== JSON.stringify(few))).toBe(
      true,
    );
  });

  it('measures the paper’s studies as the made-up scores have them by hand', async () => {
    const human = loadSpiderLabels(data).pairs.filter(({ bucket }) => bucket === 'RPL');
    const input = { id: 'bare name', render: (_: string, name: string): string => name };
    const studied: StudyData = {
      human,
      entityOf: () => '',
      nearest: (name: string) => (name === 'length' ? ['overall length'] : []),
      simlex: [
        ['length', 'overall length', 9],
        ['home port', 'dock', 8],
        ['owner', 'dock', 1],
      ],
      nli: new Map([
        [
          'med',
          [
            { premise: 'a', hypothesis: 'b', label: 'entailment' },
            { premise: 'a', hypothesis: 'b', label: 'neutral' },
          ],
        ],
      ]),
      seed: 1,
    };
    const row = await measureStudies({ scorer: fakeScorer(), input, thresholds: [thresholds] }, studied, context);
    expect(row.means.human.e1).toBeCloseTo((0.9 + 0.9 + 0.65 + 0.2) / 4);
    expect(row.means.human.e2).toBeCloseTo((0.8 + 0.3 + 0.65 + 0.4) / 4);
    expect(row.means.nearest?.e1).toBeCloseTo(0.65);
    expect(row.means.random.e1).toBeCloseTo(0.1);
    expect(row).toMatchObject({ randomAuc: 1, hardCases: 5, nli: { med: 0.5 } });
    expect(row.simlex).toBeGreaterThan(0.95);
  });

  it('prints models, settings and one row per contender, and a line for the log', () => {
    const figures = {
      rplPairs: 4,
      addPairs: 3,
      auc: 0.5,
      precision: null,
      recall: 0,
      addKept: { target: 0.75, everyColumn: 0.5 },
      rplAsAdd: { target: 0.25, everyColumn: 0 },
    };
    const report: QualityReport = {
      date: '2025-01-31',
      machine: 'test',
      seconds: 1.4,
      models: [{ role: 'nli', name: 'judge', revision: 'v9', sha256: '0123456789abcdef' }],
      tpe: 'empty',
      sets: [{ id: 'Spider', sample: 'all pairs', assumed: 'nothing' }],
      rows: [{ set: 'Spider', scorer: 'nli', input: 'template', thresholds, figures }],
      studies: [
        {
          scorer: 'nli',
          input: 'template',
          means: { human: { e1: 0.5, e2: 0.25 }, nearest: null, random: { e1: 0, e2: 0 } },
          randomAuc: 0.875,
          simlex: null,
          hardCases: 7,
          nli: { med: 0.5 },
        },
      ],
      skipped: ['word vectors: absent'],
    };
    const text = renderQualityReport(report);
    expect(text).toContain('- nli: judge v9 (0123456789ab)');
    expect(text).toContain(
      '| Spider | nli | template | 4 + 3 | 0.65 / 0.45 | 0.500 | – / 0.000 | 0.750 / 0.500 | 0.250 / 0.000 |',
    );
    expect(text).toContain('- skipped: word vectors: absent');
    expect(text).toContain('| nli | template | 0.50 / 0.25 | – | 0.00 / 0.00 | 0.875 | – | 7 | MED 0.50 |');
    expect(renderLogLine(report)).toMatch(/^\| 2025-01-31 \| judge v9 \(0123456789ab\) \| .* AUC 0\.500.* \|$/);
    // The judge's own thresholds and the paper's may have the RPL threshold in common.
    const [first] = report.rows;
    const both = [first!, { ...first!, thresholds: { ...thresholds, addMax: 0.6 } }];
    expect(Object.keys(labelFigures({ ...report, rows: both }).rows)).toHaveLength(2);
  });

  it('says in one line that there are no labels', async () => {
    const printed: string[] = [];
    const output = { print: (text: string) => void printed.push(text), tell: () => undefined, record: () => undefined };
    await runQuality(['--data', 'nowhere'], root, output);
    expect(printed).toEqual(['bench:quality skipped: no ADVETA labels in nowhere/adveta']);
  });

  it('names a wrong option, and a label of an unknown column', async () => {
    const output = { print: () => undefined, tell: () => undefined, record: () => undefined };
    await expect(runQuality(['--tpe', 'magic'], root, output)).rejects.toThrow(ConfigError);
    write('adveta/spider-rpl-candidates.json', { SPIDER_1: { ...SHIPS, dict: { keel: ['hull'] } } });
    expect(() => loadSpiderLabels(data)).toThrow(InputFormatError);
  });
});
