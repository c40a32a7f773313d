/** What `:name` in an expression stands for. */
export type Values = Record<string, unknown>;

/** Attributes, or keys of a map, that an expression names otherwise: their names are known only at run time. */
export type Names = Readonly<Record<string, string>>;

/** What an update sets: each attribute to the value of its name. */
export const setting = (names: readonly string[]): string => names.map((name) => `#${name} = :${name}`).join(', ');
