import { formatCount } from '../../src/counts.js';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { candidateDecisionSchema, type CandidateDecision } from '../../src/formats/artifacts/candidates.js';
import { loadSpiderExamples, type SpiderExampleRecord } from '../../src/formats/spider-dataset.js';
import { loadSpiderTables, renderSpiderTables } from '../../src/formats/spider-tables.js';
import type { PerturbedLine } from '../../src/formats/artifacts/provenance.js';
import { columnNameKey } from '../../src/schema/name-identity.js';
import type { Database } from '../../src/schema/schema.js';
import { applyEdits } from '../../src/sql/edits.js';
import { undoEdits } from '../sql/undo-edits.js';
import { singleQuoteLiterals } from '../../src/sql/executable-sql.js';
import type { SpiderSql } from '../../src/sql/spider-sql.js';
import {
  acceptedDecision,
  EXAMPLE_DATA,
  EXAMPLES,
  type JsonRecord,
  readRecords,
  writeSmallData,
} from './example-data.js';
import { flatColumns, mapColumnIds, openCopy, SchemaMatch } from './perturbed-database.js';
import { type CliResult, hashFiles, makeTempFolder, runCli } from './run-cli.js';

const temp = makeTempFolder();
const at = (...parts: string[]): string => join(temp.path, ...parts);
const lines = (file: string): string[] => readFileSync(file, 'utf8').trimEnd().split('\n');
const run = (...args: string[]): Promise<CliResult> => runCli(args, { cwd: temp.path, cache: at('cache') });

const KINDS = ['original', 'RPL', 'ADD'] as const;
const STYLES: Readonly<Record<string, RegExp>> = {
  community_garden: /^[a-z]+(_[a-z]+)*$/,
  pottery_studio: /^([A-Z][a-z]*)+$/,
  planetarium: /^[A-Z][A-Za-z]*( [A-Za-z]+)*$/,
};

/** One written variant with everything that is said of it. */
interface Variant {
  readonly record: SpiderExampleRecord & { readonly sql: SpiderSql };
  readonly provenance: PerturbedLine;
  readonly original: JsonRecord;
  readonly before: Database;
  readonly after: Database;
}

let inputsBefore: Readonly<Record<string, string>>;
let augmented: CliResult;
let decided: CliResult;
let originals: JsonRecord[];
let records: Variant['record'][];
let schemas: ReadonlyMap<string, Database>;
let provenance: PerturbedLine[];
let decisions: CandidateDecision[];
let variants: Variant[];

beforeAll(async () => {
  inputsBefore = hashFiles(EXAMPLES);
  augmented = await run('augment', ...EXAMPLE_DATA.options, '--out', 'A');
  decided = await run('candidates', ...EXAMPLE_DATA.options, '--columns', 'all', '--out', 'C');
  expect([augmented.code, decided.code], augmented.stderr + decided.stderr).toEqual([0, 0]);
  const databases = loadSpiderTables(EXAMPLE_DATA.tables);
  originals = readRecords(EXAMPLE_DATA.examples);
  records = readRecords(at('A/examples.json')) as Variant['record'][];
  schemas = loadSpiderTables(at('A/tables.json'));
  provenance = lines(at('A/provenance.jsonl')).map((line) => JSON.parse(line) as PerturbedLine);
  decisions = lines(at('A/candidates.jsonl')).map((line) => candidateDecisionSchema.parse(JSON.parse(line)));
  variants = records.flatMap((record, i) => {
    const original = originals[Math.floor(i / 3)]!;
    const [before, after] = [databases.get(original['db_id'] as string)!, schemas.get(record.db_id)!];
    return i % 3 === 0 ? [] : [{ record, provenance: provenance[i]!, original, before, after }];
  });
}, 240_000);

afterAll(() => temp.remove());

describe('demo', () => {
  it('is augment on the packaged examples, resumed where it is there, and says what comes next', async () => {
    const { code, stdout } = await run('demo', '--out', 'A');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^already complete: 90 examples: 30 original, 30 RPL, 30 ADD/);
    expect(stdout).toMatch(
      /\nOpen A\/report\.html in a browser.*\nNext:\n {2}.*perturbql view .*\n {2}.*perturbql init /,
    );
  });
});

