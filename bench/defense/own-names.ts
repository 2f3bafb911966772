import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { toDecision } from '../../src/formats/adveta-release.js';
import type { CandidateDecision } from '../../src/formats/artifacts/candidates.js';
import { groupBy } from '../../src/run/group-by.js';
import { columnNameKey } from '../../src/schema/name-identity.js';
import type { Database, Table } from '../../src/schema/schema.js';

/** Lists of our own that go through the schemas of Spider's train split (training/column_groups.py). */
const LISTS = 'training/column_groups_5';

/** Share of a table's columns that a section must begin lines with, to be about it. */
const ABOUT_IT = 0.6;

/** A column of a list: other names for it, and names that go with it but mean something else. */
interface ListedColumn {
  readonly rpl: readonly string[];
  readonly add: readonly string[];
}

type Section = ReadonlyMap<string, ListedColumn>;

const parts = (text: string, separator: string): readonly string[] =>
  text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');

function parseSection(text: string): Section {
  const lines = text.split('\n').slice(1);
  const columns = lines.flatMap((line): [string, ListedColumn][] => {
    const [names = '', near = ''] = line.split('~');
    const [first, ...rpl] = parts(names, '|');
    return first === undefined || line.startsWith('#') ? [] : [[first, { rpl, add: parts(near, ',') }]];
  });
  return new Map(columns);
}

function readSections(root: string): readonly Section[] {
  const folder = join(root, LISTS);
  const files = readdirSync(folder).sort();
  return files.flatMap((name) =>
    readFileSync(join(folder, name), 'utf8')
      .split(/^@/m)
      .slice(1)
      .map((text) => parseSection(text)),
  );
}

function sectionOf(table: Table, sections: readonly Section[]): Section | null {
  const shareOf = (section: Section): number =>
    table.columns.filter(({ name }) => section.has(name)).length / table.columns.length;
  const [best] = sections
    .map((section) => ({ section, share: shareOf(section) }))
    .sort((a, b) => b.share - a.share || a.section.size - b.section.size);
  return best !== undefined && best.share >= ABOUT_IT ? best.section : null;
}

/** Names that our own lists have for the columns of databases: what choices are made by, as people's names must not. */
export function ownNames(root: string, databases: Iterable<Database>): readonly CandidateDecision[] {
  const sections = readSections(root);
  return [...databases].flatMap(({ id: dbId, tables }) =>
    tables.flatMap((table) => {
      const section = sectionOf(table, sections);
      return table.columns.flatMap(({ name, originalName }) => {
        const place = { dbId, table: table.name, column: name, columnOriginal: originalName };
        const listed = section?.get(name) ?? { rpl: [], add: [] };
        return [
          ...listed.rpl.map((candidate) => toDecision({ ...place, bucket: 'RPL', candidate }, table)),
          ...listed.add.map((candidate) => toDecision({ ...place, bucket: 'ADD', candidate }, table)),
        ];
      });
    }),
  );
}

/** Of each column's new names those that share no word with the old one, all where each does. */
export function farNames(names: readonly CandidateDecision[]): readonly CandidateDecision[] {
  const wordsOf = (text: string): readonly string[] => columnNameKey(text).split(' ');
  const renamings = names.filter(({ bucket }) => bucket === 'RPL');
  const columns = groupBy(renamings, ({ db_id: dbId, table, column }) => JSON.stringify([dbId, table, column]));
  return [...columns.values()].flatMap((own) => {
    const far = own.filter(({ candidate, column }) => {
      const old = wordsOf(column);
      return !wordsOf(candidate).some((word) => old.includes(word));
    });
    return far.length === 0 ? own : far;
  });
}
