// A model for promptfoo that knows the gold of its test; PERTURBQL_SAYS=wrong has it say something else.
export default class KnowingProvider {
  id() {
    return 'knows-the-gold';
  }

  async callApi(prompt, { vars }) {
    const messages = JSON.parse(prompt);
    if (messages.at(-1).content !== vars.user) throw new Error(`the prompt is another: ${prompt}`);
    const query = process.env.PERTURBQL_SAYS === 'wrong' ? "SELECT 'nothing of the kind'" : vars.gold;
    return { output: `The question asks for this:\n\`\`\`sql\n${query}\n\`\`\`` };
  }
}
