import type { HistogramLane, ThresholdLine } from '../svg-plots.js';
import type { CasesSection, Tone } from './case.js';

// A report is a document: plain data, made once from a result. `renderDocument` makes a page of it, `documentLines` text
// for a terminal.

/** Part of a text that stands out; a name comes from the data, and is isolated from what is around it. */
export interface Span {
  readonly text: string;
  readonly as: 'name' | 'code' | 'strong' | 'soft' | 'tag';
  readonly tone?: Tone;
  /** Shown where the text is pointed at. */
  readonly title?: string;
  /** Address within the page, "#case=dev:3", or of a page below it. */
  readonly href?: string;
}

/** A text, in parts where some of it stands out. */
export type Text = string | readonly (string | Span)[];

/** A cell: a text, or nothing where there is no figure. */
export type Cell = Text | number | null | RichCell;

export interface RichCell {
  readonly text: Text | number;
  /** The text that follows in small print. */
  readonly sub?: Text;
  readonly tone?: Tone;
  /** The key that rows are sorted by; default: the text. */
  readonly sort?: number | string;
  /** A share in [0, 1], drawn below the text. */
  readonly bar?: number;
}

/** A column; figures stand to the right. */
export interface Column {
  readonly head: Text;
  readonly kind: 'words' | 'figures';
  /** The meaning of the head, if it is an abbreviation. */
  readonly title?: string;
}

export interface Row {
  readonly cells: readonly Cell[];
  /** `heading`: one cell over the rows that follow; `total`: set off from the others. */
  readonly as?: 'heading' | 'total';
}

/** Names with their values. */
export interface FactsSection {
  readonly kind: 'facts';
  readonly facts: readonly (readonly [label: Text, value: Text | number])[];
}

/** Rows whose first cell names them. */
export interface TableSection {
  readonly kind: 'table';
  /** The title of the table: its caption, and its name for screen readers. */
  readonly caption: string;
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  /** Word for a row, "column"; given where the reader may sort and search the rows. */
  readonly searched?: string;
}

/** A value on a row of a plot, with its interval and the single values that it is the mean of. */
interface Lane {
  readonly label: string;
  /** The value as text. */
  readonly figure: string;
  readonly tone: Tone;
  readonly value: number;
  /** Ends of the interval; null where there is none. */
  readonly ends: readonly [low: number, high: number] | null;
  readonly points?: readonly number[];
}

/**
 * Values over a common axis: dots with intervals, bars from 0, or of each group a line from its first value to its
 * last.
 */
export interface PlotSection {
  readonly kind: 'plot';
  readonly mark: 'dot' | 'bar' | 'line';
  readonly title: string;
  readonly groups: readonly { readonly heading: string; readonly lanes: readonly Lane[] }[];
  readonly axis: { readonly from: number; readonly to: number; readonly title: string };
  /** Places along the axis, and what is written there. */
  readonly ticks: readonly (readonly [at: number, label: string])[];
}

/**
 * How scores in [0, 1] are spread, a row of bars for each kind of decision, with thresholds as lines through all rows.
 */
export interface HistogramSection {
  readonly kind: 'histogram';
  readonly title: string;
  readonly note: string;
  readonly lanes: readonly HistogramLane[];
  readonly thresholds: readonly ThresholdLine[];
}

/** Texts below each other. */
interface ListSection {
  readonly kind: 'list';
  readonly items: readonly Text[];
}

export type Section = FactsSection | TableSection | PlotSection | HistogramSection | ListSection | CasesSection;

/** Sections under a heading, with a link in the page's navigation. */
export interface Chapter {
  readonly id: string;
  readonly heading: string;
  /** Shorter text for the link. */
  readonly link?: string;
  /** How to read what follows. */
  readonly note?: Text;
  /** `side`: sections next to each other where there is room; `folded`: only its heading until it is opened. */
  readonly layout?: 'side' | 'folded';
  readonly sections: readonly Section[];
}

export interface ReportDocument {
  readonly title: string;
  /** The command that wrote it, "attack". */
  readonly command: string;
  /** The subject of the document: "victim baseline · examples dev.json". */
  readonly subject: Text;
  /** The answer, in one sentence. */
  readonly headline: string;
  /** The method behind the finding, in a sentence or two. */
  readonly lede: Text;
  /** The answer as a plot; null where there is nothing to draw. */
  readonly plot: PlotSection | null;
  readonly warnings: readonly string[];
  readonly chapters: readonly Chapter[];
  /** Version of perturbql. */
  readonly version: string;
  /** The last line; by default that report.json has the same figures. */
  readonly footer?: string;
}

/** A name from the data as part of a text. */
export function nameSpan(text: string): Span {
  return { text, as: 'name' };
}

/** The start of a hash, with the whole of it where it is pointed at. */
export function hashSpan(hash: string): Span {
  return { text: hash.slice(0, 12), as: 'code', title: hash };
}

/** The text without what stands out in it. */
export function plainText(text: Text): string {
  return typeof text === 'string' ? text : text.map((part) => (typeof part === 'string' ? part : part.text)).join('');
}
