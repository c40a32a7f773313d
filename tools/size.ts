import { globSync, statSync } from 'node:fs';
import { bundle, bundleFolder } from '../infra/bundle.ts';
import { mostBytes, startupFiles, weightsOf } from '../infra/bundle-size.ts';

const kilobytes = (bytes: number): string => `${Math.round(bytes / 1024)} KB`;

/** `npm run check -- size`: how much code each function loads at its start, the three packages with most of it, and a failure above the limit. */
async function report(): Promise<void> {
  for (const [name, metafile] of await bundle()) {
    const files = startupFiles(metafile);
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    const most = mostBytes(name);
    const verdict = bytes <= most ? '' : `  TOO HEAVY: at most ${kilobytes(most)}`;
    const heaviest = [...weightsOf(files)].sort(([, one], [, other]) => other - one).slice(0, 3);
    const packages = heaviest.map(([packageName, weight]) => `${packageName} ${kilobytes(weight)}`).join(', ');
    const folder = sizeOf(`${bundleFolder(name)}/**/*.*`);
    console.log(
      `${name.padEnd(26)} ${kilobytes(bytes).padStart(7)}  ${packages}; the folder ${kilobytes(folder)}${verdict}`,
    );
    if (verdict) process.exitCode = 1;
  }
}

const sizeOf = (files: string): number => globSync(files).reduce((sum, file) => sum + statSync(file).size, 0);

await report();
