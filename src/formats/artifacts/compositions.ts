import { join } from 'node:path';
import { z } from 'zod';
import { readIdentifiedLines } from '../json-lines.js';
import { renderJsonLines } from '../json-file.js';
import type { OutputFolder } from '../output-set.js';

/** Name in the folder of a `compose` run. */
export const COMPOSITIONS_FILE = 'compositions.jsonl';

/** The remedy if a folder holds no compositions, or wrong ones. */
export const COMPOSITIONS_FIX = 'Name a folder that `perturbql compose` wrote and finished.';

/** CG-SUB and CG-APP (Spider-SS §3.1). */
export const COMPOSITION_KINDS = ['SUB', 'APP'] as const;
export type CompositionKind = (typeof COMPOSITION_KINDS)[number];

/** A stretch of a composed question: of its first parent, of its second, or the word that joins them. */
const questionPiece = z.object({ of: z.enum(['base', 'element', 'link']), text: z.string() }).readonly();
export type QuestionPiece = z.infer<typeof questionPiece>;

/** An element as a composition names it. */
const reportedElement = z
  .object({
    /** "dev:17#1-2". */
    id: z.string(),
    text: z.string(),
    frame: z.string(),
    /** The noun that it modifies. */
    noun: z.string(),
  })
  .readonly();
export type ReportedElement = z.infer<typeof reportedElement>;

/** The parts of a composition, as also given in its line of `provenance.jsonl`. */
export const COMPOSITION_MAKING = {
  /** "dev:17~AND(dev:20)": the base, what was done, the question that the element is of. */
  id: z.string().min(1),
  /** The connective before an appended element; null for a substitution. */
  connective: z.enum(['and', 'or']).nullable(),
  /** 1; 2 where an element was appended to a substitution. */
  depth: z.int().min(1),
  /** Ids of the base and of the element's question; at depth 2 the base is a composition. */
  parents: z.tuple([z.string().min(1), z.string().min(1)]).readonly(),
  /** The elements: what took the place of which, or was appended to which. */
  elements: z.tuple([reportedElement, reportedElement]).readonly(),
  /** The composed question, piece by piece. */
  pieces: z.array(questionPiece).readonly(),
  /** Spider's hardness; null where it is not known, or the gold is outside its grammar. */
  hardness: z.string().nullable(),
} as const;

/** Schema of {@link ComposedExample}. */
export const compositionLine = z.object({
  ...COMPOSITION_MAKING,
  kind: z.enum(COMPOSITION_KINDS),
  db_id: z.string().min(1),
  /** Id of the data set's example whose other fields the composition has. */
  source: z.string().min(1),
  question: z.string().min(1),
  query: z.string().min(1),
  /** The sub-sentences, which cover the question, with their clauses: positions in the list of the query's clauses. */
  segments: z.array(z.object({ text: z.string(), clauses: z.array(z.int().min(0)).readonly() }).readonly()).readonly(),
  /** The shape of the query, names and literals left open, as a hash: what splits go by. */
  template: z.string(),
});

/** A composed question with its gold: one line of `compositions.jsonl`. */
export type ComposedExample = Readonly<z.infer<typeof compositionLine>>;

/** Writes `compositions.jsonl`. */
export function writeCompositions(folder: OutputFolder, compositions: Iterable<ComposedExample>): void {
  folder.write(COMPOSITIONS_FILE, renderJsonLines(compositions));
}

/**
 * The compositions of a run, at least one, each with an id of its own.
 * @throws InputFormatError where there is none, an id occurs twice, and naming the line and field that are wrong
 */
export function loadCompositions(run: string): readonly ComposedExample[] {
  return readIdentifiedLines(join(run, COMPOSITIONS_FILE), compositionLine, {
    nothing: 'there are no compositions',
    fix: COMPOSITIONS_FIX,
    emptyFix: 'Compose with other questions, a larger --budget, or --allow-empty.',
  });
}
