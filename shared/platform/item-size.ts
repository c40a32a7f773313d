/** Bytes of a value as DynamoDB counts them: strings in UTF-8, one byte per two digits plus one, three per list or map plus one per member. */
function getValueSize(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value === 'number') return Math.ceil(String(value).replace(/\D/g, '').length / 2) + 1;
  if (typeof value !== 'object' || value === null) return 1;
  const members = Object.entries(value);
  const names = Array.isArray(value) ? 0 : members.reduce((sum, [name]) => sum + Buffer.byteLength(name), 0);
  return 3 + names + members.reduce((sum, [, member]) => sum + 1 + getValueSize(member), 0);
}

/** Bytes of an item as writes and reads are billed. Stored items have a hundred more. */
export const getItemSize = (item: object): number =>
  Object.entries(item).reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + getValueSize(value), 0);
