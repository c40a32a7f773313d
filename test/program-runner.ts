import { startProgram } from './program.ts';

/** Runs the shell's text that it is given, as tests run programs, and prints the first line of that. */
const [line] = await startProgram('sh', ['-c', process.argv[2]!]).prints(/.+\n/);
console.log(line);
