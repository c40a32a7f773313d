import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { bundleEdge } from '../../../infra/edge/bundle.ts';
import { startEdge } from '../../../infra/edge/runtime.ts';
import { noEdge } from './no-edge.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where Workers answer in the place of handlers, or why they do not. */
    workers: { port: number } | { missing: string };
  }
}

/** Before the tests of a project: one workerd for all of them. */
export default async function startWorkers(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (noEdge) {
    project.provide('workers', { missing: noEdge });
    return undefined;
  }
  const folder = await mkdtemp(join(tmpdir(), 'edge-'));
  await bundleEdge(folder, { maker: 'workersOfServices', file: './test/infra/edge/workers-of-services.ts' });
  const { url, stop } = await startEdge({ build: folder, bindings: {} });
  await rm(folder, { recursive: true });
  project.provide('workers', { port: Number(new URL(url).port) });
  return stop;
}
