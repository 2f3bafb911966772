import type { CasesSection, CaseStatus, QuestionPart, ReportCase } from '../../../report/document/case.js';
import { lowestRanked } from '../../../report/document/lowest-ranked.js';
import type { CompositionKind, QuestionPiece } from '../../../formats/artifacts/compositions.js';
import type { ComposedSample, ComposeReport } from './compose-report.js';

/** Each kind's change of the first parent, in the order of the list. */
export const KIND_STATUSES: readonly (CaseStatus & { readonly id: CompositionKind })[] = [
  { id: 'SUB', label: 'Part replaced (CG-SUB)', tone: 'rpl' },
  { id: 'APP', label: 'Part appended (CG-APP)', tone: 'add' },
];

const PARENT_OF = { base: 'first', element: 'second', link: null } as const;

/** A text marked as a parent's, but not the white space and the punctuation around it. */
function marked(text: string, of: QuestionPart['of']): readonly QuestionPart[] {
  const start = text.search(/[^\s.,;?!]/u);
  if (start < 0 || of === null) return [{ text, of: null }];
  const inner = text.slice(start).replace(/[\s.,;?!]+$/u, '');
  const parts: readonly QuestionPart[] = [
    { text: text.slice(0, start), of: null },
    { text: inner, of },
    { text: text.slice(start + inner.length), of: null },
  ];
  return parts.filter((part) => part.text !== '');
}

function partsOf(pieces: readonly QuestionPiece[]): readonly QuestionPart[] {
  return pieces.flatMap(({ of, text }) => marked(text, PARENT_OF[of]));
}

/** A parent's question around its element, with `inside` and `outside` marked; not marked where it words it otherwise. */
function parentParts(
  question: string,
  element: string,
  inside: QuestionPart['of'],
  outside: QuestionPart['of'],
): readonly QuestionPart[] {
  const at = question.lastIndexOf(element);
  if (at < 0) return [{ text: question, of: null }];
  const end = at + element.length;
  return [
    ...marked(question.slice(0, at), outside),
    ...marked(question.slice(at, end), inside),
    ...marked(question.slice(end), outside),
  ].filter(({ text }) => text !== '');
}

/** An element as it is quoted: without the punctuation that ends its question. */
const quoted = (text: string): string => `“${text.trim().replace(/[\s.?!]+$/u, '')}”`;

function glossOf({ kind, connective, elements: [old, added] }: ComposedSample): string {
  return kind === 'SUB'
    ? `${quoted(old.text)} → ${quoted(added.text)}`
    : `+ ${connective ?? 'and'} ${quoted(added.text)}`;
}

function caseOf(sample: ComposedSample): ReportCase {
  const { id, kind, question, query, pieces, elements, hardness, db_id: database, depth, parents, rows } = sample;
  const [first, second] = sample.asked ?? [];
  const own = { against: null, note: null, verdicts: [] };
  return {
    id,
    question,
    parts: partsOf(pieces),
    gloss: glossOf(sample),
    status: kind,
    facets: { hardness: hardness ?? 'unknown', database },
    reason: null,
    ...(rows !== undefined && {
      given: [
        { label: 'Rows of the first parent', ...rows.parent },
        { label: 'Rows of the composed query', ...rows.composed },
      ],
    }),
    sides: [
      {
        label: 'composed',
        question: null,
        tables: [],
        marks: [],
        queries: [
          { ...own, label: 'Gold query', sql: query, against: first?.query ?? null },
          ...(first === undefined
            ? []
            : [
                {
                  ...own,
                  label: `First parent, ${parents[0]}`,
                  asked: parentParts(first.question, elements[0].text, kind === 'SUB' ? null : 'first', 'first'),
                  sql: first.query,
                },
              ]),
          ...(second === undefined
            ? []
            : [
                {
                  ...own,
                  label: `Second parent, ${parents[1]}`,
                  asked: parentParts(second.question, elements[1].text, 'second', null),
                  sql: second.query,
                },
              ]),
        ],
        results: [],
      },
    ],
    notes: [`${id}.`, ...(depth > 1 ? ['Its first parent is composed, too.'] : [])],
  };
}

/** How much there is to read before it is seen what was composed of what. */
function readingLength({ question, query, asked }: ComposedSample): number {
  const texts = [question, query, ...(asked ?? []).flatMap((parent) => [parent.question, parent.query])];
  return texts.reduce((sum, { length }) => sum + length, 0);
}

/** The composition that is soonest read, where one of a first step is. */
function tellingSample(samples: readonly ComposedSample[]): ComposedSample | undefined {
  const rank = (sample: ComposedSample): number => 10_000 * sample.depth + readingLength(sample);
  return lowestRanked(samples, rank);
}

/** The compositions that a report holds, each with its parents. */
export function composeCases({ samples }: ComposeReport): CasesSection {
  return {
    kind: 'cases',
    noun: 'question',
    statuses: KIND_STATUSES,
    statusLabel: 'Kind',
    facets: [
      { id: 'hardness', label: 'Hardness' },
      { id: 'database', label: 'Database' },
    ],
    cases: samples.map(caseOf),
    open: tellingSample(samples)?.id ?? null,
    allIn: 'compositions.jsonl',
  };
}
