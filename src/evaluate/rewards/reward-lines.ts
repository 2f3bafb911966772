import { StringDecoder } from 'node:string_decoder';
import { InputFormatError } from '../../errors.js';
import { parseJson } from '../../formats/json-file.js';
import {
  readRewardRequest,
  refusalOf,
  type RewardJudge,
  type RewardRefusal,
  type RewardRequest,
} from './reward-judge.js';

/** Longest line that is read, in characters. */
const MAX_LINE = 16 << 20;

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

function readLine(line: string | null, number: number): RewardRequest | RewardRefusal {
  const where = { file: 'standard input', line: number };
  try {
    if (line !== null) return readRewardRequest(parseJson(line, where.file, number), where);
    const fix = 'Send fewer predictions at a time.';
    throw new InputFormatError('the line is longer than 16 MB', { where, fix });
  } catch (error) {
    return refusalOf(error);
  }
}

/**
 * Answers lines of requests with a line each, in their order, until the input ends. Requests that have arrived together
 * are judged together; no more is read meanwhile, so a client that sends faster than it reads has to wait.
 * @throws the signal's reason on abort
 */
export async function answerRewardLines(
  judge: RewardJudge,
  input: AsyncIterable<Uint8Array>,
  write: (text: string) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const [decoder, lines] = [new StringDecoder('utf8'), new LineReader()];
  let number = 0;
  const respond = async (some: Iterable<string | null>): Promise<void> => {
    const requests: (RewardRequest | RewardRefusal)[] = [];
    for (const line of some) {
      number++;
      if (line?.trim() !== '') requests.push(readLine(line, number));
    }
    const replies = await judge.answer(requests, signal);
    if (replies.length > 0) await write(replies.map((reply) => `${JSON.stringify(reply)}\n`).join(''));
  };
  for await (const chunk of input) await respond(lines.read(decoder.write(Buffer.from(chunk))));
  await respond(lines.rest());
}
