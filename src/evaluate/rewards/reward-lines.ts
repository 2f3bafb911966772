import { StringDecoder } from 'node:string_decoder';
import { z } from 'zod';
import { InputFormatError } from '../../errors.js';
import { refusalOf, type RewardJudge, type RewardReply, type RewardRequest } from './reward-judge.js';

/** Longest line that is read, in characters. */
const MAX_LINE = 16 << 20;

const FIX = 'Write {"db_id": …, "gold": …, "predictions": […]} or {"id": …, "predictions": […]} on a line of its own.';

const request = z.union([
  z.object({ db_id: z.string().min(1), gold: z.string().min(1), predictions: z.array(z.string()) }),
  z.object({ id: z.string().min(1), predictions: z.array(z.string()) }),
]);

/** Lines out of pieces of text; of one that is too long null, once it ends. */
class LineReader {
  #pieces: string[] = [];
  #length = 0;

  *read(text: string): Generator<string | null> {
    let from = 0;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', from)) {
      this.#keep(text.slice(from, at));
      yield this.#take();
      from = at + 1;
    }
    this.#keep(text.slice(from));
  }

  /** A last line without an end. */
  *rest(): Generator<string | null> {
    if (this.#length > 0) yield this.#take();
  }

  #keep(piece: string): void {
    this.#length += piece.length;
    if (this.#length > MAX_LINE) this.#pieces = [];
    else this.#pieces.push(piece);
  }

  #take(): string | null {
    const line = this.#length > MAX_LINE ? null : this.#pieces.join('');
    [this.#pieces, this.#length] = [[], 0];
    return line;
  }
}

function readRequest(line: string | null, number: number): RewardRequest | RewardReply {
  const where = { file: 'standard input', line: number };
  if (line === null)
    return refusalOf(
      new InputFormatError('the line is longer than 16 MB', { where, fix: 'Send fewer predictions at a time.' }),
    );
  try {
    return request.parse(JSON.parse(line));
  } catch (cause) {
    const what = cause instanceof SyntaxError ? 'the line is not JSON' : 'the line is no request for rewards';
    return refusalOf(new InputFormatError(what, { where, fix: FIX }));
  }
}

async function answer(judge: RewardJudge, read: readonly (RewardRequest | RewardReply)[]): Promise<string> {
  const requests = read.flatMap((one) => ('predictions' in one ? one : []));
  const replies = (await judge.judge(requests))[Symbol.iterator]();
  const inOrder = read.map((one) => ('predictions' in one ? replies.next().value : one));
  return inOrder.map((reply) => `${JSON.stringify(reply)}\n`).join('');
}

/**
 * Answers lines of requests with a line each, in their order, until the input ends. Requests that have arrived together
 * are judged together; no more is read meanwhile, so a client that sends faster than it reads has to wait.
 * @throws the judge's signal's reason on abort
 */
export async function answerRewardLines(
  judge: RewardJudge,
  input: AsyncIterable<Uint8Array>,
  write: (text: string) => Promise<void>,
): Promise<void> {
  const [decoder, lines] = [new StringDecoder('utf8'), new LineReader()];
  let number = 0;
  const respond = async (some: Iterable<string | null>): Promise<void> => {
    const read: (RewardRequest | RewardReply)[] = [];
    for (const line of some) {
      number++;
      if (line?.trim() !== '') read.push(readRequest(line, number));
    }
    if (read.length > 0) await write(await answer(judge, read));
  };
  for await (const chunk of input) await respond(lines.read(decoder.write(Buffer.from(chunk))));
  await respond(lines.rest());
}
