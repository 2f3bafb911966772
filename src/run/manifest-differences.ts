/** The defining part of a run (`RunManifest`), as far as it is compared. */
interface Made {
  readonly version: string;
  readonly seed: number;
  readonly settings: Readonly<Record<string, unknown>>;
  /** sha256 of each input file, by its role; also the name of the file of examples. */
  readonly inputs: Readonly<Record<string, string>>;
}

/** A sha256, or a fingerprint with a hash in it: says that something changed, not what. */
const OPAQUE = /[0-9a-f]{12}/;

/** Lists differences between a run's manifest and that of a command which would resume it, a sentence each. */
export function manifestDifferences(before: Made, now: Made): string[] {
  return [
    ...(before.version === now.version ? [] : [`made by perturbql ${before.version}, and this is ${now.version}`]),
    ...differing({ seed: before.seed, ...before.settings }, { seed: now.seed, ...now.settings }, settingDifference),
    ...inputDifferences(before.inputs, now.inputs),
  ];
}

function inputDifferences(
  { examplesName: nameBefore, ...before }: Made['inputs'],
  { examplesName: name, ...now }: Made['inputs'],
): readonly string[] {
  const label = (role: string): string => (role === 'examples' && name !== undefined ? `examples (${name})` : role);
  if (name === nameBefore) return differing(before, now, (role, ...hashes) => inputDifference(label(role), ...hashes));
  return [
    settingDifference('examples', nameBefore, name),
    ...differing({ ...before, examples: null }, { ...now, examples: null }, inputDifference),
  ];
}

type Compare = (path: string, before: string | undefined, now: string | undefined) => string;

function differing(before: object, now: object, compare: Compare): readonly string[] {
  const [a, b] = [leavesOf(before), leavesOf(now)];
  const paths = [...new Set([...a.keys(), ...b.keys()])].filter((path) => a.get(path) !== b.get(path));
  return paths.map((path) => compare(path, a.get(path), b.get(path)));
}

/** The settings below a value by their paths, in words; those that are null count as not set. */
function leavesOf(value: unknown, path = '', into = new Map<string, string>()): ReadonlyMap<string, string> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    for (const [key, inner] of Object.entries(value)) leavesOf(inner, path === '' ? key : `${path}.${key}`, into);
  } else if (value !== null && value !== undefined) into.set(path, inWords(value));
  return into;
}

function inWords(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(inWords).join(', ');
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/**
 * A fingerprint's parts: those that people can read, and the names of those that are a hash, `prompt=…`, by their text.
 */
function partsOf(fingerprint: string): { readonly readable: readonly string[]; readonly hashes: readonly string[] } {
  const parts = fingerprint.split(/[,+]/);
  return {
    readable: parts.filter((part) => !OPAQUE.test(part)),
    hashes: parts.filter((part) => OPAQUE.test(part) && part.includes('=')),
  };
}

/** The kind and version that a fingerprint begins with: "command-1:". */
const KIND = /^[\w-]+-\d+:/;

/** How two fingerprints differ: in what people can read of both, else in which parts, else that they do. */
function fingerprintDifference(name: string, before = '', now = ''): string {
  const [a, b] = [partsOf(before), partsOf(now)];
  const isOneKind = KIND.exec(before)?.[0] === KIND.exec(now)?.[0];
  const [made, here] = [a, b].map(({ readable }) => readable.join(', ').replace(isOneKind ? KIND : '', ''));
  if (made !== here && made !== '' && here !== '') return `${name} is ${here} here, the run was made with ${made}`;
  const changed = b.hashes.filter((part) => !a.hashes.includes(part)).map((part) => part.slice(0, part.indexOf('=')));
  return `${name} changed since the run was made${changed.length === 0 ? '' : `: its ${changed.join(' and ')}`}`;
}

function settingDifference(path: string, before: string | undefined, now: string | undefined): string {
  if (OPAQUE.test(`${before ?? ''} ${now ?? ''}`)) {
    return fingerprintDifference(path.replace(/\.fingerprint$|Sha256$/, ''), before, now);
  }
  if (now === undefined) return `${path} is not set here, the run was made with ${before}`;
  if (before === undefined) return `${path} is ${now} here, the run was made without it`;
  return `${path} is ${now} here, the run was made with ${before}`;
}

function inputDifference(name: string, before: string | undefined, now: string | undefined): string {
  if (now === undefined) return `the run was made with ${name}, and here is none`;
  if (before === undefined) return `the run was made without ${name}`;
  return `the contents of ${name} changed since the run was made`;
}
