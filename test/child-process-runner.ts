import { startChildProcess } from './child-process.ts';

/** Runs a shell command as tests do and prints its first line. */
const [line] = await startChildProcess('sh', ['-c', process.argv[2]!]).waitForOutput(/.+\n/);
console.log(line);
