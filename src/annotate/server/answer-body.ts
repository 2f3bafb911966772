import { z } from 'zod';
import { answerSchema } from '../project/answer-schema.js';

/** More bytes than the longest answer takes: 200 names of 200 characters and a comment of 5,000, three bytes each. */
export const LARGEST_ANSWER = 256 * 1024;

const name = z.string().max(200);

/** Body of a save: an answer, and the revision that it was made from (0: none). */
export const savedAnswerBody = z.strictObject({ answer: answerSchema, baseRevision: z.int().nonnegative() });

/** Body of a name check. */
export const checkedNameBody = z.strictObject({ name });

/** Body of a qualification round: names taken, by item. */
export const qualificationBody = z.strictObject({ answers: z.record(z.string(), z.array(name)) });
