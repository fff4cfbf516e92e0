import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { ownerLimitsSchema } from '../../../core/access/owner-limits.ts';
import { defaultPrices, dollarsOf } from '../../../core/pricing/region-prices.ts';
import { webhookLimits } from '../../../core/webhooks/delivery.ts';

it('spending-caps.md has what failed deliveries cost beside the caps', async () => {
  const prices = dollarsOf(defaultPrices);
  const attempts = 3;
  // Of two attempts three each, and the end.
  const transitions = 7;
  // The journal writes each attempt twice; the request and the end of a delivery write the record and an index.
  const calls =
    transitions * prices.transition +
    attempts * (prices.lambdaRequest + prices.trace + 2 * prices.tableWrite) +
    4 * prices.tableWrite;
  const seconds = (attempts * webhookLimits.totalMs) / 1000;
  const hanging = calls + seconds * 0.5 * prices.lambdaX86;
  const deliveries = 1 + ownerLimitsSchema.parse({}).maxRedeliveriesPerJob;
  const text = await readFile('core/spending/DECISION.md', 'utf8');
  const figures = [...(/\d\. Webhooks that fail[\s\S]*?\n\n/.exec(text)?.[0] ?? '').matchAll(/\$([\d.]*\d)/g)];
  const expected = [calls, hanging, deliveries * calls, deliveries * hanging];
  expect(figures.map(([, dollars]) => Number(dollars))).toEqual(
    expected.map((dollars) => Number(dollars.toPrecision(1))),
  );
});
