/**
 * Lua without comments, indentation and empty lines: what Redis keeps in memory and hashes.
 * @param {string} source
 * @returns {string}
 */
export function strip(source) {
  return source
    .replace(/^--\[\[.*?\]\]/s, '')
    .split('\n')
    .map((line) => withoutComment(line).trim())
    .filter((line) => line !== '')
    .join('\n');
}

/** Cuts at the first `--` that is not inside quotes. */
function withoutComment(line) {
  let quote = '';
  for (let i = 0; i < line.length; i += 1) {
    const char = line[i];
    if (quote !== '') {
      if (char === '\\') i += 1;
      else if (char === quote) quote = '';
    } else if (char === '"' || char === "'") quote = char;
    else if (char === '-' && line[i + 1] === '-') return line.slice(0, i);
  }
  return line;
}
