import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { InputFormatError } from '../errors.js';
import { type AdvetaCandidate, loadAdvetaFolder, loadAdvetaTables, toDecision } from '../formats/adveta-candidates.js';
import { type CandidateDecision, loadCandidates, parseCandidates } from '../formats/candidates-file.js';
import { loadText } from '../formats/json-file.js';
import { identifierKey } from '../schema/name-identity.js';
import type { Database } from '../schema/schema.js';

/** A table or column by natural and original name. */
export interface Named {
  readonly name: string;
  readonly originalName: string;
}

export interface NamedTable extends Named {
  readonly dbId: string;
  readonly columns: readonly Named[];
}

/** A form in which candidates come: what `--candidates` may name. */
export interface CandidateForm {
  readonly matches: (from: string) => boolean;
  /** @throws InputFormatError, or what the form's own reader throws */
  readonly load: (from: string, databases: ReadonlyMap<string, Database>) => readonly CandidateDecision[];
  /** The tables that they are about, with all of their columns; null where only the decisions name them. */
  readonly tables: (from: string) => Iterable<NamedTable> | null;
}

/** What names a folder with an ADVETA release, in place of a path. */
export const ADVETA_PREFIX = 'adveta:';
/** How the names of the release's Spider files begin. */
const SPIDER_FILES = 'spider';

const isFolder = (from: string): boolean => statSync(from, { throwIfNoEntry: false })?.isDirectory() === true;

/** What `--candidates` may name. */
export const CANDIDATES_FIX = 'Name a run folder, a candidates.jsonl, an annotation project or adveta:DIR.';

const RUN_FOLDER: CandidateForm = {
  matches: isFolder,
  load: (from) => loadCandidates(join(from, 'candidates.jsonl')),
  tables: () => null,
};

const CANDIDATES_FILE: CandidateForm = {
  matches: existsSync,
  load: (from) => {
    const text = loadText(from);
    if (text.trimStart().startsWith('{')) return parseCandidates(text, from);
    throw new InputFormatError('this is neither candidates nor an annotation project', {
      where: { file: from },
      fix: CANDIDATES_FIX,
    });
  },
  tables: () => null,
};

const ADVETA_RELEASE: CandidateForm = {
  matches: (from) => from.startsWith(ADVETA_PREFIX),
  load: (from, databases) => toDecisions(loadAdvetaFolder(from.slice(ADVETA_PREFIX.length), SPIDER_FILES), databases),
  tables: (from) =>
    loadAdvetaTables(from.slice(ADVETA_PREFIX.length), SPIDER_FILES).map(({ dbId, table, columns }) => ({
      dbId,
      name: table,
      originalName: table,
      columns: columns.map((column) => ({ name: column, originalName: column })),
    })),
};

const forms: CandidateForm[] = [ADVETA_RELEASE, RUN_FOLDER, CANDIDATES_FILE];

/** Adds a form that a room above knows; it is asked before the others. */
export function addCandidateForm(form: CandidateForm): void {
  forms.unshift(form);
}

/** The form of what is named; undefined where it is none. */
export function candidateFormOf(from: string): CandidateForm | undefined {
  return forms.find(({ matches }) => matches(from));
}

/** What people chose, as decisions about the tables that the data set has. */
export function toDecisions(
  candidates: readonly AdvetaCandidate[],
  databases: ReadonlyMap<string, Database>,
): readonly CandidateDecision[] {
  return candidates.flatMap((candidate) => {
    const tables = databases.get(candidate.dbId)?.tables;
    const table = tables?.find(({ originalName }) => identifierKey(originalName) === identifierKey(candidate.table));
    // ADVETA lists two blank names.
    return table === undefined || candidate.candidate.trim() === '' ? [] : [toDecision(candidate, table)];
  });
}
