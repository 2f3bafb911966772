import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMPARED_SOURCES } from '../../bench/sources/compared-sources.js';
import { compareWithPeople } from '../../bench/sources/people-names.js';
import { rejectionFigures, sourcesFigures } from '../../bench/sources/sources-report.js';
import type { CandidateDecision } from '../../src/formats/artifacts/candidates.js';
import { loadText } from '../../src/formats/json-file.js';
import { readProposedNames } from '../../src/llm/proposed-names.js';
import { RecordedProposer } from '../../src/llm/recorded-proposer.js';
import { decision, HOME_COUNTRY } from '../variants/relations/names/garden-schema.js';
import { PROJECT } from '../e2e/run-cli.js';

const PROPOSALS = join(PROJECT, 'bench', 'sources', 'proposals.jsonl');

const DECISIONS: readonly CandidateDecision[] = [
  decision(HOME_COUNTRY, 'Native Lands'),
  decision(HOME_COUNTRY, 'origin'),
  decision(HOME_COUNTRY, 'climate', { bucket: 'ADD' }),
  decision(HOME_COUNTRY, 'homeland', { bucket: 'rejected', reason: 'unsupported' }),
  decision(HOME_COUNTRY, 'soil', { bucket: 'rejected', reason: 'unsupported' }),
];
const { db_id: dbId, table, column } = DECISIONS[0]!;
const place = [dbId, table, column].join('/').toLowerCase();

describe('bench:sources', () => {
  it('compares accepted names with those of people, whatever their form', () => {
    const people = { rpl: new Map([[place, new Set(['native land', 'homeland'])]]), add: new Map() };
    const columns = [[dbId, table, column] as const];
    expect(compareWithPeople(DECISIONS, 'RPL', columns, people)).toEqual({
      comparable: 2,
      agreed: 1,
      contradicted: 0,
      named: 2,
    });
    // Where people named nothing to add, nothing can be compared.
    const contradicting = { ...people, rpl: new Map([[place, new Set(['climate'])]]) };
    expect(compareWithPeople(DECISIONS, 'ADD', columns, contradicting)).toEqual({
      comparable: 0,
      agreed: 0,
      contradicted: 1,
      named: 0,
    });
  });

  it('reports what each source came to, and why names were rejected', () => {
    const agreement = { comparable: 2, agreed: 1, contradicted: 0, named: 4 };
    const result = {
      about: 'a',
      decisions: DECISIONS,
      rpl: agreement,
      add: agreement,
      cpuSeconds: 1,
      calls: 0,
      tokens: 0,
    };
    const report = { columns: 1, tables: 1, results: [{ id: 'llm', ...result }] };
    const expected = { proposed: 5, rpl: 2, rplColumns: 1, rplAgreed: 50, rplFound: 25, add: 1 };
    expect(sourcesFigures(report).rows['llm']).toMatchObject(expected);
    expect(rejectionFigures(report).rows).toEqual({ unsupported: { reason: 'unsupported', llm: 2 } });
  });

  it('has recorded answers as the prompt asks for them', () => {
    expect(() => new RecordedProposer(PROPOSALS)).not.toThrow();
    const answers = loadText(PROPOSALS).trim().split('\n');
    expect(answers).toHaveLength(60);
    for (const line of answers) {
      const { id, ...lists } = JSON.parse(line) as { id: string };
      const names = readProposedNames(JSON.stringify(lists));
      expect({ id, names: Math.max(names?.replacements.length ?? 99, names?.additions.length ?? 99) }).toSatisfy(
        (one: { names: number }) => one.names <= 10,
      );
    }
  });

  it('has a row for each recipe of sources, each with its own id', () => {
    expect(new Set(COMPARED_SOURCES.map(({ id }) => id)).size).toBe(COMPARED_SOURCES.length);
  });
});
