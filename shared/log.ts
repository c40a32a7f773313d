import type { Config } from './config.ts';

const LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
type Level = Exclude<(typeof LEVELS)[number], 'silent'>;

/** Structured logs, one JSON object a line. Callers never pass secrets, conversation text or whole IP addresses. */
export type Log = Record<Level, (message: string, fields?: Record<string, unknown>) => void>;

export function createLog(least: Config['logLevel'], write: (line: string) => void = console.log): Log {
  const at = (level: Level) => (message: string, fields?: Record<string, unknown>) => {
    if (LEVELS.indexOf(level) >= LEVELS.indexOf(least)) write(JSON.stringify({ level, message, ...fields }));
  };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}
