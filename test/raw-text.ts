/**
 * Words of the validator, of the parser of JSON, of the system and of SQLite's codes: users never read these, as none of
 * them says what is wrong with what they gave.
 */
export const RAW_TEXT =
  /Invalid (?:input|option|string|key)|expected \w+, received|Too (?:small|big):|Unrecognized key|invalid_\w+|"code":|position \d+|in JSON|is not valid JSON|JSON input|Unexpected (?:token|end)|Expected (?:double|property|')|\bE[A-Z]{4,}\b|SQLITE_[A-Z]+|ZodError|SyntaxError|\[object|\bNaN\b|\bundefined\b/;
