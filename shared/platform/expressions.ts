import { attributesOf } from './attributes.ts';

/** What `:name` in an expression stands for. */
export type Values = Record<string, unknown>;

/** Attributes, or keys of a map, that an expression names otherwise: their names are known only at run time. */
export type Names = Readonly<Record<string, string>>;

/** `#name` in any of these texts is the attribute `name`, or `other.name` where that is given. */
export const attributeNames = (texts: readonly (string | undefined)[], other: Names = {}) => {
  const names = texts.flatMap((text) => text?.match(/#\w+/g) ?? []);
  return names.length > 0
    ? {
        ExpressionAttributeNames: Object.fromEntries(
          names.map((name) => [name, other[name.slice(1)] ?? name.slice(1)]),
        ),
      }
    : {};
};

/** What an update sets: each attribute to the value of its name. */
export const setting = (names: readonly string[]): string => names.map((name) => `#${name} = :${name}`).join(', ');

/** `:name` is `values.name`. */
export const attributeValues = (values: Values | undefined) =>
  values
    ? {
        ExpressionAttributeValues: attributesOf(
          Object.fromEntries(Object.entries(values).map(([name, value]) => [`:${name}`, value])),
        ),
      }
    : {};
