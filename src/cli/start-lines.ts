/** The output of a bare `perturbql`: its common uses, and where to find the rest. */
export const START_LINES: readonly string[] = [
  'perturbql changes the tables and questions of Text-to-SQL data, and measures what models make of that.',
  '',
  '  perturbql demo       try it on the packaged examples',
  '  perturbql augment    write a training set with perturbed tables and rewritten gold queries',
  '  perturbql attack     ask a model about perturbed tables and measure how far it falls',
  '  perturbql evaluate   score predictions against gold queries',
  '  perturbql mutate     change schemas, queries and questions in ways that keep the answer',
  '  perturbql annotate   let people choose among the names',
  '',
  'perturbql init finds the data in a folder; perturbql --help lists all commands, perturbql COMMAND --help the options of one.',
];
