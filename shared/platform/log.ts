/** Ordered by severity; `silent` logs nothing. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
type Level = Exclude<LogLevel, 'silent'>;

/** The value of a log field. An Error does not compile, so callers log its message or stack. */
type LogValue = string | number | boolean | null | undefined | readonly LogValue[] | LogFields;
export interface LogFields {
  readonly [field: string]: LogValue;
}

/** A structured log, one JSON object per line. Callers never pass secrets, conversation texts, or full IP addresses. */
export type Log = Record<Level, (message: string, fields?: LogFields) => void>;

/** A log that passes lines at or above a level to a writer. Fields are reduced to plain values. */
export function gate(minLevel: LogLevel, write: (level: Level, message: string, fields: LogFields) => void): Log {
  const at =
    (level: Level) =>
    (message: string, fields: LogFields = {}) => {
      if (LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(minLevel))
        write(level, String(message), plainFields(isPlainObject(fields) ? fields : { error: fields }));
    };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

const plainFields = (fields: object): LogFields =>
  Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, plainValue(value)]));

/**
 * Reduces a value to plain values, in case an `any` bypassed the types. A logger prints an error's properties and cause, which for a failed
 * DynamoDB condition include the stored item with conversation text.
 */
function plainValue(value: unknown): LogValue {
  if (value === null || value === undefined) return value;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  if (value instanceof Error) return { message: value.message, stack: value.stack };
  if (Array.isArray(value)) return value.map(plainValue);
  return isPlainObject(value) ? plainFields(value) : String(value);
}

function isPlainObject(value: unknown): value is object {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** A log that writes lines as text, by default to the console. */
export const createLog = (least: LogLevel, write: (line: string) => void = console.log): Log =>
  gate(least, (level, message, fields) => write(JSON.stringify({ level, message, ...fields })));
