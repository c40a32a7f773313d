import { globSync, statSync } from 'node:fs';
import type { Metafile } from 'esbuild';
import { bundle, bundleFolder, type FunctionName, functionNames } from '../infra/bundle.ts';
import { mostBytes } from '../infra/hot.ts';

const kilobytes = (bytes: number): string => `${Math.round(bytes / 1024)} KB`;

/** `npm run size`: what each function's bundle weighs, what weighs most in it, and a failure when one is too heavy. */
async function report(): Promise<void> {
  const account = await bundle();
  for (const name of functionNames) {
    const { bytes, inputs } = outputOf(name, account);
    const most = mostBytes(name);
    const verdict = bytes <= most ? '' : `  TOO HEAVY: at most ${kilobytes(most)}`;
    const beside = Object.entries(BESIDE).map(([what, files]) => {
      const size = sizeOf(`${bundleFolder(name)}/${files}`);
      return size > 0 ? ` + ${kilobytes(size)} of ${what}` : '';
    });
    console.log(`${name.padEnd(28)} ${kilobytes(bytes).padStart(7)}  ${heaviest(inputs)}${beside.join('')}${verdict}`);
    if (verdict) process.exitCode = 1;
  }
}

function outputOf(name: FunctionName, account: Metafile) {
  return Object.entries(account.outputs).find(([file]) => file.endsWith(`functions/${name}/index.mjs`))![1];
}

/** What lies beside the code: read, but not compiled, and so not limited. */
const BESIDE = { map: '*.map', data: '**/*.{json,bin}' };

const sizeOf = (files: string): number => globSync(files).reduce((sum, file) => sum + statSync(file).size, 0);

/** The three packages with the most bytes. */
function heaviest(inputs: Metafile['outputs'][string]['inputs']): string {
  const weights = new Map<string, number>();
  for (const [file, { bytesInOutput }] of Object.entries(inputs)) {
    const packageName = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? 'our own';
    weights.set(packageName, (weights.get(packageName) ?? 0) + bytesInOutput);
  }
  const sorted = [...weights].sort(([, one], [, other]) => other - one);
  return sorted
    .slice(0, 3)
    .map(([packageName, bytes]) => `${packageName} ${kilobytes(bytes)}`)
    .join(', ');
}

await report();
