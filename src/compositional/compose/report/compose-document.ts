import { dataName } from '../../../formats/dataset.js';
import {
  type CasesSection,
  type CaseStatus,
  lowestRanked,
  type QuestionPart,
  type ReportCase,
} from '../../../report/document/case.js';
import {
  type Chapter,
  nameSpan,
  type PlotSection,
  type ReportDocument,
  type TableSection,
} from '../../../report/document/document.js';
import { formatCount, formatNoun } from '../../../counts.js';
import {
  casesOf,
  chapterOf,
  factsOf,
  headed,
  leftOutTable,
  orderedBars,
  tableOf,
  words,
} from '../../../report/document/sections.js';
import { COMPOSITION_KINDS, type CompositionKind } from '../../../formats/artifacts/compositions.js';
import type { ComposedSample, ComposeReport } from './compose-report.js';

/** Each kind's change of the first parent, in the order of the list. */
const KIND_STATUSES: readonly (CaseStatus & { readonly id: CompositionKind })[] = [
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
    parts: pieces.flatMap(({ of, text }) => marked(text, PARENT_OF[of])),
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
  const open = tellingSample(samples)?.id ?? null;
  const further = { noun: 'question', statusLabel: 'Kind', allIn: 'compositions.jsonl' };
  return casesOf(KIND_STATUSES, ['hardness', 'database'], samples.map(caseOf), open, further);
}

const totalOf = ({ written: { SUB, APP } }: ComposeReport): number => SUB.total + APP.total;

/** The answer in a sentence: "400 new questions from 1,034; the results of all 400 were checked". */
function headlineOf(report: ComposeReport): string {
  const { questions, executed } = report;
  const total = totalOf(report);
  if (total === 0) return `No new question could be composed from ${formatCount(questions)}`;
  const made = `${formatNoun(total, 'new question')} from ${formatCount(questions)}`;
  if (!executed) return `${made}; no gold query was executed`;
  return `${made}; ${total === 1 ? 'its result was' : `the results of all ${formatCount(total)} were`} checked`;
}

function ledeOf(report: ComposeReport): string {
  const { written, examples, questions, made, executed } = report;
  const used =
    questions === examples
      ? `All ${formatNoun(examples, 'example')} were`
      : `Of ${formatNoun(examples, 'example')}, ${formatCount(questions)} were`;
  const kept = totalOf(report) < made ? ` Of ${formatCount(made)} that could be made these are kept.` : '';
  const checked = executed ? ' Each new gold query was executed next to those of its parents.' : '';
  return `${used} split into parts that match their gold queries’ clauses. ${formatNoun(written.SUB.total, 'new question')} replace a part by another question’s (CG-SUB), ${formatCount(written.APP.total)} append one (CG-APP).${kept}${checked}`;
}

/** Levels of hardness that the written questions have, from easy to extra. */
function levelsOf({ written }: ComposeReport): readonly string[] {
  return [...new Set(COMPOSITION_KINDS.flatMap((kind) => Object.keys(written[kind].hardness)))];
}

/** New questions by kind and hardness; null where there are none. */
function composePlot(report: ComposeReport): PlotSection | null {
  const total = totalOf(report);
  const lanes = KIND_STATUSES.flatMap(({ id, tone }) => {
    const action = id === 'SUB' ? 'replaced' : 'appended';
    return levelsOf(report).flatMap((level) => {
      const count = report.written[id].hardness[level] ?? 0;
      const figure = formatCount(count);
      return count === 0 ? [] : [{ label: `Part ${action}, ${level}`, figure, tone, value: count, ends: null }];
    });
  });
  if (lanes.length === 0) return null;
  const axis = `of ${formatCount(total)}; hardness as Spider measures it on the gold query`;
  const most = Math.max(...lanes.map(({ value }) => value));
  return orderedBars('New questions by kind and hardness', lanes, axis, most);
}

function caseChapters(report: ComposeReport, cases: CasesSection): readonly Chapter[] {
  const [shown, all] = [cases.cases.length, totalOf(report)];
  if (shown === 0) return [];
  const part =
    shown < all
      ? ` Shown are ${formatCount(shown)} of ${formatNoun(all, 'question')}, chosen by a fixed rule and spread over the databases; compositions.jsonl has them all.`
      : '';
  const note = `What comes from the first parent is underlined, what comes from the second is shaded. In the gold query, what the first parent’s does not have is underlined.${part}`;
  return [chapterOf('questions', 'New questions', [cases], { note })];
}

