import type { Config } from './config.ts';

const LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
type Level = Exclude<(typeof LEVELS)[number], 'silent'>;
type Fields = Record<string, unknown>;

/** Structured logs, one JSON object a line. Callers never pass secrets, conversation text or whole IP addresses. */
export type Log = Record<Level, (message: string, fields?: Fields) => void>;

/** Lets through what is at least so grave. */
export function gate(least: Config['logLevel'], write: (level: Level, message: string, fields?: Fields) => void): Log {
  const at = (level: Level) => (message: string, fields?: Fields) => {
    if (LEVELS.indexOf(level) >= LEVELS.indexOf(least)) write(level, message, fields);
  };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

export const createLog = (least: Config['logLevel'], write: (line: string) => void = console.log): Log =>
  gate(least, (level, message, fields) => write(JSON.stringify({ level, message, ...fields })));
