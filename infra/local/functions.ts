import { type EndpointName, endpointNames } from '../../shared/operations/endpoints.ts';
import { type WorkerName, workerNames } from '../../shared/operations/workers.ts';
import type { LambdaHandler } from '../../shared/runtimes/lambda.ts';
import type { WorkerEffects } from '../../shared/workers/worker.ts';
import { loadEndpoint, loadWorker, type WorkerHandler } from './load.ts';

export type HttpHandlers = Record<EndpointName, LambdaHandler>;
export type WorkerHandlers = Record<WorkerName, WorkerHandler>;

/** Every function of functions/, each as its role in the cloud. */
export async function loadFunctions(effects: WorkerEffects): Promise<{ http: HttpHandlers; workers: WorkerHandlers }> {
  const http = endpointNames.map(async (name) => [name, await loadEndpoint(name, effects)]);
  const workers = workerNames.map(async (name) => [name, await loadWorker(name, effects)]);
  return {
    http: Object.fromEntries(await Promise.all(http)),
    workers: Object.fromEntries(await Promise.all(workers)),
  };
}
