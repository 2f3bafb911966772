import type { ColumnType } from '../schema/schema.js';

/**
 * The fillers of a frame's slot: any noun phrase, one whose head names something that happens, a physical thing, or one
 * that has a name of its own: a person, an organization, a place.
 */
export type SlotKind = 'noun' | 'event' | 'thing' | 'named';

/** A noun phrase that can be said in several ways around a slot: "number of {p}" and "{s} count". */
interface PhraseFrame {
  readonly id: string;
  readonly slot: SlotKind;
  /**
   * Words with one slot: `{s}` takes the singular, `{p}` the plural. Before it, `>` proposes only, `#` too, but not for
   * a column of text, and `<` recognizes only.
   */
  readonly forms: readonly string[];
}

/** A form with its slot filled: the words, and for each whether it belongs to the slot. */
export interface FilledForm {
  readonly words: readonly string[];
  readonly inSlot: readonly boolean[];
}

/** A column name recognized as one form of a frame. */
export interface FrameMatch {
  readonly frame: PhraseFrame;
  /** Words in the slot, as they are in the name. */
  readonly slot: readonly string[];
  readonly number: 'singular' | 'plural';
  /** The forms but the one that was recognized, ready to be filled. */
  readonly others: readonly string[];
}

/** Attributes that are said in both orders: "status of order", "order status". */
const OF_ATTRIBUTES =
  'name title status description color size address population purpose source language nationality gender age role rank salary';
/** Measures of a physical thing: "length of track". */
const THING_ATTRIBUTES = 'length width height depth weight volume';
/** Participles for things that are counted so: "games won". */
const COUNTED_DEEDS = 'won lost played scored sold drawn';
/** Dates and the like of something that happens: "date of departure". */
const EVENT_ATTRIBUTES = 'date day year time place site method location duration frequency cost';

const bothOrders =
  (slot: SlotKind) =>
  (attribute: string): PhraseFrame => ({
    id: `${attribute}-of`,
    slot,
    forms: [`{s} ${attribute}`, `${attribute} of {s}`],
  });

const PHRASE_FRAMES: readonly PhraseFrame[] = [
  {
    id: 'number-of',
    slot: 'noun',
    forms: [
      'number of {p}',
      '{s} count',
      'total number of {p}',
      '>count of {p}',
      '<num of {p}',
      '<num {p}',
      '<no of {p}',
      '<total {p}',
    ],
  },
  {
    id: 'id-of',
    slot: 'noun',
    forms: ['{s} id', '{s} identifier', '#{s} identification number', '<unique {s} identifier', '<identifier of {s}'],
  },
  {
    id: 'phone-of',
    slot: 'noun',
    forms: ['{s} phone', '{s} phone number', 'phone number of {s}', '{s} telephone number'],
  },
  { id: 'email-of', slot: 'noun', forms: ['{s} email', '{s} email address', 'email of {s}', 'email address of {s}'] },
  { id: 'code-of', slot: 'noun', forms: ['{s} code', '>code for {s}', '<code of {s}'] },
  {
    id: 'details-of',
    slot: 'noun',
    forms: ['{s} details', 'details of {s}', '{s} information', '>information about {s}', '<{s} info'],
  },
  {
    id: 'type-of',
    slot: 'noun',
    forms: ['{s} type', 'type of {s}', 'kind of {s}', '{s} category', '>category of {s}'],
  },
  { id: 'amount-of', slot: 'noun', forms: ['{s} amount', 'amount of {s}'] },
  { id: 'price-of', slot: 'thing', forms: ['{s} price', 'price of {s}', 'cost of {s}', '{s} cost'] },
  { id: 'price-per', slot: 'noun', forms: ['price per {s}', 'cost per {s}'] },
  { id: 'reason-for', slot: 'event', forms: ['{s} reason', 'reason for {s}'] },
  { id: 'percentage-of', slot: 'noun', forms: ['percentage of {p}', 'percent of {p}', '{s} percentage'] },
  ...OF_ATTRIBUTES.split(' ').map(bothOrders('noun')),
  { id: 'available', slot: 'noun', forms: ['{p} available', 'available {p}', '>number of available {p}'] },
  { id: 'name-of-whole', slot: 'named', forms: ['<{s}', '>{s} name', '>name of {s}'] },
  { id: 'whole-of-name', slot: 'named', forms: ['<{s} name', '<name of {s}', '>{s}'] },
  ...COUNTED_DEEDS.split(' ').map((deed): PhraseFrame => ({
    id: deed,
    slot: 'noun',
    forms: [`{p} ${deed}`, `number of {p} ${deed}`],
  })),
  ...THING_ATTRIBUTES.split(' ').map(bothOrders('thing')),
  ...EVENT_ATTRIBUTES.split(' ').map(bothOrders('event')),
];

const MAX_SLOT_WORDS = 3;

function bare(form: string): string {
  return form.replace(/^[<>#]/, '');
}

/** Puts a noun phrase into a form that {@link matchFrames} gave. */
export function fillForm(form: string, singular: string, plural: string): FilledForm {
  const filled = form.split(' ').flatMap((part) => {
    const inSlot = part.startsWith('{');
    const text = !inSlot ? part : part === '{p}' ? plural : singular;
    return text.split(' ').map((word) => ({ word, inSlot }));
  });
  return { words: filled.map((item) => item.word), inSlot: filled.map((item) => item.inSlot) };
}

function slotIn(form: string, words: readonly string[]): string[] | null {
  const parts = bare(form).split(' ');
  const at = parts.findIndex((part) => part.startsWith('{'));
  const after = parts.length - at - 1;
  const slot = words.slice(at, words.length - after);
  if (slot.length === 0 || slot.length > MAX_SLOT_WORDS) return null;
  const fits = parts.every(
    (part, i) => i === at || part === (i < at ? words[i] : words[words.length - parts.length + i]),
  );
  return fits ? slot : null;
}

/**
 * The frame forms that a name has, each with its slot's words; mostly none or one. What only fits numbers is left out
 * where the column is known to hold text. Costs one pass over all forms.
 */
export function matchFrames(words: readonly string[], type?: ColumnType): readonly FrameMatch[] {
  const unfit = type === 'text' ? '<#' : '<';
  return PHRASE_FRAMES.flatMap((frame) =>
    frame.forms.flatMap((form): FrameMatch[] => {
      const slot = /^[>#]/.test(form) ? null : slotIn(form, words);
      if (slot === null) return [];
      const others = frame.forms.filter((other) => other !== form && !unfit.includes(other.charAt(0))).map(bare);
      return [{ frame, slot, number: form.includes('{p}') ? 'plural' : 'singular', others }];
    }),
  );
}
