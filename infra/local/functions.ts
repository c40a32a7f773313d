import { type EndpointName, endpointNames } from '../../shared/http/operations/endpoints.ts';
import { type WorkerName, workerNames } from '../../shared/http/operations/workers.ts';
import { type App, type LambdaHandler, lambdaHandler } from '../../shared/http/runtimes/lambda.ts';
import type { WorkerEffects } from '../../shared/http/workers/worker.ts';
import { recordOf } from '../../shared/platform/values/typed.ts';
import { loadEndpoint, loadWorker, type WorkerHandler } from './load.ts';

/** The app of every HTTP function. */
export type Apps = Record<EndpointName, App>;
/** The same as Lambda runs them: events in, results out. */
export type HttpHandlers = Record<EndpointName, LambdaHandler>;
export type WorkerHandlers = Record<WorkerName, WorkerHandler>;

/** Every function of functions/, each with the grants of its role in the cloud. */
export async function loadFunctions(effects: WorkerEffects): Promise<{ apps: Apps; workers: WorkerHandlers }> {
  const apps = endpointNames.map(async (name) => [name, await loadEndpoint(name, effects)]);
  const workers = workerNames.map(async (name) => [name, await loadWorker(name, effects)]);
  return {
    apps: Object.fromEntries(await Promise.all(apps)),
    workers: Object.fromEntries(await Promise.all(workers)),
  };
}

export const lambdaHandlers = (apps: Apps): HttpHandlers =>
  recordOf(endpointNames, (name) => lambdaHandler(name, apps[name]));
