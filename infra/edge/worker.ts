import { createWorker } from '../../shared/runtimes/worker.ts';
import { operations } from './operations.ts';

/** The module that Cloudflare runs. */
export default createWorker(operations);
