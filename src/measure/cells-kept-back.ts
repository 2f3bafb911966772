import { ConfigError } from '../errors.js';
import type { MutantSet } from '../variants/mutate/mutant-set.js';
import { QUOTING_RELATIONS } from '../variants/relations/relations.js';
import { countNoun } from '../counts.js';
import type { ChosenVictim } from '../victims/create-victim.js';
import type { MadeVictim } from '../victims/victim-kind.js';
import { describePrompt } from '../chat/chat-asker.js';
import type { LazyQuestion } from '../victims/answer-cache.js';

type Mutants = Pick<MutantSet, 'records' | 'folder'>;

/** A relation that quotes cells, and the mutants that it had a part in. */
interface Quoting {
  readonly relation: string;
  readonly where: string;
  readonly records: Mutants['records'];
}

/** The mutants that have cells of the database in questions or names which the seeds lack, by relation. */
function quotingMutants({ records }: Pick<Mutants, 'records'>): readonly Quoting[] {
  return [...QUOTING_RELATIONS]
    .map(([relation, where]) => ({
      relation,
      where,
      records: records.filter((one) => one.relations.includes(relation)),
    }))
    .filter((quoting) => quoting.records.length > 0);
}

/** "12 mutants of TPa have cells of the database in names of tables" */
const describeQuoting = ({ relation, where, records }: Quoting): string =>
  `${countNoun(records.length, 'mutant')} of ${relation} ${records.length === 1 ? 'has' : 'have'} cells of the database in ${where}`;

/** @throws ConfigError where no cell may reach a victim, and mutants have some in their questions or names */
export function refuseQuotedCells({ withoutCells }: Pick<MadeVictim, 'withoutCells'>, mutants: Mutants | null): void {
  if (withoutCells !== true || mutants === null) return;
  const quoting = quotingMutants(mutants);
  const [first] = quoting.flatMap(({ records }) => records);
  if (first === undefined) return;
  const relations = [...QUOTING_RELATIONS.keys()];
  throw new ConfigError(quoting.map(describeQuoting).join('; '), {
    where: { file: mutants.folder, id: first.id },
    fix: `Add --send-values where these may leave this machine, or make mutants without ${relations.slice(0, -1).join(', ')} and ${relations.at(-1) ?? ''}.`,
  });
}

/** How many mutants take cells to a model outside this process, in lines for people; none for other victims. */
export function describeQuotedCells(
  { victim }: Pick<ChosenVictim, 'victim'>,
  mutants: Mutants | null,
): readonly string[] {
  return victim?.tell === undefined || mutants === null ? [] : quotingMutants(mutants).map(describeQuoting);
}

/** The first of the questions as a model outside this process is told it, in lines for people; none for others. */
export async function describeFirstPrompt(
  { victim, withoutCells }: Pick<ChosenVictim, 'victim' | 'withoutCells'>,
  question: LazyQuestion | undefined,
): Promise<readonly string[]> {
  if (victim?.tell === undefined || question === undefined) return [];
  const told = await victim.tell(question.make());
  return told === null ? [] : describePrompt(`of ${question.id}`, told, withoutCells === true ? false : null);
}
