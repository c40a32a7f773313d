import { createWorker } from '../../shared/http/runtimes/worker.ts';
import { operations } from './operations.ts';

/** Entry point of the Worker. */
export default createWorker(operations);
