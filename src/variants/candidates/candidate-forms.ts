import { isFolder } from '../../regular-file.js';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { InputFormatError } from '../../errors.js';
import {
  type AdvetaCandidate,
  loadAdvetaFolder,
  loadAdvetaTables,
  toDecision,
} from '../../formats/adveta-candidates.js';
import { ADVETA_SETS, type AdvetaSet, advetaSetOf, listAdvetaFiles } from '../../formats/adveta-release.js';
import {
  CANDIDATES_FILE,
  type CandidateDecision,
  loadCandidates,
  parseCandidates,
} from '../../formats/artifacts/candidates.js';
import type { DatasetFormat } from '../../formats/dataset-formats.js';
import { loadText } from '../../formats/json-file.js';
import { MANIFEST, readRunManifest } from '../../run/run-folder.js';
import type { Database } from '../../schema/schema.js';
import { AdvetaPlaces } from './adveta-places.js';
import { decidedColumns } from '../relations/names/decisions-by-column.js';
import { type FoundCandidates, FoundCandidatesTally } from './found-candidates.js';

/** A table or column by natural and original name. */
export interface Named {
  readonly name: string;
  readonly originalName: string;
}

export interface NamedTable extends Named {
  readonly dbId: string;
  readonly columns: readonly Named[];
}

/** Further forms in which candidates may come, that rooms above know: annotation projects. */
export interface CandidateFormsOption {
  readonly candidateForms?: readonly CandidateForm[];
}

/** The use that candidates are loaded for. */
export interface CandidateUse extends CandidateFormsOption {
  /** Format of the data set: a release of ADVETA has lists for several. */
  readonly format: DatasetFormat;
  /** Called with what was found of people's candidates, and what was not. */
  readonly onFound?: (found: FoundCandidates) => void;
}

/** A form in which candidates come: what `--candidates` may name. */
export interface CandidateForm {
  readonly matches: (from: string) => boolean;
  /** @throws InputFormatError, or what the form's own reader throws */
  readonly load: (
    from: string,
    databases: ReadonlyMap<string, Database>,
    use: CandidateUse,
  ) => readonly CandidateDecision[];
  /** The tables that they are about, with all of their columns; null where only the decisions name them. */
  readonly tables: (from: string, format: DatasetFormat) => Iterable<NamedTable> | null;
}

/** The prefix for a folder with an ADVETA release, in place of a path. */
export const ADVETA_PREFIX = 'adveta:';

/** The remedy for a wrong `--candidates`: its valid values. */
export const CANDIDATES_FIX = 'Name a run folder, a candidates.jsonl, an annotation project or adveta:DIR.';

/** @throws InputFormatError where a run has no candidates */
function requireCandidates(folder: string): void {
  if (existsSync(join(folder, CANDIDATES_FILE)) || !existsSync(join(folder, MANIFEST))) return;
  const { command, complete } = readRunManifest(folder);
  const refuse = (reason: string, fix: string): never => {
    throw new InputFormatError(`the run of ${command} ${reason}`, { where: { file: folder }, fix });
  };
  if (command !== 'candidates' && command !== 'augment') refuse('writes no candidates', CANDIDATES_FIX);
  if (!complete) refuse('is not finished, and has no candidates yet', 'Give its command again, which goes on there.');
  refuse('took the candidates of another: it has none of its own', 'Name what it was given as --candidates.');
}

const RUN_FOLDER: CandidateForm = {
  matches: isFolder,
  load: (from) => {
    requireCandidates(from);
    return loadCandidates(join(from, CANDIDATES_FILE));
  },
  tables: () => null,
};

const FILE_OF_CANDIDATES: CandidateForm = {
  matches: existsSync,
  load: (from) => {
    const text = loadText(from);
    // A run that decided on no column writes an empty file.
    if (text.trim() === '' || text.trimStart().startsWith('{')) return parseCandidates(text, from);
    throw new InputFormatError('this is neither candidates nor an annotation project', {
      where: { file: from },
      fix: CANDIDATES_FIX,
    });
  },
  tables: () => null,
};

const advetaPath = (from: string): string => from.slice(ADVETA_PREFIX.length);

const ADVETA_RELEASE: CandidateForm = {
  matches: (from) => from.startsWith(ADVETA_PREFIX),
  load: (from, databases, { format, onFound }) =>
    toDecisions(loadAdvetaFolder(advetaPath(from), advetaSetOf(format)), databases, onFound),
  tables: (from, format) =>
    loadAdvetaTables(advetaPath(from), advetaSetOf(format)).map(({ dbId, table, columns }) => ({
      dbId,
      name: table,
      originalName: table,
      columns: columns.map((column) => ({ name: column, originalName: column })),
    })),
};

/**
 * The sets of ADVETA that have lists in what `adveta:` names, in the order of its Table 1; none where it is a file
 * whose name has no set, null where something else is named.
 * @throws InputFormatError when nothing can be read there
 */
export function advetaSetsIn(from: string): readonly AdvetaSet[] | null {
  if (!from.startsWith(ADVETA_PREFIX)) return null;
  const sets = new Set(listAdvetaFiles(advetaPath(from)).map(({ set }) => set));
  return ADVETA_SETS.filter((set) => sets.has(set));
}

const FORMS: readonly CandidateForm[] = [ADVETA_RELEASE, RUN_FOLDER, FILE_OF_CANDIDATES];

/** The form of what is named, of those of rooms above first; undefined where it is none. */
export function candidateFormOf(from: string, more: readonly CandidateForm[] = []): CandidateForm | undefined {
  return [...more, ...FORMS].find(({ matches }) => matches(from));
}

/** Returns people's choices as decisions about the data set's tables; choices about others are counted by cause. */
export function toDecisions(
  candidates: readonly AdvetaCandidate[],
  databases: ReadonlyMap<string, Database>,
  onFound?: (found: FoundCandidates) => void,
): readonly CandidateDecision[] {
  // ADVETA lists two blank names.
  const named = candidates.filter(({ candidate }) => candidate.trim() !== '');
  const places = new AdvetaPlaces(databases, named);
  const tally = new FoundCandidatesTally();
  const decisions = named.flatMap((candidate) => {
    const place = places.of(candidate);
    if (typeof place === 'string') {
      tally.add(candidate, place);
      return [];
    }
    const { database, table, column } = place;
    const names = column === null ? {} : { column: column.name, columnOriginal: column.originalName };
    const decision = toDecision({ ...candidate, dbId: database.id, ...names }, table);
    tally.add(candidate, decidedColumns(database, decision).length === 0 ? 'column' : place.by, decision.column);
    return [decision];
  });
  onFound?.(tally.found);
  return decisions;
}
