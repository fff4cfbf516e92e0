import { expect, it } from 'vitest';
import { markOrigin, noSlowDeliveries } from '../../../core/webhooks/slow-deliveries.ts';

const origin = 'https://hangs.example';
const now = new Date('2026-03-01T12:00:00.000Z');
const until = (seconds: number) => ({ until: new Date(now.getTime() + 600_000 + seconds * 1_000), now });

it('deliveries to an origin that end within half a minute mark it once', () => {
  const marked = markOrigin(noSlowDeliveries, origin, until(0)) ?? noSlowDeliveries;
  expect(marked).toMatchObject({ slow: { [origin]: until(0).until.getTime() }, version: 1 });
  expect([markOrigin(marked, origin, until(0)), markOrigin(marked, origin, until(29))]).toEqual([undefined, undefined]);
  expect(markOrigin(marked, origin, until(30))).toMatchObject({
    slow: { [origin]: until(30).until.getTime() },
    version: 2,
  });
  expect(markOrigin(marked, 'https://other.example', until(0))).toMatchObject({ version: 2 });
});
