import type { Metafile } from 'esbuild';
import type { FunctionName } from './bundle.ts';

type BundledFile = Metafile['outputs'][string];

/** The files that a function loads at start: index.mjs and its static imports. */
export function findStartupFiles({ outputs }: Metafile): BundledFile[] {
  const index = Object.keys(outputs).find((path) => path.endsWith('/index.mjs'));
  const paths = new Set([index!]);
  for (const path of paths)
    for (const { kind, path: imported, external } of outputs[path]!.imports)
      if (kind === 'import-statement' && !external) paths.add(imported);
  return [...paths].map((path) => outputs[path]!);
}

/** Bytes of the given files by the package that they come from. */
export function sumBytesByPackage(files: readonly BundledFile[]): Map<string, number> {
  const weights = new Map<string, number>();
  for (const { inputs } of files)
    for (const [module, { bytesInOutput }] of Object.entries(inputs)) {
      const packageName = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(module)?.[1] ?? 'our own';
      weights.set(packageName, (weights.get(packageName) ?? 0) + bytesInOutput);
    }
  return weights;
}

/** These bundle undici, the only HTTP client that can restrict which addresses it connects to. */
const SENDERS: readonly FunctionName[] = ['webhooks/test', 'webhooks/redeliver', 'events/deliver'];
/** A user waits for these, and they do no matching. */
const LIGHT: readonly FunctionName[] = ['ssp/ad', 'click/redirect'];

/** Limit on the bytes of code that a function loads at start: room for new code, but not for a package added by accident. */
export function maxStartupBytes(name: FunctionName): number {
  if (SENDERS.includes(name)) return 1_280 * 1024;
  return (LIGHT.includes(name) ? 480 : 900) * 1024;
}
