/** Bytes of a value as DynamoDB counts them: texts in UTF-8, a number a byte for two digits and one, three for a list or map and one for each of its members. */
function valueBytes(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value === 'number') return Math.ceil(String(value).replace(/\D/g, '').length / 2) + 1;
  if (typeof value !== 'object' || value === null) return 1;
  const members = Object.entries(value);
  const names = Array.isArray(value) ? 0 : members.reduce((sum, [name]) => sum + Buffer.byteLength(name), 0);
  return 3 + names + members.reduce((sum, [, member]) => sum + 1 + valueBytes(member), 0);
}

/** Bytes of an item, with the hundred that each takes beside its attributes. */
export const itemBytes = (item: object): number =>
  100 + Object.entries(item).reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + valueBytes(value), 0);
