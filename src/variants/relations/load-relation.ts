import { existsSync } from 'node:fs';
import { createRequire, register } from 'node:module';
import { extname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { ConfigError } from '../../errors.js';
import { itemAt } from '../../present.js';
import { fileSha256 } from '../../run/sha256.js';
import { faultSentence, shapeFault } from '../../shape-fault.js';
import { type MetamorphicRelation, type MutableExample, RELATION_TARGETS } from './relation.js';
import { MUTATING_IDS } from './relations.js';

const JAVASCRIPT = ['.mjs', '.js'];
const TYPESCRIPT = ['.ts', '.mts'];
const EXAMPLE = 'examples/polite-ending.mjs is one, and docs/mutate.md says what it must export.';

const relationSchema = z.object({
  // Ids of mutants and names of composed relations are made of it.
  id: z
    .string()
    .regex(/^[A-Za-z][\w-]*$/, 'letters, digits, - and _ are expected')
    .refine((id) => !MUTATING_IDS.some((own) => own === id), 'this is the id of a relation that perturbql has'),
  name: z.string().min(1),
  target: z.enum(RELATION_TARGETS),
  cites: z.string(),
  capability: z.string().min(1),
  fingerprint: z.string(),
  readsGoldFor: z.string().min(1).nullable().optional(),
  mutate: z.custom<MetamorphicRelation['mutate']>((value) => typeof value === 'function', 'a function is expected'),
  dispose: z
    .custom<NonNullable<MetamorphicRelation['dispose']>>(
      (value) => typeof value === 'function',
      'a function is expected',
    )
    .optional(),
});

const mutationSchema = z.object({
  question: z.string().min(1),
  query: z.string().min(1).nullable(),
  expectation: z.enum(['same-query', 'same-result', 'other-query']),
  mutated: z
    .object({
      schema: z.looseObject({ id: z.string() }),
      origin: z.string(),
      content: z.array(z.looseObject({ select: z.string() })),
    })
    .nullable(),
  detail: z.string(),
});
const mutationsSchema = z.array(mutationSchema);
const notApplicableSchema = z.object({ reason: z.string().min(1) });

/** Checks whether this Node strips types from what it loads. */
function readsTypescript(): boolean {
  return typeof (process.features as { readonly typescript?: unknown }).typescript === 'string';
}

let isTypescriptRegistered = false;

/** Returns the major version of the package `typescript` that is installed, or null if there is none. */
function installedTypescript(): number | null {
  try {
    const { version } = createRequire(import.meta.url)('typescript/package.json') as { readonly version: string };
    return Number.parseInt(version, 10);
  } catch {
    return null;
  }
}

/** Has TypeScript read by the package `typescript`, where Node does not read it itself. */
function readTypescript(file: string): void {
  if (isTypescriptRegistered || readsTypescript()) return;
  const major = installedTypescript();
  // Version 7 has no functions that a program can call.
  if (major === null || major > 6) {
    const why = major === null ? '' : `, and typescript ${major} can’t be called by a program`;
    throw new ConfigError(`Node ${process.versions.node} does not read TypeScript by itself${why}`, {
      where: { file },
      fix: 'Run `npm install typescript@6`, or use Node 22.18 or later.',
    });
  }
  register('./typescript-loader.js', import.meta.url);
  isTypescriptRegistered = true;
}

function requireReadable(file: string): void {
  if (!existsSync(file))
    throw new ConfigError('there is no such relation file', { where: { file }, fix: 'Check the path of --relation.' });
  const extension = extname(file);
  if (JAVASCRIPT.includes(extension)) return;
  if (!TYPESCRIPT.includes(extension)) {
    throw new ConfigError(`a relation is a module, ${[...JAVASCRIPT, ...TYPESCRIPT].join(', ')}`, {
      where: { file },
      fix: EXAMPLE,
    });
  }
  readTypescript(file);
}

/** Returns the fault of an answer for a case, or null if there is none. */
function faultOf(result: unknown, { id, query }: MutableExample, limit: number): string | null {
  const wrong = (what: string): string => `answers wrongly for ${id}: ${what}`;
  if (!Array.isArray(result)) {
    const parsed = notApplicableSchema.safeParse(result);
    return parsed.success ? null : wrong(faultSentence(shapeFault(parsed.error, result), 'the answer'));
  }
  const parsed = mutationsSchema.safeParse(result);
  if (!parsed.success) return wrong(faultSentence(shapeFault(parsed.error, result), 'the answer'));
  if (parsed.data.some((one) => (one.query === null) !== (query === null))) {
    return wrong(query === null ? 'it has no gold query to rewrite' : 'its gold query is gone');
  }
  return parsed.data.length > limit ? `gives ${parsed.data.length} mutations, more than ${limit}` : null;
}

/** Checks what a user's relation answers, as a wrong answer would only show in the model's figures. */
function checked(relation: MetamorphicRelation, file: string): MetamorphicRelation {
  const refuse = (what: string): never => {
    throw new ConfigError(`relation ${relation.id} ${what}`, { where: { file }, fix: EXAMPLE });
  };
  return {
    ...relation,
    fingerprint: `${relation.fingerprint} ${fileSha256(file)}`,
    async mutate(cases, limit, context) {
      const results = await relation.mutate(cases, limit, context);
      if (!Array.isArray(results) || results.length !== cases.length)
        refuse(`must answer with a list of ${cases.length}`);
      results.forEach((result, i) => {
        const { example } = itemAt(cases, i);
        const fault = faultOf(result, example, limit);
        if (fault !== null) refuse(fault);
      });
      return results;
    },
  };
}

/**
 * Loads a user's relation: the default export of a module.
 * @throws ConfigError when there is none, this Node can't read it, or it is no relation
 */
export async function loadRelation(path: string): Promise<MetamorphicRelation> {
  const file = resolve(path);
  requireReadable(file);
  let loaded: { readonly default?: unknown };
  try {
    loaded = (await import(pathToFileURL(file).href)) as { readonly default?: unknown };
  } catch (cause) {
    throw new ConfigError('the relation can’t be loaded', { where: { file }, cause, fix: EXAMPLE });
  }
  const parsed = relationSchema.safeParse(loaded.default);
  if (!parsed.success) {
    throw new ConfigError(
      `the default export is no relation: ${faultSentence(shapeFault(parsed.error, loaded.default), 'it')}`,
      {
        where: { file },
        fix: EXAMPLE,
      },
    );
  }
  // The object itself: its methods may need it as `this`.
  const own = loaded.default as MetamorphicRelation;
  const { id, name, target, cites, capability, fingerprint, readsGoldFor } = parsed.data;
  const relation: MetamorphicRelation = {
    id,
    name,
    target,
    cites,
    capability,
    fingerprint,
    ...(readsGoldFor === undefined ? {} : { readsGoldFor }),
    mutate: (...given) => own.mutate(...given),
    dispose: async () => own.dispose?.(),
  };
  return checked(relation, file);
}
