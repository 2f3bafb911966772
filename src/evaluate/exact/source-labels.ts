/** The label that tells a source of a FROM from the others there. */
interface SourceLabel {
  /** True if it is a table of the schema: its columns' numbers say which. */
  readonly isTable: boolean;
  /** The source's normal form; empty for the only source, whose star is a plain one. */
  readonly content: string;
  /** Which of the sources of equal content it is; empty where there is one. */
  readonly occurrence: string;
}
export type SourceLabels = ReadonlyMap<number, SourceLabel>;
type Ranks = ReadonlyMap<number, number>;

/** The sources that an expression sees: those of its own FROM, then those of the queries around it. */
export interface SourceScope {
  readonly labels: SourceLabels;
  readonly parent: SourceScope | null;
}

/** A source of a FROM by its number in the query, with its normal form. */
export interface FormSource {
  readonly id: number;
  readonly isTable: boolean;
  readonly content: string;
}

/** Of more occurrences the written sequence counts: each is drafted several times. */
const MOST_OCCURRENCES = 8;
/** The rank of the source that a draft is about. */
const MARKED = -1;

/** Returns a column's key in a normal form: its number, and what tells its source from the others that it sees. */
export function columnKey(column: number, source: number, scope: SourceScope | null): string {
  let levels = '';
  for (let at = scope; at !== null; at = at.parent) {
    const label = at.labels.get(source);
    // A column's number says which table it is of, but not which star or subquery.
    if (label !== undefined) {
      const content = !label.isTable || column === 0 ? label.content : '';
      return `${column}${levels}${content}${label.occurrence}`;
    }
    levels += '^';
  }
  return String(column);
}

/** The place of each source by its text; those of equal texts share the first of theirs. */
function rankBy(sources: readonly number[], textOf: (source: number) => string): Ranks {
  const texts = sources.map(textOf);
  const sorted = [...texts].sort();
  return new Map(sources.map((source, i) => [source, sorted.indexOf(texts[i] ?? '')]));
}

/** The first of the sources that share a rank set apart from them; null where none do. */
function setApart(ranks: Ranks): Ranks | null {
  const counts = [...ranks].sort(([, a], [, b]) => a - b);
  const shared = counts.find(([, rank], i) => rank === counts[i + 1]?.[1]);
  if (shared === undefined) return null;
  const [first, rank] = shared;
  return new Map([...ranks].map(([source, own]) => [source, own === rank && source !== first ? own + 1 : own]));
}

/**
 * Ranks sources by what the query says of each, whatever their sequence and aliases: those that share a rank are
 * distinguished by the query's text with one of them marked, until that tells no more; then they are alike, and any is
 * the first.
 */
function distinguish(sources: readonly number[], start: Ranks, draft: (ranks: Ranks) => string): Ranks {
  let ranks = start;
  for (;;) {
    const known = ranks;
    const finer = rankBy(
      sources,
      (source) => `${known.get(source) ?? ''} ${draft(new Map(known).set(source, MARKED))}`,
    );
    const tells = new Set(finer.values()).size > new Set(known.values()).size;
    const next = tells ? finer : setApart(known);
    if (next === null) return known;
    ranks = next;
  }
}

/**
 * The labels of a FROM's sources, the occurrences of one table or of equal subqueries numbered.
 * @param draft the query's text with its sources labelled so; null leaves occurrences alike
 */
export function labelSources(
  sources: readonly FormSource[],
  draft: ((labels: SourceLabels) => string) | null,
): SourceLabels {
  const labels: SourceLabels = new Map(
    sources.map(({ id, isTable, content }) => [
      id,
      { isTable, content: sources.length > 1 ? `@${content}` : '', occurrence: '' },
    ]),
  );
  const contentOf = (source: number): string => labels.get(source)?.content ?? '';
  const isRepeated = (source: number): boolean =>
    [...labels].some(([other, { content }]) => other !== source && content === contentOf(source));
  const repeated = [...labels.keys()].filter(isRepeated);
  const labelled = (ranks: Ranks): SourceLabels =>
    new Map([...labels].map(([source, label]) => [source, { ...label, occurrence: markOf(ranks.get(source)) }]));
  if (repeated.length > MOST_OCCURRENCES) return labelled(new Map(repeated.map((source, i) => [source, i])));
  const start = rankBy(repeated, contentOf);
  if (draft === null || repeated.length === 0) return labelled(start);
  return labelled(distinguish(repeated, start, (ranks) => draft(labelled(ranks))));
}

function markOf(rank: number | undefined): string {
  return rank === undefined ? '' : `#${rank}`;
}
