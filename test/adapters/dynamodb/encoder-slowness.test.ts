import { expect, it } from 'vitest';
import { encoderSlowness } from '../../../adapters/dynamodb/encoder-slowness.ts';
import { later } from '../../builders/jobs/jobs.ts';
import { aDynaliteTable } from '../../builders/storage/dynalite-table.ts';

it('a function reads the measurements of others every five minutes', async () => {
  const { client, tableName } = await aDynaliteTable();
  let now = later(0);
  const own = encoderSlowness(client, tableName, { now: () => now } as never);
  const other = encoderSlowness(client, tableName, { now: () => now } as never);
  expect(await own.read()).toEqual({});
  await other.write('libx264', 0.8);
  now = later(5 * 60_000 - 1);
  expect(await own.read()).toEqual({});
  now = later(5 * 60_000);
  expect(await own.read()).toEqual({ libx264: 0.8 });
});
