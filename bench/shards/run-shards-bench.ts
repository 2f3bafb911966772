import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ConfigError, InputFormatError } from '../../src/errors.js';
import { sqlitePath } from '../../src/formats/sample-values.js';
import { itemAt } from '../../src/present.js';
import { openConnection } from '../../src/sql/execution/open-connection.js';
import { childSeconds } from '../metrics/cpu-time.js';
import type { BenchOutput } from '../run-bench.js';

const SHARDS = 8;
/** A shard of so many has no database, or next to none: what each shard costs before it does anything. */
const MANY = 300;
/** Share of CPU that shards and merging may add. */
const MOST_OVERHEAD = 0.05;

interface SpiderRecord {
  readonly db_id: string;
}

/** Writes the examples of every n-th database that is there; how many databases and examples. */
function writeShare(
  spider: string,
  to: string,
  every: number,
): { readonly databases: number; readonly questions: number } {
  const all = JSON.parse(readFileSync(join(spider, 'train.json'), 'utf8')) as readonly SpiderRecord[];
  const there = [...new Set(all.map(({ db_id }) => db_id))].filter((id) =>
    existsSync(sqlitePath(join(spider, 'database'), id)),
  );
  const ids = new Set(there.filter((_, i) => i % every === 0));
  const some = all.filter(({ db_id }) => ids.has(db_id));
  writeFileSync(to, JSON.stringify(some));
  return { databases: ids.size, questions: some.length };
}

/** sha256 over all files of a run, by name. */
function bytesOf(folder: string): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const hash = createHash('sha256');
  for (const name of files.map((entry) => relative(folder, join(entry.parentPath, entry.name))).sort()) {
    hash.update(`${name}\n`).update(readFileSync(join(folder, name)));
  }
  return hash.digest('hex');
}

/** Pairs of names that shards scored, each with an empty cache, and how many of these were scored already by another. */
function countPairs(shards: string): { readonly scored: number; readonly twice: number } {
  const keys = new Set<string>();
  let scored = 0;
  for (const name of readdirSync(shards, { recursive: true, encoding: 'utf8' })) {
    if (!/shard-\d+-of-\d+\/\.scores\/.*\.sqlite$/.test(name)) continue;
    const cache = openConnection(join(shards, name), { readonly: true });
    for (const { key } of cache.prepare<[], { key: string }>('SELECT hex(key) AS key FROM score').iterate()) {
      keys.add(key);
      scored++;
    }
    cache.close();
  }
  return { scored, twice: scored - keys.size };
}

/** What was measured of a run's parts, kept in a file: a bench of many minutes goes on where it was. */
class Measured {
  readonly #file: string;
  readonly #seconds: Record<string, number>;

  constructor(file: string) {
    this.#file = file;
    this.#seconds = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, number>) : {};
  }

