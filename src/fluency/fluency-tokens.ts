/** Tokens that stand for any quoted value and any number: what is asked for does not count, how it is asked does. */
const VALUE = '<value>';
const NUMBER = '<number>';
const TOKEN = /(?<quoted>"[^"]*")|(?<number>\d+(?:[.,]\d+)*)|\p{L}+(?:['’]\p{L}+)?|\S/gu;

/** Words in small letters and single signs, as training/fluency_model.py takes texts apart. */
export function fluencyTokens(text: string): readonly string[] {
  return [...text.toLowerCase().matchAll(TOKEN)].map(({ 0: token, groups }) => {
    if (groups?.['quoted'] !== undefined) return VALUE;
    return groups?.['number'] !== undefined ? NUMBER : token.replace('’', "'");
  });
}