/** Both kinds by hardness, and how they were made. */
function kindChapter(report: ComposeReport): Chapter {
  const levels = levelsOf(report);
  const columns = headed(
    'Kind',
    'Questions',
    ...levels,
    ['With “or”', 'appended with “or” instead of “and”'],
    ['In two steps', 'appended to a question in which a part was replaced'],
  );
  const rows = KIND_STATUSES.map(({ id, label }) => {
    const { total, hardness, or, deep } = report.written[id];
    return { cells: [label, total, ...levels.map((level) => hardness[level] ?? 0), or, deep] };
  });
  const caption = 'New questions by what was done to the first parent, and by hardness';
  return chapterOf('kinds', 'Kinds and hardness', [tableOf(caption, columns, rows)], { link: 'Kinds' });
}

function databaseChapter({ databases }: ComposeReport): Chapter {
  const columns = headed(
    'Database',
    ['Questions', 'questions that were split into parts'],
    ['Parts', 'parts that can be put into another question'],
    ['Replaced', 'new questions in which a part was replaced'],
    ['Appended', 'new questions to which a part was appended'],
  );
  const rows = databases.map(({ id, questions, elements, written }) => ({
    cells: [[nameSpan(id)], questions, elements, written.SUB, written.APP],
  }));
  const table = tableOf('New questions by database', columns, rows, databases.length > 1 ? 'database' : undefined);
  return chapterOf('databases', 'Databases', [table], { layout: 'folded' });
}

function leftOutChapters({ leftOut }: ComposeReport): readonly Chapter[] {
  if (leftOut.length === 0) return [];
  const table = leftOutTable('Questions that nothing was composed of', leftOut);
  return [chapterOf('left', 'What was left out', [table], { link: 'Left out', layout: 'folded' })];
}

/** Each rule with the pairs that it was the first to refuse, the one that refused most first. */
function ruleTable({ rules }: ComposeReport): TableSection {
  const rows = [...rules]
    .sort((a, b) => b.refused - a.refused)
    .map(({ id, group, source, says, refusedByKind: { SUB, APP } }) => ({
      cells: [{ text: says, sub: [{ text: id, as: 'code' as const }] }, group, source, SUB, APP],
    }));
  return tableOf(
    'Pairs by the first rule that they break; SUB: to replace a part, APP: to append one',
    [words('What must hold'), words('Looks after'), ...headed('Source', 'SUB', 'APP')],
    rows,
    'rule',
  );
}

function ruleChapter(report: ComposeReport): Chapter {
  const { drafts, made } = report;
  const note = `Of ${formatNoun(drafts, 'pair')} of a question and a part ${formatCount(made)} made a new question.`;
  const further = { link: 'Not composed', layout: 'folded', note } as const;
  return chapterOf('refused', 'Why pairs were not composed', [ruleTable(report)], further);
}

function detailFacts({ dataset, examples, questions, elements, draftsByKind, made, executed, split }: ComposeReport) {
  return factsOf([
    ['Format', [nameSpan(dataset)]],
    ['Examples', examples],
    ['Questions split into parts', questions],
    ['Parts that can be put into another question', elements],
    ['Pairs looked at to replace a part', draftsByKind.SUB],
    ['Pairs looked at to append a part', draftsByKind.APP],
    ['New questions that could be made', made],
    ['Gold queries', executed ? 'executed' : 'not executed: no databases, or --no-verify'],
    split && ['For training, by the shape of the gold query', split.train],
    split && ['For test', split.test],
  ]);
}

/** The report of `perturbql compose` as a document. */
export function composeDocument(report: ComposeReport): ReportDocument {
  const { warnings, perturbql } = report;
  const name = dataName(report);
  return {
    title: `${name}: composed questions`,
    command: 'compose',
    subject: ['examples ', nameSpan(name)],
    headline: headlineOf(report),
    lede: ledeOf(report),
    plot: composePlot(report),
    warnings,
    chapters: [
      ...caseChapters(report, composeCases(report)),
      kindChapter(report),
      databaseChapter(report),
      ...leftOutChapters(report),
      ruleChapter(report),
      chapterOf('details', 'Details', [detailFacts(report)], { layout: 'folded' }),
    ],
    version: perturbql,
    footer: 'compositions.jsonl has all new questions, report.json the figures of this page.',
  };
}
