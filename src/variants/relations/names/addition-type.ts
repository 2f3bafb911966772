import type { CandidateDecision } from '../../../formats/artifacts/candidates.js';
import { granularityByName, isDurationName, kindByName } from '../../../rows/values/named-kind.js';
import { columnAt, type ColumnRef, type ColumnType, type Database } from '../../../schema/schema.js';
import { itemAt } from '../../../present.js';

/** Numbers that are often written in other ways: "3-1", "B+", "1st". */
const OFTEN_TEXT = /\b(?:score|record|result|rank|ranking|position|rating|level|grade|season)s?$/u;

const isGuess = (name: string, type: ColumnType): boolean =>
  type === 'text' || (type === 'time' && isDurationName(name));

/** The type that the name has where it was found, and what it says of itself; null where neither tells. */
function typeAsFound({ candidate, source, origin }: AddedName): ColumnType | null {
  const named = kindByName(candidate);
  if (origin === null) return named;
  // The bank says text of every name that its own rules don't know, and time of all that end so.
  if (source === 'bank') return named !== null && isGuess(candidate, origin.type) ? named : origin.type;
  // "1.7 litre" and "200 sheets" are texts in a web table alone.
  const isMeasured = source === 'retrieval' && named === 'number' && !OFTEN_TEXT.test(candidate.toLowerCase());
  return origin.type === 'text' && isMeasured ? 'number' : origin.type;
}

type AddedName = Pick<CandidateDecision, 'candidate' | 'source' | 'origin'>;

/**
 * The type of a column that is added because of another one, as its table writes such columns: a date is text, and a
 * flag too, where no column of the table has a type of its own for it. Else the type alone would tell a model which
 * columns were added. A year is a number and a time of day a text, unless the table has a time that is one, too.
 */
export function additionType(added: AddedName, database: Database, ref: ColumnRef): ColumnType {
  const type = typeAsFound(added) ?? columnAt(database, ref).type;
  const { columns } = itemAt(database.tables, ref.table);
  const used = columns.filter((column) => column.type === type);
  if (type !== 'time') return type === 'text' || type === 'number' || used.length > 0 ? type : 'text';
  const granularity = granularityByName(added.candidate);
  const [isYear, isClock] = [granularity === 'year', granularity === 'clock'];
  const isAlike =
    isYear || isClock ? used.some(({ name }) => granularityByName(name) === granularity) : used.length > 0;
  if (isAlike) return 'time';
  return isYear ? 'number' : 'text';
}
