/** From the least grave to none. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
type Level = Exclude<LogLevel, 'silent'>;
type LogFields = Record<string, unknown>;

/** Structured logs, one JSON object a line. Callers never pass secrets, conversation text or whole IP addresses. */
export type Log = Record<Level, (message: string, fields?: LogFields) => void>;

/** Lets through what is at least so grave. */
export function gate(least: LogLevel, write: (level: Level, message: string, fields?: LogFields) => void): Log {
  const at = (level: Level) => (message: string, fields?: LogFields) => {
    if (LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(least)) write(level, message, fields);
  };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

export const createLog = (least: LogLevel, write: (line: string) => void = console.log): Log =>
  gate(least, (level, message, fields) => write(JSON.stringify({ level, message, ...fields })));
