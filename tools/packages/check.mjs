import { readFile } from 'node:fs/promises';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

/** `node tools/packages/check.mjs <archive>…`: checks packed packages with publint and arethetypeswrong. */
async function check(archive) {
  const data = new Uint8Array(await readFile(archive));
  const { messages, pkg } = await publint({ pack: { tarball: data.buffer }, strict: true });
  const analysis = await checkPackage(createPackageFromTarballData(data));
  const wrongTypes = analysis.types ? analysis.problems.map((problem) => JSON.stringify(problem)) : ['it has no types'];
  return [...messages.map((message) => formatMessage(message, pkg) ?? message.code), ...wrongTypes];
}

const problems = (await Promise.all(process.argv.slice(2).map(check))).flat();
for (const problem of problems) console.log(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
