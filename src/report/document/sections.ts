import {
  type Chapter,
  type Column,
  type FactsSection,
  nameSpan,
  type PlotSection,
  type RichCell,
  type Row,
  type Section,
  type TableSection,
} from './document.js';
import type { CasesSection, ReportCase } from './case.js';
import { endsOf, formatPercent, type ReportedInterval, someIds } from '../figures.js';
import type { LeftOutGroup } from '../left-out.js';

type Head = string | readonly [head: string, meaning: string];
type Lane = PlotSection['groups'][number]['lanes'][number];

/** Sections under a heading. */
export function chapterOf(
  id: string,
  heading: string,
  sections: readonly Section[],
  further: Pick<Chapter, 'link' | 'note' | 'layout'> = {},
): Chapter {
  return { id, heading, sections, ...further };
}

/** A name with its value. */
export type Fact = FactsSection['facts'][number];

/** One that may not be there. */
export type MaybeFact = Fact | false | null | undefined;

/** Names with their values, without those that are not there. */
export function factsOf(facts: readonly MaybeFact[]): FactsSection {
  return { kind: 'facts', facts: facts.filter((fact) => fact !== false && fact != null) };
}

/** Names in a sentence, after what is said of them; nothing where there are none. */
export function listOfNames(said: string, names: readonly string[]): readonly Section[] {
  const items = [`${said} ${new Intl.ListFormat('en').format(names)}.`];
  return names.length === 0 ? [] : [{ kind: 'list', items }];
}

/** A column of words. */
export function words(head: string): Column {
  return { head, kind: 'words' };
}

/** A column of figures; `title`: the meaning of its head. */
export function figures(head: string, title?: string): Column {
  return { head, kind: 'figures', ...(title !== undefined && { title }) };
}

/** A column of words, then columns of figures: by their heads, some with what they mean. */
export function headed(first: string, ...others: readonly Head[]): readonly Column[] {
  return [words(first), ...others.map((one) => (typeof one === 'string' ? figures(one) : figures(...one)))];
}

/** Rows below the heads of their columns. */
export function tableOf(
  caption: string,
  columns: readonly Column[],
  rows: readonly Row[],
  searched?: string,
): TableSection {
  return { kind: 'table', caption, columns, rows, ...(searched !== undefined && { searched }) };
}

/** What was left out, by reason. */
export function leftOutTable(what: string, groups: readonly LeftOutGroup[]): TableSection {
  const rows = groups.map(({ reason, count, ids }) => ({ cells: [[nameSpan(reason)], count, someIds(ids)] }));
  return tableOf(`${what}; report.json has all ids`, [...headed('Because', 'How many'), words('Which')], rows);
}

/** A share as a cell, with what else it has; sorted by a value without the noise of binary fractions. */
export function shareCell(share: number, further: Omit<RichCell, 'text' | 'sort'> = {}): RichCell {
  return { text: formatPercent(share), sort: Number(share.toFixed(6)), ...further };
}

/** A share of a plot with its interval. */
export function shareLane(
  label: string,
  value: number,
  interval: ReportedInterval | null,
  tone: Lane['tone'],
  figure = formatPercent(value),
): Lane {
  const ends = endsOf(interval);
  return { label, figure, tone, value, ends: ends && [ends.low, ends.high] };
}

/** Ends of an axis of shares. */
const ROUND_ENDS = [0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1];

/** Shares that are mostly low, as dots with intervals: the axis ends where all have room. */
export function lowSharesPlot(title: string, heading: string, lanes: readonly Lane[], axis: string): PlotSection {
  const highest = Math.max(...lanes.map(({ value, ends }) => ends?.[1] ?? value));
  const end = ROUND_ENDS.find((one) => highest <= one) ?? 1;
  return sharesPlot(title, heading, lanes, axis, [0, end / 2, end]);
}

/** Shares as dots with intervals, along an axis from the first to the last of some places. */
export function sharesPlot(
  title: string,
  heading: string,
  lanes: readonly Lane[],
  axis: string,
  places: readonly number[] = [0, 0.25, 0.5, 0.75, 1],
): PlotSection {
  return {
    kind: 'plot',
    mark: 'dot',
    title,
    groups: [{ heading, lanes }],
    axis: { from: 0, to: places.at(-1) ?? 1, title: axis },
    ticks: places.map((at) => [at, `${Number((at * 100).toFixed(1))}%`] as const),
  };
}

/** Cases, and by what they are filtered besides their status. */
export function casesOf(
  statuses: CasesSection['statuses'],
  facets: readonly string[],
  cases: readonly ReportCase[],
  open: string | null,
  further: Partial<Pick<CasesSection, 'noun' | 'statusLabel' | 'allIn'>> = {},
): CasesSection {
  const labeled = facets.map((id) => ({ id, label: id.charAt(0).toUpperCase() + id.slice(1) }));
  return { kind: 'cases', noun: 'case', statuses, facets: labeled, cases, open, ...further };
}

/** Shares as bars, the greatest first. */
export function barPlot(title: string, lanes: readonly Lane[], axis: string): PlotSection {
  return orderedBars(
    title,
    [...lanes].sort((a, b) => b.value - a.value),
    axis,
  );
}

/** Bars in their own order; `to`: the end of the axis. */
export function orderedBars(title: string, lanes: readonly Lane[], axis: string, to = 1): PlotSection {
  const groups = [{ heading: '', lanes }];
  return { kind: 'plot', mark: 'bar', title, groups, axis: { from: 0, to, title: axis }, ticks: [] };
}
