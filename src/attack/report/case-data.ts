import { OUTCOMES } from '../../evaluate/metric.js';
import { createRng, shuffled } from '../../seeded-rng.js';
import { countedName } from '../../schema/name-identity.js';
import type { Database } from '../../schema/schema.js';
import type { AttackCase, AttackReport, PerturbedCase, ReportedChange } from '../attack-report.js';
import { VICTIM_FAILURES } from '../../victims/victim.js';
import type { CaseData, PackedAnswer, PackedCase, PackedChange, PackedPerturbed } from './packed-cases.js';

/** Most characters of cases in a page: a browser reads that much in well under a second. */
const MOST_CASE_CHARACTERS = 8_000_000;

/** Gives each distinct key its position. */
class Interner<T> {
  readonly values: T[] = [];
  readonly #positions = new Map<string, number>();

  positionOf(key: string, value: () => T): number {
    let position = this.#positions.get(key);
    if (position === undefined) {
      position = this.values.length;
      this.values.push(value());
      this.#positions.set(key, position);
    }
    return position;
  }
}

class CasePacker {
  readonly #strings = new Interner<string>();
  readonly #changes = new Interner<PackedChange>();
  readonly #tables = new Interner<CaseData['tables'][number]>();
  readonly #databases: ReadonlyMap<string, Database>;

  constructor(databases: readonly Database[]) {
    this.#databases = new Map(databases.map((database) => [database.id, database]));
  }

  pack(one: AttackCase): PackedCase {
    const perturbed = one.perturbed.map((variant) => this.#packPerturbed(one.dbId, variant));
    const texts = [one.id, one.dbId, one.question, one.hardness ?? '', one.gold];
    const [id, db, question, hardness, gold] = texts.map((text) => this.#string(text)) as [
      number,
      number,
      number,
      number,
      number,
    ];
    return [id, db, question, hardness, gold, this.#packAnswer(one.original), perturbed];
  }

  data(): Pick<CaseData, 'strings' | 'changes' | 'tables'> {
    return { strings: this.#strings.values, changes: this.#changes.values, tables: this.#tables.values };
  }

  #string(text: string): number {
    return this.#strings.positionOf(text, () => text);
  }

  #packAnswer({ predicted, failure, exact, execution, columns, cleaned }: AttackCase['original']): PackedAnswer {
    const outcome = (name: (typeof OUTCOMES)[number] | null): number => (name === null ? -1 : OUTCOMES.indexOf(name));
    return [
      predicted === null ? -1 : this.#string(predicted),
      failure === null ? -1 : VICTIM_FAILURES.indexOf(failure),
      outcome(exact),
      outcome(columns ?? execution),
      ...cleaned.map((step) => this.#string(step)),
    ];
  }

  #packPerturbed(dbId: string, variant: PerturbedCase): PackedPerturbed {
    const { kind, seed, gold, queries, changes } = variant;
    const packed = changes.map((change) => this.#packChange(dbId, change));
    return [kind === 'RPL' ? 0 : 1, seed, this.#string(gold), queries, packed, this.#packAnswer(variant)];
  }

  #packChange(dbId: string, change: ReportedChange): number {
    this.#packTable(dbId, change.table);
    const texts = [change.table, change.column, change.candidate, change.originalName, change.newName];
    const positions = texts.map((text) => this.#string(text)) as unknown as PackedChange;
    return this.#changes.positionOf(positions.join(), () => positions);
  }

  #packTable(dbId: string, name: string): void {
    const isIt = (own: string): boolean => countedName(own) === countedName(name);
    const tables = this.#databases.get(dbId)?.tables;
    const table = tables?.find((one) => isIt(one.name)) ?? tables?.find((one) => isIt(one.originalName));
    if (table === undefined) return;
    this.#tables.positionOf(JSON.stringify([dbId, name]), () => {
      const columns = table.columns.map(({ originalName }) => this.#string(originalName));
      return [this.#string(dbId), this.#string(name), columns];
    });
  }
}

/** Characters that a case takes at most, since its texts may be shared. */
function weightOf({ gold, question, original, perturbed }: AttackCase): number {
  const answers = perturbed.map((one) => 60 + one.gold.length + (one.predicted?.length ?? 0));
  return 120 + question.length + gold.length + (original.predicted?.length ?? 0) + answers.reduce((a, b) => a + b, 0);
}

/** As many cases as a page can hold, drawn without regard to how they ended; in the order of the run. */
function fittingCases(cases: readonly AttackCase[], most: number): readonly AttackCase[] {
  let room = most;
  const kept = new Set(
    shuffled(cases, createRng(0, 'cases of the page')).filter((one) => (room -= weightOf(one)) >= 0),
  );
  return cases.filter((one) => kept.has(one));
}

/** Packs the cases of a run for its page; with `databases` the page shows the whole of each changed table. */
export function packCases(
  report: AttackReport,
  databases: readonly Database[],
  metrics: readonly string[],
  most = MOST_CASE_CHARACTERS,
): CaseData {
  const packer = new CasePacker(databases);
  const cases = fittingCases(report.cases, most).map((one) => packer.pack(one));
  const { strings, changes, tables } = packer.data();
  return {
    strings,
    changes,
    tables,
    cases,
    outcomes: OUTCOMES,
    failures: VICTIM_FAILURES,
    metrics,
    examples: report.cases.length,
  };
}
