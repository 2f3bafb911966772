import { bestMention, mentionedPlaces } from './known-example.js';
import type { LabelClassifier } from './label-classifier.js';
import { contentStems, type LinkedQuestion, type Mention, mentionContext, questionTerms } from './schema-linking.js';
import { COLUMN_ROLES } from './sketch.js';
import type { WordAssociation } from './word-association.js';

/** The facts about a column from the question. */
export interface ColumnView {
  readonly share: number;
  readonly mention: Mention | undefined;
  /** How well each role fits its best mention: weighted logits, 0 without a mention. */
  readonly roles: readonly number[];
  /** How strongly the question's words go with its name in the examples. */
  readonly association: number;
  readonly tableShare: number;
  /** 1 where its table is named right next to it, less farther off. */
  readonly tableBeside: number;
  /** Positions of the question's values that are cells of it. */
  readonly values: readonly number[];
}

/** A question as the filler of sketches sees it. */
export interface QuestionView {
  readonly linked: LinkedQuestion;
  readonly terms: readonly string[];
  readonly columns: readonly ColumnView[];
  readonly tableShares: readonly number[];
}

/** The examples' lessons about questions. */
export interface QuestionKnowledge {
  readonly roles: LabelClassifier;
  readonly association: WordAssociation;
}

const MAX_LOGIT = 4;
const BESIDE = 5;

function roleScores(linked: LinkedQuestion, roles: LabelClassifier): ReadonlyMap<string, readonly number[]> {
  return new Map(
    [...mentionedPlaces(linked)].map(([key, { mention }]) => {
      const logits = roles.logits(mentionContext(linked, mention));
      return [key, Array.from(logits, (logit) => Math.max(-MAX_LOGIT, Math.min(MAX_LOGIT, logit)))];
    }),
  );
}

/** For each role the best of the column's mentions that are as full as its fullest. */
function columnRoles(mentions: readonly Mention[], scores: ReadonlyMap<string, readonly number[]>): number[] {
  const best = bestMention(mentions)?.share ?? 0;
  const full = mentions.filter(({ share }) => share === best);
  return COLUMN_ROLES.map((_, role) => {
    const logits = full.map(({ first, last }) => scores.get(`${first}.${last}`)?.[role] ?? 0);
    return logits.length === 0 ? 0 : best * Math.max(...logits);
  });
}

function besideShare(mentions: readonly Mention[], tables: readonly Mention[]): number {
  const gaps = mentions.flatMap(({ first, last }) =>
    tables.map((table) => Math.max(0, table.first - last, first - table.last)),
  );
  const gap = Math.min(...gaps);
  return gap > BESIDE ? 0 : 1 - gap / (BESIDE + 1);
}

/** Gathers what the links and the examples say of each column. */
export function viewQuestion(linked: LinkedQuestion, { roles, association }: QuestionKnowledge): QuestionView {
  const scores = roleScores(linked, roles);
  const stems = contentStems(linked);
  const tableShares = linked.tables.map((mentions) => bestMention(mentions)?.share ?? 0);
  const columns = linked.schema.columns.map(({ ref }, index): ColumnView => {
    const mentions = linked.columns[index] ?? [];
    const tables = linked.tables[ref.table] ?? [];
    return {
      share: bestMention(mentions)?.share ?? 0,
      mention: bestMention(mentions),
      roles: columnRoles(mentions, scores),
      association: association.strength(stems, linked.schema.columns[index]?.stems ?? []),
      tableShare: tableShares[ref.table] ?? 0,
      tableBeside: mentions.length === 0 || tables.length === 0 ? 0 : besideShare(mentions, tables),
      values: linked.values.flatMap((value, at) => (value.columns.includes(index) ? [at] : [])),
    };
  });
  return { linked, terms: questionTerms(linked), columns, tableShares };
}
