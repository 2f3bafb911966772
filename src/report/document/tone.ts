/** Color of a text, a bar or a mark: a verdict, a kind of change, or none of these. */
export type Tone = 'good' | 'bad' | 'soft' | 'rpl' | 'add' | 'original';
