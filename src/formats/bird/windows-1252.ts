import { itemAt } from '../../present.js';

/** Characters of the bytes 0x80 to 0x9f; the others are Latin-1's. https://encoding.spec.whatwg.org/index-windows-1252.txt */
const HIGH = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

const BYTES: ReadonlyMap<string, number> = new Map([...HIGH].map((character, index) => [character, 0x80 + index]));

/** The text of bytes in Windows-1252; every byte is a character, so that `encodeWindows1252` gives the bytes back. */
export function decodeWindows1252(bytes: Buffer): string {
  return bytes.toString('latin1').replace(/[\x80-\x9f]/g, (character) => itemAt(HIGH, character.charCodeAt(0) - 0x80));
}

/** The bytes of a text in Windows-1252; null where it holds a character that the encoding lacks. */
export function encodeWindows1252(text: string): Buffer | null {
  const bytes = Buffer.alloc(text.length);
  for (let i = 0; i < text.length; i++) {
    const byte = BYTES.get(itemAt(text, i)) ?? text.charCodeAt(i);
    if (byte > 0xff) return null;
    bytes[i] = byte;
  }
  return bytes;
}
