import { evaluate } from '../../../tools/evaluate/run.ts';

/** What the command says and its status, without a process of its own. */
export async function runHere(...args: string[]) {
  const out: string[] = [];
  const err: string[] = [];
  const line = (text: string) => `${text}\n`;
  const terminal = {
    log: (text: string) => void out.push(line(text)),
    error: (text: string) => void err.push(line(text)),
  };
  const status = await evaluate(args, { terminal, interrupt: new AbortController().signal });
  return { out: out.join(''), err: err.join(''), status };
}
