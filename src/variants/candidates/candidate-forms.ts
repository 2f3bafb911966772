import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isFolder } from '../../regular-file.js';
import { ConfigError, InputFormatError } from '../../errors.js';
import {
  ADVETA_SETS,
  type AdvetaCandidate,
  type AdvetaSet,
  advetaSetOf,
  listAdvetaFiles,
  loadAdvetaFolder,
  loadAdvetaTables,
  toDecision,
} from '../../formats/adveta-release.js';
import {
  type CandidateDecision,
  CANDIDATES_FILE,
  loadCandidates,
  parseCandidates,
} from '../../formats/artifacts/candidates.js';
import type { Dataset } from '../../formats/dataset.js';
import type { DatasetFormat } from '../../formats/dataset-formats.js';
import { loadText } from '../../formats/json-file.js';
import { MANIFEST, readRunManifest } from '../../run/run-folder.js';
import type { RunHost } from '../../run/run-host.js';
import type { Database } from '../../schema/schema.js';
import { AdvetaPlaces, describeFound, type FoundCandidates, FoundCandidatesTally, noteFound } from './adveta-places.js';
import { decidedColumns } from '../relations/names/candidate-pool.js';

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
const CANDIDATES_FIX = 'Name a run folder, a candidates.jsonl, an annotation project or adveta:DIR.';

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

/** Checks whether the data set has the column that a decision is about. */
function hasColumn(databases: ReadonlyMap<string, Database>, decision: CandidateDecision): boolean {
  const database = databases.get(decision.db_id);
  return database !== undefined && decidedColumns(database, decision).length > 0;
}

/**
 * Loads candidates by what `--candidates` names: a run folder, a `candidates.jsonl`, an annotation project (its final
 * answers), or `adveta:DIR` for the human ones of an ADVETA release (its files for the data set's format, Spider's
 * where none is named). Those about columns that the data set does not have are left out.
 * @throws ConfigError when nothing is there; InputFormatError when a file is not what it should be, or none is left.
 */
export function loadCandidatesFrom(
  from: string,
  databases: ReadonlyMap<string, Database>,
  use: CandidateUse = { format: 'spider' },
): readonly CandidateDecision[] {
  const found: FoundCandidates[] = [];
  const onFound = (one: FoundCandidates): void => {
    found.push(one);
    use.onFound?.(one);
  };
  return knownCandidates(readCandidates(from, databases, { ...use, onFound }), databases, from, found[0]);
}

/** Candidates that a job may be given. */
export interface GivenCandidates extends CandidateFormsOption {
  /** What `--candidates` names; null where nothing is given. */
  readonly candidates: string | null;
}

/** Candidates that a job is given for a data set; null where none are. @throws as `loadCandidatesFrom` */
export function loadGiven(
  { candidates, candidateForms = [] }: GivenCandidates,
  { format, databases }: Pick<Dataset, 'format' | 'databases'>,
  host: RunHost,
): readonly CandidateDecision[] | null {
  if (candidates === null) return null;
  return loadCandidatesFrom(candidates, databases, { format, onFound: noteFound(host), candidateForms });
}

/**
 * Those about columns that the data set has; `from` is named in the error, and what was found of people's candidates.
 * @throws InputFormatError when there are none, or none is left
 */
export function knownCandidates(
  decisions: readonly CandidateDecision[],
  databases: ReadonlyMap<string, Database>,
  from: string,
  found?: FoundCandidates,
): readonly CandidateDecision[] {
  if (decisions.length === 0 && found === undefined) {
    throw new InputFormatError('there are no candidates in it: it was decided on no column', {
      where: { file: from },
      fix: 'Run `perturbql candidates` with --columns all where no gold query names a column of a table.',
    });
  }
  const known = decisions.filter((decision) => hasColumn(databases, decision));
  if (known.length > 0) return known;
  throw new InputFormatError('no candidate is about a column of this data set', {
    where: { file: from },
    ...(found === undefined ? {} : { cause: new Error(describeFound(found)) }),
    fix: 'Name candidates that were made for the same tables file.',
  });
}

function readCandidates(
  from: string,
  databases: ReadonlyMap<string, Database>,
  use: CandidateUse,
): readonly CandidateDecision[] {
  const form = candidateFormOf(from, use.candidateForms);
  if (form !== undefined) return form.load(from, databases, use);
  throw new ConfigError(`--candidates ${from} does not exist`, { fix: CANDIDATES_FIX });
}
