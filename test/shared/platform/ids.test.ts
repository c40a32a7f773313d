import { describe, expect, it } from 'vitest';
import { createIds, isUuid, systemIds } from '../../../shared/platform/ids.ts';

describe('Ids', () => {
  it('sort in the order of creation, even within one millisecond', () => {
    const ids = createIds(
      (length) => new Uint8Array(length).fill(9),
      () => 1_795_165_200_000,
    );
    const made = Array.from({ length: 2_000 }, () => ids.ordered('campaign'));
    expect([...made].sort()).toEqual(made);
    expect(new Set(made).size).toBe(2_000);
    expect(made[0]).toMatch(/^cmp_[0-9A-Za-z]{20}$/);
  });

  it('are version 4 UUIDs if the contract requires a UUID', () => {
    expect(systemIds.uuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(isUuid(systemIds.uuid())).toBe(true);
    expect(isUuid('D51826DE-E6F4-4B69-BC6C-EE1FE015F4B2')).toBe(false);
  });

  it('use each random byte only once', () => {
    const given = Array.from({ length: 2_000 }, () => Buffer.from(systemIds.bytes(16)).toString('hex'));
    expect(new Set(given).size).toBe(2_000);
    expect(systemIds.bytes(5_000)).toHaveLength(5_000);
  });
});
