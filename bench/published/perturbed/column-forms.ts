/** How columns that were split or merged hold their values; new columns in their order, old ones in theirs. */
export interface ColumnForm {
  /** SQL of the new values over the old ones. */
  readonly now: (old: readonly string[]) => readonly string[];
  /** SQL of the old values over the new ones; `column` writes a further column of the table. */
  readonly old: (now: readonly string[], column: (name: string) => string) => readonly string[];
  /** A further column that the old values take, folded; null where they need none. */
  readonly needs: string | null;
}

const endsIn = (names: readonly string[], words: readonly string[]): boolean =>
  names.length === words.length && names.every((name, i) => name.toLowerCase().endsWith(words[i] ?? ''));

/** Dates as in ISO 8601 in parts. */
function datePart(value: string, part: string): string {
  const from = { year: '1, 4', month: '6, 2', day: '9' }[part] ?? '1';
  return `substr(${value}, ${from})`;
}

function dateForm(parts: readonly string[], needs: string | null): ColumnForm {
  return {
    now: ([value = '']) => parts.map((part) => datePart(value, part)),
    old: (now, column) => [[...(needs === null ? [] : [column(needs)]), ...now].join(` || '-' || `)],
    needs,
  };
}

/** The first text before a separator, and what is behind it; a value without it is all in the first. */
function before(value: string, between: string): string {
  return `CASE WHEN instr(${value}, '${between}') = 0 THEN ${value} ELSE substr(${value}, 1, instr(${value}, '${between}') - 1) END`;
}

function behind(value: string, between: string): string {
  return `CASE WHEN instr(${value}, '${between}') > 0 THEN substr(${value}, instr(${value}, '${between}') + ${between.length}) END`;
}

function partsOf(value: string, count: number, between: string): readonly string[] {
  if (count === 1) return [value];
  return [before(value, between), ...partsOf(behind(value, between), count - 1, between)];
}

function joined(values: readonly string[], between: string): string {
  const [first = '', ...others] = values;
  return [first, ...others.map((value) => `coalesce('${between}' || ${value}, '')`)].join(' || ');
}

/** The form that columns of such names take: dates fall into their parts, other texts at a space or a comma. */
export function columnForm(old: readonly string[], now: readonly string[], others: readonly string[]): ColumnForm {
  if (old.length > 1) {
    const between = old.some((name) => /name/i.test(name)) ? ' ' : ', ';
    return {
      now: (values) => [joined(values, between)],
      old: ([value = '']) => partsOf(value, old.length, between),
      needs: null,
    };
  }
  if (endsIn(now, ['year', 'month', 'day'])) return dateForm(['year', 'month', 'day'], null);
  const year = others.find((name) => name.toLowerCase() === 'year');
  if (endsIn(now, ['month', 'day']) && year !== undefined) return dateForm(['month', 'day'], year);
  return {
    now: ([value = '']) => partsOf(value, now.length, ' '),
    old: (values) => [joined(values, ' ')],
    needs: null,
  };
}
