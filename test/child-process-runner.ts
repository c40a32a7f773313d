import { startChildProcess } from './child-process.ts';

/** Runs the shell's text that it is given, as tests run programs, and prints the first line of that. */
const [line] = await startChildProcess('sh', ['-c', process.argv[2]!]).waitForOutput(/.+\n/);
console.log(line);
