import { createWorker } from '../../shared/http/runtimes/worker.ts';
import { operations } from './operations.ts';

/** The module that Cloudflare runs. */
export default createWorker(operations);
