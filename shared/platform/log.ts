/** From the least to the most severe; `silent` logs nothing. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
type Level = Exclude<LogLevel, 'silent'>;

/** What a line may hold. An Error does not compile here: callers log its message or its stack. */
type LogValue = string | number | boolean | null | undefined | readonly LogValue[] | LogFields;
export interface LogFields {
  readonly [field: string]: LogValue;
}

/** Structured logs, one JSON object a line. Callers never pass secrets, conversation texts or whole IP addresses. */
export type Log = Record<Level, (message: string, fields?: LogFields) => void>;

/** A log that passes lines of at least a level on to a writer, which gets nothing but plain values. */
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
 * The types promise this already, but an `any` gets past them. Loggers print an error's own properties and its cause: of a failed DynamoDB
 * condition that is the stored item, with conversation text in it.
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

/** A log that writes lines as text: to the console, unless a test or a program reads them. */
export const createLog = (least: LogLevel, write: (line: string) => void = console.log): Log =>
  gate(least, (level, message, fields) => write(JSON.stringify({ level, message, ...fields })));
