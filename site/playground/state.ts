/** All that the page shows, apart from names that were found: what its address holds. */
export interface PageState {
  readonly schema: string;
  readonly question: string;
  readonly query: string;
  /** New identifiers by `table.column`. */
  readonly renames: ReadonlyMap<string, string>;
  /** Added identifiers by the index of their table. */
  readonly added: ReadonlyMap<number, readonly string[]>;
}

/** Question `dev:20` of examples/. */
export const EXAMPLE: PageState = {
  schema: `CREATE TABLE Sky_Show (
  "Show ID" INTEGER PRIMARY KEY,
  "Show Title" TEXT,
  "Release Date" DATE,
  "Running Time" INTEGER,
  "Narration Language" TEXT,
  "Ticket Price" REAL
);`,
  question: 'What is the average ticket price of the sky shows narrated in Spanish?',
  query: `SELECT avg("Ticket Price") FROM Sky_Show WHERE "Narration Language" = 'Spanish'`,
  renames: new Map([['0.5', 'Cost of Ticket']]),
  added: new Map(),
};

/** As it comes after the "#" of the address. */
export function writeHash({ schema, question, query, renames, added }: PageState): string {
  const fields = new URLSearchParams({ schema, question, query });
  for (const [key, name] of renames) fields.append('rename', `${key}:${name}`);
  for (const [table, names] of added) for (const name of names) fields.append('add', `${table}:${name}`);
  return fields.toString();
}

function pairsOf(fields: URLSearchParams, name: string, key: RegExp): readonly (readonly [string, string])[] {
  return fields.getAll(name).flatMap((text) => {
    const at = text.indexOf(':');
    return key.test(text.slice(0, at)) ? [[text.slice(0, at), text.slice(at + 1)] as const] : [];
  });
}

/** The state in an address; the example where it holds none. */
export function readHash(hash: string): PageState {
  const fields = new URLSearchParams(hash.replace(/^#/, ''));
  const schema = fields.get('schema');
  if (schema === null) return EXAMPLE;
  const added = new Map<number, readonly string[]>();
  for (const [table, name] of pairsOf(fields, 'add', /^\d+$/))
    added.set(Number(table), [...(added.get(Number(table)) ?? []), name]);
  const renames = new Map(pairsOf(fields, 'rename', /^\d+\.\d+$/));
  return { schema, question: fields.get('question') ?? '', query: fields.get('query') ?? '', renames, added };
}
