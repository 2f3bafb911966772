import { describe, expect, it } from 'vitest';
import { agreeing } from '../../../src/compositional/compose/verb-forms.js';
import { isBroken } from '../../../src/compositional/compose/broken-element.js';
import { elementFrame } from '../../../src/compositional/compose/element-frame.js';

const BEFORE = 'How many gardeners ';
const broken = (text: string, before = BEFORE): boolean => isBroken({ before, text, frame: elementFrame(text) });

describe('elements', () => {
  it.each([
    'had higher than 3',
    'from India have the teacher badges',
    'located in Vienna, Austria obtained the badge',
    'who were born in 1980 and were diagnosed with RA are women',
    'whose score is over 1500 whose city is Lakeport',
    'whos costs are higher than 4000',
    'about how many of them there are',
    'that belong to the block translated into',
    'whose display name is "Pierre" obtained',
    'that only available in paper',
    'among all female gardeners',
    'wthat are light',
    'that have a plot and what are its soils',
    'who located in Vienna, Austria obtained the badge',
    'held on the circuit be found',
    'with "Angel" in it',
    'with soil of type "Clay" have a size other than "Small"',
    'with a 1993 frame version and available on paper have a content warning',
    'in Fresno (directly funded) have number of test takers not more than 250',
    'who were female got white blood cells that were below 3.5',
    'with the name Kyle wrote a letter',
    'with scores above 90, state the country of these gardeners',
  ])('are broken that are no phrase of their own: %s', (text) => {
    expect(broken(text)).toBe(true);
  });

  it.each([
    'have more than 3 plots',
    'have a higher fee than 30',
    'temporarily have no plots',
    'since 2010',
    'from Portugal',
    'located in a city that has two rivers',
    'who do not have a plot',
    'whose home country is Portugal and whose fee is low',
    'in which people live',
    'that they belong to',
    'that grow roses',
    'that grew roses',
    'who got a plot and are tall',
    'who have roses and tulips and also have a fee other than 3',
    'with plots that have roses',
  ])('are whole: %s', (text) => {
    expect(broken(text)).toBe(false);
  });

  it('leave no verb of theirs behind in a sentence with another', () => {
    expect(broken('in 2019', 'State the names of the plots that were dug ')).toBe(false);
    expect(broken('in 2019', 'State the names of the plots were dug ')).toBe(true);
    expect(broken('in 2019', 'Which plots were dug ')).toBe(false);
  });

  it('keep the subject of their own verb in its number', () => {
    expect(agreeing('that users obtained in 2010', 'relative', true)).toBe('that users obtained in 2010');
    expect(agreeing('that speaks Dutch', 'relative', true)).toBe('that speak Dutch');
    expect(agreeing('who has obtained a badge', 'relative', true)).toBe('who have obtained a badge');
  });

  it('are predicates of what is asked for alone', () => {
    expect(broken('have a plot', 'What is the birth year of the gardener ')).toBe(true);
    expect(broken('have a plot', 'Which gardeners ')).toBe(false);
  });
});
