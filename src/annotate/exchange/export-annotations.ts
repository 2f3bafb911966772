import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { AnnotationError, ConfigError } from '../../errors.js';
import { isFreeFolder, UnfinishedFolder } from '../../run/working-folders.js';
import { checkWrittenFile } from '../../run/output-place.js';
import type { NameKind } from '../annotation.js';
import { AnnotationProject, type ProjectSummary } from '../project/annotation-project.js';
import { finalAnswerOf } from '../project/answer-schema.js';
import type { ItemRecord } from '../project/item-store.js';
import { type ExchangeFormat, type ExchangeSet, splitRevisions } from './exchange-set.js';
import { exchangeFormat, type ExchangeFormatName } from './exchange-formats.js';

export interface ExportOptions {
  /** File of the project; it is only read. */
  readonly project: string;
  readonly format: ExchangeFormatName;
  /** Items of this kind alone; null = both, where the format can hold both. */
  readonly kind: NameKind | null;
  /** The file, or the folder where the format has several; what is there already is refused. */
  readonly out: string;
}

/** Counts of what was written. */
export interface ExportSummary {
  readonly items: number;
  /** Items with an answer, be it a draft. */
  readonly answered: number;
  /** Items that have drafts alone, which don't count. */
  readonly drafts: number;
  /** Items that several annotators are to answer and one has: that answer counts alone. */
  readonly single: number;
}

/** What an item adds to the summary, in a project whose items so many annotators are to answer. */
function countItem({ item, answers, adjudications }: ItemRecord, overlap: number): Omit<ExportSummary, 'items'> {
  const { standing } = splitRevisions(answers);
  const decision = adjudications.at(-1) ?? null;
  const current = [...standing, ...(decision === null ? [] : [decision])];
  const isSingle = overlap > 1 && finalAnswerOf(item, standing, decision)?.basis === 'single';
  return {
    answered: Number(current.length > 0),
    drafts: Number(current.length > 0 && current.every(({ state }) => state === 'draft')),
    single: Number(isSingle),
  };
}

/** The kind that a project is about, where it is one alone. */
function onlyKind({ RPL, ADD }: ProjectSummary['kindCounts']): NameKind | null {
  if (RPL > 0 && ADD > 0) return null;
  return RPL > 0 ? 'RPL' : 'ADD';
}

/**
 * People answer in exported files and read them back: what is there may be work that is nowhere else.
 * @throws AnnotationError when there is something at `out`
 */
export function refuseExisting(kind: ExchangeFormat['out'], out: string): void {
  if (!existsSync(out)) return;
  const where = { file: out };
  if (kind === 'file' || !statSync(out).isDirectory()) {
    throw new AnnotationError('the file exists', {
      where,
      fix: `Name another ${kind}: an export never replaces what may hold answers.`,
    });
  }
  if (isFreeFolder(out)) return;
  throw new AnnotationError('the folder is not empty', {
    where,
    fix: 'Name an empty or new folder: an export never replaces what may hold answers.',
  });
}

function writeFolder(format: ExchangeFormat, set: ExchangeSet, out: string): void {
  const unfinished = new UnfinishedFolder(out);
  try {
    format.write(set, unfinished.path);
    unfinished.finish();
  } catch (error) {
    unfinished.abandon();
    throw error;
  }
}

/**
 * Writes a project's annotations in a format.
 * @throws AnnotationError when the file is no project, or there is something at `out`; ConfigError when the format
 * holds one kind and none is said, has no form for what the project asks for, or the project has no items of the kind
 */
export async function exportAnnotations(options: ExportOptions): Promise<ExportSummary> {
  const { format: name, out } = options;
  if (resolve(out) === resolve(options.project)) {
    throw new ConfigError('--out is the project itself', { fix: 'Name another file.' });
  }
  const format = await exchangeFormat(name);
  if (format.out === 'file') checkWrittenFile('out', out);
  refuseExisting(format.out, out);
  return AnnotationProject.with(options.project, { readonly: true }, (project) => {
    const { kindCounts } = project.summary();
    if (kindCounts.SPLIT !== undefined && !format.holdsSplits) {
      throw new ConfigError(`${name} has no form for questions that are split`, {
        where: { file: options.project },
        fix: 'Give --format jsonl, or --format spider-ss for the decisions alone.',
      });
    }
    const kind = options.kind ?? (format.oneKind ? onlyKind(kindCounts) : null);
    if (format.oneKind && kind === null) {
      throw new ConfigError(`option --kind is missing: a file of ${name} holds one kind`, {
        fix: 'Give --kind rpl or --kind add.',
      });
    }
    if (kind !== null && kindCounts[kind] === 0) {
      throw new ConfigError(`the project has no items of the kind ${kind}`, {
        where: { file: options.project },
        fix: 'Leave --kind out, or give the other one.',
      });
    }
    const { overlap } = project.settings;
    const counts = { items: 0, answered: 0, drafts: 0, single: 0 };
    const records = function* (): Generator<ItemRecord> {
      for (const record of project.records()) {
        if (kind !== null && record.item.kind !== kind) continue;
        const { answered, drafts, single } = countItem(record, overlap);
        counts.items++;
        counts.answered += answered;
        counts.drafts += drafts;
        counts.single += single;
        yield record;
      }
    };
    const people = project.people().map(({ name: person, role }) => ({ name: person, role }));
    const set = { name: project.settings.name, people, notes: project.notes(), records: records() };
    if (format.out === 'file') format.write(set, out);
    else writeFolder(format, set, out);
    return counts;
  });
}
