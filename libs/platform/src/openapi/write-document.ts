import { readFile, writeFile } from 'node:fs/promises';

/**
 * Writes an OpenAPI document to its file, or with `--check` among the arguments of the process sets a failing exit code when the file is not
 * what the code says (R63).
 *
 * @param project whose `openapi:write` the message names
 */
export async function writeDocument(file: string, document: object, project: string): Promise<void> {
  const text = `${JSON.stringify(document, null, 2)}\n`;
  if (!process.argv.includes('--check')) {
    await writeFile(file, text);
    return;
  }
  const committed = await readFile(file, 'utf8').catch(() => '');
  if (committed === text) return;
  process.stderr.write(`openapi.json is not what the code says: run npm run openapi:write -w ${project} and commit it.\n`);
  process.exitCode = 1;
}