  of(name: string, measure: () => number): number {
    const seconds = (this.#seconds[name] ??= measure());
    writeFileSync(this.#file, JSON.stringify(this.#seconds));
    return seconds;
  }
}

/**
 * Measures the CPU of all processes of a run in one piece, of its shards with an empty cache each, and of merging. False
 * where the merged bytes are others. `--runs` keeps what was done in a folder, and goes on there.
 */
export function runShardsBench(args: readonly string[], root: string, { print, tell, record }: BenchOutput): boolean {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ args: [...args], options: { data: text, every: text, runs: text } });
  const every = Number(values.every ?? 1);
  if (!Number.isInteger(every) || every < 1) {
    throw new ConfigError('option --every is no whole number', { fix: 'Give --every 4: every fourth database.' });
  }
  const spider = join(resolve(values.data ?? join(root, '../shared/data')), 'spider');
  const main = join(root, 'dist/cli/main.js');
  for (const file of [join(spider, 'train.json'), main]) {
    if (existsSync(file)) continue;
    const fix = 'Give the folder that holds spider/ with --data, and run `npm run build`.';
    throw new InputFormatError('this is needed and not there', { where: { file }, fix });
  }
  const { runs } = values;
  const folder = runs === undefined ? mkdtempSync(join(tmpdir(), 'bench-shards-')) : resolve(runs);
  mkdirSync(folder, { recursive: true });
  const measured = new Measured(join(folder, `measured-${every}.json`));
  const at = (name: string): string => join(folder, name);
  const cpuOf = (name: string, ...words: readonly string[]): number =>
    measured.of(name, () => {
      tell(name);
      // What was begun and not measured would be cheaper than it is.
      const shard = /^shard (\d+)$/.exec(name)?.[1];
      const begun =
        shard === undefined ? itemAt(words, words.indexOf('--out') + 1) : at(`shards/shard-${shard}-of-${SHARDS}`);
      rmSync(begun, { recursive: true, force: true });
      const before = childSeconds(true) ?? NaN;
      execFileSync(process.execPath, [main, ...words, '--quiet'], { stdio: ['ignore', 'ignore', 'inherit'] });
      return (childSeconds(true) ?? NaN) - before;
    });
  const augment = (examples: string, out: string, cache: string, ...more: readonly string[]): readonly string[] => [
    ...['augment', '--paper', '--tables', join(spider, 'tables.json'), '--examples', examples],
    ...['--databases', join(spider, 'database'), '--jobs', '1', '--out', at(out), '--cache', at(cache), ...more],
  ];
  try {
    const share = writeShare(spider, at('train.json'), every);
    const whole = cpuOf('one piece', ...augment(at('train.json'), 'whole', 'cache-whole'));
    const shards = Array.from({ length: SHARDS }, (_, i) =>
      cpuOf(`shard ${i}`, ...augment(at('train.json'), 'shards', `cache-${i}`, '--shard', `${i}/${SHARDS}`)),
    );
    const merge = cpuOf('merge', 'merge', at('shards'), '--out', at('merged'));
    const empty = cpuOf(
      'a shard without work',
      ...augment(at('train.json'), 'empty', 'cache-empty', '--shard', `${MANY - 1}/${MANY}`),
    );
    const all = shards.reduce((sum, seconds) => sum + seconds);
    const overhead = (all + merge) / whole - 1;
    const pairs = countPairs(at('shards'));
    const isEqual = bytesOf(at('merged')) === bytesOf(at('whole'));
    print(`one piece ${whole.toFixed(1)} s, shards ${all.toFixed(1)} s, merging ${merge.toFixed(1)} s`);
    print(`overhead ${(100 * overhead).toFixed(1)} %, at most ${100 * MOST_OVERHEAD} % is meant`);
    print(`${pairs.scored} pairs of names scored in shards, ${pairs.twice} of them twice`);
    print(isEqual ? 'the merged bytes are those of one piece' : 'the merged bytes differ');
    const row = (seconds: number): { cpu: number; share: number } => ({ cpu: seconds, share: (100 * seconds) / whole });
    record({
      id: 'shards',
      title: 'What shards cost',
      about: `\`perturbql augment --paper\` of Spider train (every ${every === 1 ? '' : `${every}th `}database: ${share.databases} databases, ${share.questions} questions), default recipe, with copies of databases that are verified; user and system CPU of all processes. In one piece, in ${SHARDS} shards with an empty score cache each, merged; and a shard that has no work, which is what each shard adds. The shards ran one after another; they scored ${pairs.scored} pairs of names, ${pairs.twice} of them twice. Merged bytes ${isEqual ? 'equal' : 'differ from'} one run’s.`,
      columns: {
        what: { head: 'run' },
        cpu: { head: 'CPU s', decimals: 1 },
        share: { head: '% of one piece', decimals: 1 },
      },
      rows: {
        whole: { what: 'one piece', ...row(whole) },
        shards: { what: `${SHARDS} shards`, ...row(all) },
        merge: { what: 'merging', ...row(merge) },
        empty: { what: 'a shard without work', ...row(empty) },
        overhead: { what: 'overhead', ...row(all + merge - whole) },
      },
    });
    return isEqual;
  } finally {
    if (runs === undefined) rmSync(folder, { recursive: true, force: true });
  }
}
