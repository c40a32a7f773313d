import { globSync, statSync } from 'node:fs';
import { bundleFolder, bundleFunctions } from '../infra/bundle.ts';
import { findStartupFiles, maxStartupBytes, sumBytesByPackage } from '../infra/bundle-size.ts';

const kilobytes = (bytes: number): string => `${Math.round(bytes / 1024)} KB`;

/** `npm run check -- size`: prints the size of the code that each function loads at start and its largest packages. Fails above the limit. */
async function report(): Promise<void> {
  for (const [name, metafile] of await bundleFunctions()) {
    const files = findStartupFiles(metafile);
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    const most = maxStartupBytes(name);
    const verdict = bytes <= most ? '' : `  TOO LARGE: the limit is ${kilobytes(most)}`;
    const heaviest = [...sumBytesByPackage(files)].sort(([, one], [, other]) => other - one).slice(0, 3);
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