describe('perturbql candidates on examples/', () => {
  it('writes its products and says how many candidates it decided', () => {
    expect(Object.keys(hashFiles(at('C')))).toEqual([
      'candidates.jsonl',
      'inputs.json',
      'readings.jsonl',
      'report.html',
      'report.json',
      'run.json',
    ]);
    expect(decided.stdout).toMatch(/^[\d,]+ RPL and [\d,]+ ADD candidates, [\d,]+ rejected, 0 left out\n/);
    const counts = { RPL: 0, ADD: 0, rejected: 0 };
    for (const { bucket } of decisions) counts[bucket]++;
    expect(decided.stdout).toContain(
      `${counts.RPL} RPL and ${counts.ADD} ADD candidates, ${formatCount(counts.rejected)} rejected`,
    );
  });

  it('says how many columns have few additions, and what gets more', () => {
    const { coverage, warnings } = JSON.parse(readFileSync(at('C/report.json'), 'utf8')) as {
      coverage: { targetColumns: number; withThreeAdd: { columns: number } };
      warnings: string[];
    };
    const few = coverage.targetColumns - coverage.withThreeAdd.columns;
    const note = warnings.find((warning) => warning.startsWith(`${few} of ${coverage.targetColumns} columns`));
    expect(note).toMatch(/fewer than the three ADD candidates.*for more: --set attributes\.filler=true/);
    expect(decided.stdout).toContain(`  note: ${note!}\n`);
  });

  it('decides the same as augment does', () => {
    // Byte by byte, toEqual takes a minute where other processes run.
    expect(readFileSync(at('C/candidates.jsonl')).equals(readFileSync(at('A/candidates.jsonl')))).toBe(true);
  });

  it('gives every database RPL and ADD candidates', () => {
    for (const dbId of Object.keys(STYLES)) {
      for (const bucket of ['RPL', 'ADD'])
        expect(decisions.filter((line) => line.db_id === dbId && line.bucket === bucket).length).toBeGreaterThan(5);
    }
  });

  it.each(['A/report.html', 'C/report.html'])('writes %s self-contained', (file) => {
    const html = readFileSync(at(file), 'utf8');
    expect(html).toMatch(/^<!doctype html>/i);
    expect(html).not.toMatch(/(?:src|href|action)\s*=\s*["']?(?:https?:)?\/\//i);
    expect(html).not.toMatch(
      /<link\b(?![^>]*href="data:)|@import|url\((?!["']?(?:data:|#))|\bfetch\(|<script[^>]+src/i,
    );
  });

  it('leaves its inputs as they were', () => {
    expect(hashFiles(EXAMPLES)).toEqual(inputsBefore);
  });
});

describe('the augmented training set', () => {
  it('holds each example as it is, against an RPL and against an ADD schema, in this order', () => {
    expect(records).toHaveLength(3 * originals.length);
    expect(provenance.map(({ kind }) => kind)).toEqual(originals.flatMap(() => KINDS));
    expect(provenance.map(({ index }) => index)).toEqual(records.map((_, i) => i));
    expect(provenance.map(({ db_id }) => db_id)).toEqual(records.map(({ db_id }) => db_id));
    expect(provenance.map(({ source }) => source)).toEqual(
      loadSpiderExamples(EXAMPLE_DATA.examples, schemas).flatMap(({ id }) => [id, id, id]),
    );
    expect(augmented.stdout).toMatch(/^90 examples: 30 original, 30 RPL, 30 ADD; 0 variants left out/);
  });

  it('keeps every original byte for byte', () => {
    const written = lines(at('A/examples.json')).slice(1, -1);
    originals.forEach((record, i) => expect(written[3 * i]!.replace(/,$/, '')).toBe(JSON.stringify(record)));
  });

  it('changes nothing of a variant but its schema and query', () => {
    for (const { record, original } of variants) {
      const changed = ['db_id', 'query', 'query_toks', 'query_toks_no_value', 'sql'];
      const rest = (from: JsonRecord): JsonRecord =>
        Object.fromEntries(Object.entries(from).filter(([key]) => !changed.includes(key)));
      expect(rest(record)).toEqual(rest(original));
      expect(Object.keys(record)).toEqual(Object.keys(original));
    }
  });

  it('writes gold.sql with one query and database per record', () => {
    expect(lines(at('A/gold.sql'))).toEqual(records.map(({ query, db_id }) => `${query}\t${db_id}`));
  });

  it('writes a tables.json that loads and renders again to the same records', () => {
    const written = readRecords(at('A/tables.json'));
    expect([...schemas.values()].map(renderSpiderTables)).toEqual(written);
    expect(new Set(records.map(({ db_id }) => db_id))).toEqual(new Set(schemas.keys()));
  });
});

describe('each rewritten gold query', () => {
  it('runs on the perturbed database and gives the rows of the original', () => {
    for (const { record, original, before, after } of variants) {
      const sqlite = openCopy(EXAMPLE_DATA.databases, before.id);
      try {
        const rows = (sql: string, schema: Database): unknown[] =>
          sqlite.prepare(singleQuoteLiterals(sql, schema).sql).raw().all();
        const expected = rows(original['query'] as string, before);
        new SchemaMatch(before, after).apply(sqlite);
        expect(rows(record.query, after), record.query).toEqual(expected);
      } finally {
        sqlite.close();
      }
    }
  });

  it('is the original with the edits of its provenance', () => {
    for (const { record, original, provenance: line } of variants) {
      const { edits } = line;
      expect(applyEdits(original['query'] as string, edits)).toBe(record.query);
      expect(undoEdits(record.query, edits)).toBe(original['query']);
    }
  });

  it('has the original’s structure over the columns of the perturbed schema', () => {
    for (const { record, original, before, after } of variants) {
      const match = new SchemaMatch(before, after);
      const flat = flatColumns(after);
      const moved = flatColumns(before).map((ref) => {
        const to = match.move(ref);
        return flat.findIndex(({ table, column }) => table === to.table && column === to.column) + 1;
      });
      // A star of the original that the added column would widen is written out, so ids can't be compared.
      if (/\*\s+FROM/.test(original['query'] as string) && record.query !== original['query']) {
        mapColumnIds(record.sql, (id) => (expect(id).toBeLessThanOrEqual(flat.length), id));
      } else {
        const expected = mapColumnIds(original['sql'] as SpiderSql, (id) => (id === 0 ? 0 : moved[id - 1]!));
        expect(record.sql).toEqual(expected);
      }
    }
  });
});

describe('each perturbed schema', () => {
  it('has names that are distinct per table, as words and as identifiers', () => {
    for (const { tables } of schemas.values()) {
      for (const { columns } of tables) {
        expect(new Set(columns.map(({ name }) => columnNameKey(name))).size).toBe(columns.length);
        expect(new Set(columns.map(({ originalName }) => originalName.toLowerCase())).size).toBe(columns.length);
      }
    }
  });

  it('keeps the naming style of its database', () => {
    for (const { before, after } of variants) {
      for (const { originalName } of after.tables.flatMap(({ columns }) => columns))
        expect(originalName).toMatch(STYLES[before.id]!);
    }
  });

  it('keeps types and keys at the columns that they belong to', () => {
    for (const { before, after, provenance: line } of variants) {
      const match = new SchemaMatch(before, after);
      const added = flatColumns(after).filter((ref) => match.origin(ref) === null);
      expect(added).toHaveLength(line.kind === 'ADD' ? line.changes.length : 0);
      for (const ref of flatColumns(after)) {
        const origin = match.origin(ref);
        if (origin !== null) expect(after.tables[ref.table]!.columns[ref.column]!.type).toBe(origin.type);
      }
      expect(after.primaryKeys).toEqual(before.primaryKeys.map((ref) => match.move(ref)));
      expect(after.foreignKeys).toEqual(
        before.foreignKeys.map(({ from, to }) => ({ from: match.move(from), to: match.move(to) })),
      );
    }
  });

  it('has a db_id of its own that names the original, and tables of the same names', () => {
    for (const { record, before, after, provenance: line } of variants) {
      expect(record.db_id).toMatch(new RegExp(`^${before.id}__${line.kind.toLowerCase()}_\\d+$`));
      expect(line.original_db_id).toBe(before.id);
      expect(after.tables.map(({ originalName }) => originalName)).toEqual(
        before.tables.map(({ originalName }) => originalName),
      );
    }
  });
});

describe('provenance', () => {
  it('names exactly what differs between the schemas', () => {
    for (const { before, after, provenance: line } of variants) {
      const match = new SchemaMatch(before, after);
      const differing = flatColumns(after).flatMap((ref) => {
        const { originalName } = after.tables[ref.table]!.columns[ref.column]!;
        return match.origin(ref)?.originalName === originalName
          ? []
          : [`${before.tables[ref.table]!.originalName}.${originalName}`];
      });
      const named = line.changes.map(({ table, identifier }) => `${table}.${identifier}`);
      expect(named.sort()).toEqual(differing.sort());
      expect(named.length).toBeGreaterThan(0);
    }
  });

  it('names candidates that were decided so', () => {
    const known = new Set(decisions.map(({ db_id, bucket, candidate }) => [db_id, bucket, candidate].join('|')));
    for (const { original_db_id: dbId, kind, changes } of provenance) {
      for (const { candidate } of changes) expect(known).toContain([dbId, kind, candidate].join('|'));
    }
  });

  it('says nothing was changed of an original', () => {
    for (const line of provenance.filter(({ kind }) => kind === 'original'))
      expect(line).toMatchObject({ changes: [], edits: [], unmentioned: false, db_id: line.original_db_id });
  });
});

describe('--candidates', () => {
  const augmentWith = (candidates: string, out: string, ...more: string[]): Promise<CliResult> =>
    run('augment', ...EXAMPLE_DATA.options, '--candidates', candidates, '--out', out, ...more);
  const provenanceOf = async (out: string, ...more: string[]): Promise<readonly PerturbedLine[]> => {
    const { code, stderr } = await augmentWith('C', out, ...more);
    expect(code, stderr).toBe(0);
    return lines(at(out, 'provenance.jsonl')).map((line) => JSON.parse(line) as PerturbedLine);
  };
  const products = ['tables.json', 'examples.json', 'provenance.jsonl', 'gold.sql'];

  it('takes a run folder or its file, and gives the training set that the pipeline gives', async () => {
    const results = await Promise.all([augmentWith('C', 'from-run'), augmentWith('C/candidates.jsonl', 'from-file')]);
    expect(results.map(({ code }) => code)).toEqual([0, 0]);
    for (const product of products) {
      expect(readFileSync(at('from-run', product))).toEqual(readFileSync(at('A', product)));
      expect(readFileSync(at('from-file', product))).toEqual(readFileSync(at('A', product)));
    }
  });

  it('says of how many columns candidates are that were decided for mentioned ones', async () => {
    const { code } = await run('candidates', ...EXAMPLE_DATA.options, '--recipe', 'random', '--out', 'few');
    expect(code).toBe(0);
    const { stderr } = await augmentWith('few', 'of-few');
    expect(stderr).toMatch(/the candidates are of \d+ of 76 columns; .*perturbql candidates --columns all/);
    const { stderr: ofPaper } = await augmentWith('few', 'of-few-paper', '--paper');
    expect(ofPaper).not.toContain('the candidates are of');
  });

  it('draws otherwise from another seed', async () => {
    const { code } = await augmentWith('C', 'seeded', '--seed', '7');
    expect(code).toBe(0);
    expect(readFileSync(at('seeded/examples.json'))).not.toEqual(readFileSync(at('A/examples.json')));
    expect(JSON.parse(readFileSync(at('seeded/run.json'), 'utf8'))).toMatchObject({ seed: 7 });
  });

  it('perturbs whole tables, or mentioned columns alone, and golds still return what they did', async () => {
    const whole = await provenanceOf('whole', '--sample', 'hard');
    const mentioned = await provenanceOf('mentioned', '--columns', 'mentioned');
    const changesOf = (all: readonly PerturbedLine[], kind: string): number =>
      all.filter((line) => line.kind === kind).reduce((sum, { changes }) => sum + changes.length, 0);
    expect(changesOf(whole, 'RPL')).toBeGreaterThan(2 * changesOf(mentioned, 'RPL'));
    expect(changesOf(whole, 'ADD')).toBeGreaterThan(changesOf(mentioned, 'ADD'));
    const databases = new Set(whole.map(({ original_db_id }) => original_db_id));
    const variantsOfRpl = new Set(whole.flatMap(({ kind, db_id }) => (kind === 'RPL' ? [db_id] : [])));
    expect(variantsOfRpl.size).toBeLessThanOrEqual(8 * databases.size);
  });

  it('gives linked keys one name, or each its own', async () => {
    const names = { gardener: ['grower id', 'planter id', 'holder id'], plot: ['tenant id', 'owner id', 'keeper id'] };
    const lineOf = (table: string, candidate: string): string =>
      JSON.stringify(acceptedDecision({ db_id: 'community_garden', table, column: 'gardener id', candidate }));
    const given = Object.entries(names).flatMap(([table, list]) => list.map((name) => lineOf(table, name)));
    writeFileSync(at('keys.jsonl'), given.join('\n'));
    const data = writeSmallData(at('keys'), [3, 4, 8, 9]);
    const drawn = async (choice: string): Promise<Record<string, string>[]> => {
      const options = ['--candidates', 'keys.jsonl', '--linked-keys', choice, '--out', `keys-${choice}`];
      expect((await run('augment', ...data.options, ...options)).code).toBe(0);
      return lines(at(`keys-${choice}`, 'provenance.jsonl'))
        .map((line) => (JSON.parse(line) as PerturbedLine).changes)
        .filter((changes) => changes.length > 0)
        .map((changes) => Object.fromEntries(changes.map(({ table, candidate }) => [table, candidate])));
    };
    for (const { gardener, plot } of await drawn('same')) expect(gardener).toBe(plot);
    for (const { gardener, plot } of await drawn('independent')) {
      expect(names.gardener).toContain(gardener);
      expect(names.plot).toContain(plot);
    }
  });
});
