import { readFileSync } from 'node:fs';
import { packagePath } from '../../package-path.js';
import { headOf } from './name-head.js';

/** Endings of nouns for those who do something: "translator", "organizer", "cellist", "beekeeper". */
const AGENT =
  /(?:[aiu]tor|[cs]tor|izer|iser|[a-z]{3}eer|[a-z]{3}ist|ician|grapher|ologist|keeper|maker|dresser|worker|handler|trainer|planner|helper|holder|mentor|seller|man|woman|person|warden|wright)$/u;

/** Things that end so, and words of the list that mean other things more often, or many people. */
const THING =
  /^(?:generator|indicator|elevator|refrigerator|calculator|denominator|numerator|separator|radiator|accelerator|incubator|simulator|escalator|operator|factor|sector|vector|tractor|connector|detector|projector|reactor|reflector|resistor|capacitor|monitor|transistor|motor|rotor|fertilizer|sanitizer|tokenizer|stabilizer|equalizer|optimizer|career|beer|deer|pacemaker|placeholder|holder|human|german|roman|playlist|wishlist|checklist|shortlist|waitlist|blacklist|handler|model|head|ruler|people|staff|personnel|faculty|child)$/u;

let listed: ReadonlySet<string> | null = null;

/** The nouns of data/attributes/entities.txt whose rows are persons: "employee, staff, worker < person: …". */
function readPersons(): ReadonlySet<string> {
  const text = readFileSync(packagePath('data/attributes/entities.txt'), 'utf8');
  const nouns = [...text.matchAll(/^\+?([^:<\n]+) < person:/gmu)].flatMap(([, list = '']) => list.split(','));
  return new Set(nouns.map((noun) => noun.trim()));
}

/** Checks whether a column of that natural name holds people by what they do: "translator", "approved by". */
export function namesAgent(name: string): boolean {
  if (
    /\b(?:\p{L}{2,}ed|written|drawn|taken|made|given|seen|sold|paid|sent|built|led|held|run) by$/u.test(
      name.toLowerCase(),
    )
  )
    return true;
  const head = headOf(name);
  return !THING.test(head) && ((listed ??= readPersons()).has(head) || AGENT.test(head));
}
