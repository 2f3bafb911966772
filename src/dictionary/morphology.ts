import { singularOf } from '../schema/natural-name.js';

/** Irregular English verbs in current use: base form, past tense, past participle. */
export const IRREGULAR_VERBS: readonly (readonly [base: string, past: string, participle: string])[] = (
  'arise arose arisen|awake awoke awoken|bear bore borne|beat beat beaten|become became become|begin began begun|' +
  'bend bent bent|bet bet bet|bid bid bid|bind bound bound|bite bit bitten|bleed bled bled|blow blew blown|' +
  'break broke broken|breed bred bred|bring brought brought|broadcast broadcast broadcast|build built built|' +
  'burst burst burst|buy bought bought|cast cast cast|catch caught caught|choose chose chosen|cling clung clung|' +
  'come came come|cost cost cost|creep crept crept|cut cut cut|deal dealt dealt|dig dug dug|do did done|' +
  'draw drew drawn|drink drank drunk|drive drove driven|eat ate eaten|fall fell fallen|feed fed fed|feel felt felt|' +
  'fight fought fought|find found found|flee fled fled|fling flung flung|fly flew flown|forbid forbade forbidden|' +
  'forecast forecast forecast|foresee foresaw foreseen|forget forgot forgotten|forgive forgave forgiven|' +
  'freeze froze frozen|get got gotten|give gave given|go went gone|grind ground ground|grow grew grown|' +
  'hang hung hung|have had had|hear heard heard|hide hid hidden|hit hit hit|hold held held|hurt hurt hurt|' +
  'input input input|keep kept kept|know knew known|lay laid laid|lead led led|leave left left|lend lent lent|' +
  'let let let|lie lay lain|lose lost lost|make made made|mean meant meant|meet met met|mistake mistook mistaken|' +
  'offset offset offset|overcome overcame overcome|oversee oversaw overseen|override overrode overridden|' +
  'overtake overtook overtaken|pay paid paid|put put put|quit quit quit|read read read|rebuild rebuilt rebuilt|' +
  'redo redid redone|repay repaid repaid|reset reset reset|retake retook retaken|rewrite rewrote rewritten|' +
  'ride rode ridden|ring rang rung|rise rose risen|run ran run|say said said|see saw seen|seek sought sought|' +
  'sell sold sold|send sent sent|set set set|shake shook shaken|shed shed shed|shine shone shone|shoot shot shot|' +
  'show showed shown|shrink shrank shrunk|shut shut shut|sing sang sung|sink sank sunk|sit sat sat|sleep slept slept|' +
  'slide slid slid|speak spoke spoken|spend spent spent|spin spun spun|split split split|spread spread spread|' +
  'stand stood stood|steal stole stolen|stick stuck stuck|sting stung stung|strike struck struck|string strung strung|' +
  'strive strove striven|swear swore sworn|sweep swept swept|swim swam swum|swing swung swung|take took taken|' +
  'teach taught taught|tear tore torn|tell told told|think thought thought|throw threw thrown|' +
  'undergo underwent undergone|understand understood understood|undertake undertook undertaken|undo undid undone|' +
  'upset upset upset|wake woke woken|wear wore worn|weave wove woven|win won won|wind wound wound|' +
  'withdraw withdrew withdrawn|withhold withheld withheld|write wrote written'
)
  .split('|')
  .map((line) => line.split(' ') as [string, string, string]);

export type PartOfSpeech = 'noun' | 'verb' | 'adjective' | 'adverb';

/** The facts about English words that inflection needs. {@link WordNet} is one. */
export interface Lexicon {
  /** Checks whether the lemma has a sense in the part of speech, or in any. */
  has(lemma: string, pos?: PartOfSpeech): boolean;
  /** How frequent the lemma is as this part of speech; a count that is compared, not a probability. */
  tagTotal(lemma: string, pos: PartOfSpeech): number;
}

/** Suffix and what stands for it in the base form, in the order of WordNet's morphy(7). */
const DETACHMENTS: Record<PartOfSpeech, readonly (readonly [string, string])[]> = {
  noun: [
    ['s', ''],
    ['ses', 's'],
    ['xes', 'x'],
    ['zes', 'z'],
    ['ches', 'ch'],
    ['shes', 'sh'],
    ['men', 'man'],
    ['ies', 'y'],
  ],
  verb: [
    ['s', ''],
    ['ies', 'y'],
    ['es', 'e'],
    ['es', ''],
    ['ed', 'e'],
    ['ed', ''],
    ['ing', 'e'],
    ['ing', ''],
  ],
  adjective: [
    ['er', ''],
    ['est', ''],
    ['er', 'e'],
    ['est', 'e'],
  ],
  adverb: [],
};

const IRREGULAR_BASES = new Map(
  IRREGULAR_VERBS.flatMap(([base, past, participle]) => [past, participle].map((form) => [form, base] as const)),
);

/** "stopped" → "stop": the consonant that a suffix doubled. */
function undoubled(stem: string): string | null {
  return /([bdgklmnprtz])\1$/.test(stem) ? stem.slice(0, -1) : null;
}

function detached(word: string, pos: PartOfSpeech): string[] {
  return DETACHMENTS[pos].flatMap(([suffix, replacement]) => {
    if (!word.endsWith(suffix) || word.length <= suffix.length + 1) return [];
    const stem = word.slice(0, -suffix.length);
    const single = replacement === '' && suffix !== 's' ? undoubled(stem) : null;
    return single === null ? [stem + replacement] : [stem + replacement, single];
  });
}

/**
 * Words that `word` may be an inflected form of, likeliest first: irregular forms, the word itself, then suffix rules.
 * Unchecked: the caller keeps those that its word list knows.
 */
export function possibleBaseForms(word: string, pos: PartOfSpeech): readonly string[] {
  const irregular = pos === 'verb' ? IRREGULAR_BASES.get(word) : undefined;
  const singular = pos === 'noun' ? [singularOf(word)] : [];
  return [...(irregular === undefined ? [] : [irregular]), word, ...singular, ...detached(word, pos)];
}
