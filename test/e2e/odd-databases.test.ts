import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Verification } from '../../src/variants/verify/verify-run.js';
import { acceptedDecision } from './example-data.js';
import { KNOWN_SCHEMAS } from './known-schemas.js';
import { ODD_DATABASES, writeOddSet } from './odd-databases.js';
import { type CliResult, hashFiles, makeTempFolder, runCli } from './run-cli.js';

const temp = makeTempFolder();
afterAll(() => temp.remove());
const at = (...parts: string[]): string => join(temp.path, ...parts);
const run = (...args: string[]): Promise<CliResult> => runCli(args, { cwd: temp.path, cache: at('cache') });

/** Names of a test's own, so that no model looks for any: a column of each database. */
const NAMES: Readonly<Record<string, readonly [table: string, column: string, rpl: string, add: string]>> = {
  quoted: ['visitor', 'nights', 'number of days', 'shoe size'],
  unprepared: ['book', 'price', 'cost', 'page count'],
  searched: ['town', 'population', 'inhabitants', 'elevation'],
  collated: ['author', 'born', 'year of birth', 'eye color'],
  kinds: ['rate', 'rate', 'share', 'currency'],
  wide: ['survey', 'answer 2', 'response', 'waiting time'],
  trading: ['order details', 'quantity', 'number of pieces', 'weight'],
  rental: ['film', 'rating', 'age class', 'language'],
  music: ['invoice', 'total', 'amount', 'currency'],
  blog: ['wp options', 'option name', 'setting', 'owner'],
  books: ['ratings', 'rating', 'score', 'reviewer'],
  messenger: ['conversations', 'name', 'chat title', 'nickname'],
  cards: ['tags', 'collapsed', 'folded', 'color'],
  map: ['lakes', 'depth', 'deepness', 'volume'],
  baseball: ['people', 'birth year', 'year born', 'nationality'],
};

function writeCandidates(): string {
  const lines = Object.entries(NAMES).flatMap(([db_id, [table, column, rpl, add]]) => [
    acceptedDecision({ db_id, table, column, candidate: rpl }),
    acceptedDecision({ db_id, table, column, candidate: add, bucket: 'ADD' }),
  ]);
  writeFileSync(at('candidates.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return at('candidates.jsonl');
}

const DATABASES = [...ODD_DATABASES, ...KNOWN_SCHEMAS];
const SET = writeOddSet(at('set'), DATABASES);
const DATA = ['--dataset', 'sqlite', '--databases', SET.databases, '--examples', SET.examples];
const QUESTIONS = DATABASES.flatMap(({ id, questions }) =>
  questions.map(({ query }, i) => ({ id: `${id}-${i}`, db: id, query })),
);

function finished({ code, stdout, stderr }: CliResult): string {
  expect(stderr).not.toMatch(/fault in perturbql/);
  expect(code, stderr + stdout).toBe(0);
  return stderr;
}

describe('databases as people have them', () => {
  let before: Readonly<Record<string, string>>;

  beforeAll(() => {
    before = hashFiles(SET.databases);
  });

  it('are found by init', async () => {
    mkdirSync(at('new'));
    cpSync(at('set'), at('new', 'set'), { recursive: true });
    finished(await runCli(['init', at('new', 'set'), '--yes'], { cwd: at('new'), cache: at('cache') }));
    expect(JSON.parse(readFileSync(at('new', 'perturbql.config.json'), 'utf8'))).toMatchObject({ dataset: 'sqlite' });
  });

  it('are perturbed and verified, each with all golds that are on its tables', async () => {
    const candidates = writeCandidates();
    const said = finished(await run('augment', ...DATA, '--candidates', candidates, '--out', 'AUG'));
    const verified = await run('verify', 'AUG', '--json');
    finished(verified);
    const { RPL, ADD, leftOut, items } = JSON.parse(verified.stdout) as Verification;
    expect([items, leftOut]).toEqual([[], { RPL: 0, ADD: 0 }]);
    expect([RPL.equal, ADD.equal]).toEqual([0, 0].map(() => QUESTIONS.length));
    for (const note of [
      'unprepared: by_window: left out: no such function: shelf_sum',
      'unprepared: by_list: left out: expected 3 columns',
      'unprepared: on_nothing: left out: no such table',
      'unprepared: book.key, by_function: left out: no such function: shelf_mark',
      'searched: title, skills, job_id of job are not renamed: skill_search finds them by name',
      'collated: author: no such collation: unicase; it is read under BINARY',
      'books: meta: left out: no such function: sortconcat',
      'books: comments_fts: left out: unknown tokenizer: spellfix',
      'messenger: body, rowid of messages are not renamed: messages_fts finds them by name',
      'cards: tags, fields, decks: no such collation: unicase; it is read under BINARY',
    ]) {
      expect(said).toContain(note);
    }
    expect(said).not.toMatch(/warning: (?:quoted|kinds|wide|trading|music|blog|baseball)/);
  });

  it('are mutated, and every gold returns what it did', async () => {
    finished(
      await run('mutate', ...DATA, '--materialize', '--limit', '2', '--candidates', 'candidates.jsonl', '--out', 'MUT'),
    );
  });

  it('get suites, on which golds are right', async () => {
    finished(await run('suite', 'build', ...DATA, '--random-databases', '3', '--out', 'SUITE'));
  });

  it('are evaluated: golds against themselves are right', async () => {
    const lines = QUESTIONS.map(({ id, query }) => `${JSON.stringify({ id, sql: query })}\n`);
    writeFileSync(at('predictions.jsonl'), lines.join(''));
    finished(
      await run(
        'evaluate',
        ...DATA,
        '--predictions',
        'predictions.jsonl',
        '--metrics',
        'exact,execution',
        '--out',
        'EVAL',
      ),
    );
  });

  it('stay as they are', () => {
    expect(hashFiles(SET.databases)).toEqual(before);
  });
});
