// A metamorphic relation of one's own: a question that ends in "please" asks the same (docs/mutate.md).
//
//   perturbql mutate --tables examples/tables.json --examples examples/dev.json --relations none \
//     --relation examples/polite-ending.mjs --out RUN

const END = /\s*([.?])?\s*$/;

/** @type {import('perturbql').MetamorphicRelation} */
const politeEnding = {
  id: 'PE',
  name: 'Polite Ending',
  target: 'utterance',
  cites: '',
  capability: 'question form',
  // Part of the run's manifest: raise it when other mutations come out.
  fingerprint: 'PE 1',
  // What it reads from the gold query, "which columns are unused" for instance. Null: nothing, so that questions without
  // one are given, too; their `example.query` is null.
  readsGoldFor: null,

  // One answer per case, in order: at most `limit` mutations, or a reason why there is none, which is counted. Draw from
  // context.rngFor(example.id) where you must, so that the same seed gives the same mutants.
  async mutate(cases) {
    return cases.map(({ example }) => {
      if (/\bplease\b/i.test(example.question)) return { reason: 'polite already' };
      const question = example.question.replace(END, (_, mark = '') => `, please${mark}`);
      return [
        {
          question,
          query: example.query, // gold SQL on the schema
          expectation: 'same-query', // or 'same-result' where the gold is another
          mutated: null, // or the changed schema, with a query for the rows of each of its tables
          detail: 'added "please"',
        },
      ];
    });
  },
};

export default politeEnding;
