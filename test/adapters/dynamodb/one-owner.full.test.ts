import { randomBytes, randomUUID } from 'node:crypto';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect, it } from 'vitest';
import { jobTable } from '../../../adapters/dynamodb/job-table.ts';
import { runningLimit } from '../../../adapters/dynamodb/running-limit.ts';
import { settleDelivery } from '../../../core/jobs/delivery-transitions.ts';
import type { JobIn } from '../../../core/jobs/record.ts';
import { complete } from '../../../core/jobs/termination.ts';
import { claim, create } from '../../../core/jobs/transitions.ts';
import { aCompletedJob } from '../../builders/jobs/ended-jobs.ts';
import { aRequest, later, urlSecret } from '../../builders/jobs/jobs.ts';
import { aDynaliteTable } from '../../builders/storage/dynalite-table.ts';

const count = 10_000;
const atOnce = 600;
const maxRunningJobs = 1_000;
const concurrent = 20;
const ownerId = 'owner-1';

/** Adds up the write units of the table, without its indexes, by partition key. */
function writeUnits(client: DynamoDBClient): Map<string, number> {
  const units = new Map<string, number>();
  client.middlewareStack.add(
    (next) => async (args) => {
      const input = args.input as { Item?: Keys; Key?: Keys; ConditionExpression?: string };
      const pk = (input.Item ?? input.Key)?.pk?.S ?? '';
      const isWrite = input.Item !== undefined || 'UpdateExpression' in input;
      Object.assign(input, isWrite ? { ReturnConsumedCapacity: 'INDEXES' } : {});
      const result = await next(args);
      const { ConsumedCapacity } = result.output as {
        ConsumedCapacity?: { Table?: { CapacityUnits: number } };
      };
      if (isWrite) units.set(pk, (units.get(pk) ?? 0) + (ConsumedCapacity?.Table?.CapacityUnits ?? Number.NaN));
      return result;
    },
    { step: 'initialize' },
  );
  return units;
}

type Keys = { pk?: { S?: string } };

/** The last digits of an id are random (RFC 9562, UUIDv7), its first ones are the time. */
function aRandomJobId(n: number): string {
  const random = randomBytes(6).toString('hex');
  return `019ca945-${n.toString(16).padStart(4, '0')}-7000-8000-${random}`;
}

it('10,000 short jobs of one owner take at most four write units each in any partition: 250 a second', async () => {
  const { client, tableName } = await aDynaliteTable();
  const units = writeUnits(client);
  const jobs = jobTable(client, tableName);
  const running = runningLimit(client, tableName, maxRunningJobs);
  const { files, filesExpireAt } = { filesExpireAt: later(9_000).toISOString(), files: aCompletedJob().files };

  const begin = async (n: number): Promise<JobIn<'processing'>> => {
    const request = { ...aRequest, webhookUrl: 'https://example.com/webhooks' };
    const created = create({ ownerId, jobId: aRandomJobId(n), request, urlSecret, now: later(0) });
    const claimed = claim(created.job, randomUUID(), later(1_000));
    expect((await jobs.write(created)).written).toBe(true);
    expect(await running.enter({ ...claimed.job, attempt: 1 }, { max: maxRunningJobs })).toBe(true);
    expect((await jobs.write(claimed)).written).toBe(true);
    return claimed.job;
  };
  const end = async (job: JobIn<'processing'>) => {
    const termination = { now: later(3_000), webhookTarget: 'https://example.com/webhooks', deliveryId: randomUUID() };
    const completed = complete(job, { files, filesExpireAt }, termination);
    expect((await jobs.write(completed)).written).toBe(true);
    await running.leave(job);
    const settled = settleDelivery(completed.job, termination.deliveryId, 'delivered');
    expect((await jobs.write(settled)).written).toBe(true);
  };

  const held: JobIn<'processing'>[] = [];
  for (let n = 0; n < count; n += concurrent) {
    held.push(...(await Promise.all(Array.from({ length: concurrent }, (_, k) => begin(n + k)))));
    if (held.length > atOnce) await Promise.all(held.splice(0, concurrent).map(end));
  }
  while (held.length > 0) await Promise.all(held.splice(0, concurrent).map(end));

  const ofOwner = units.get(`OWNER#${ownerId}`) ?? 0;
  const ofEntries = [...units].filter(([pk]) => pk.includes('#RUNNING#')).map(([, sum]) => sum);
  console.log(
    `units a job: ${ofOwner / count} of the owner, ${Math.max(...ofEntries) / count} of its busiest part of running jobs`,
  );
  expect(ofOwner / count).toBeLessThanOrEqual(4);
  expect(Math.max(...ofEntries) / count).toBeLessThan(0.2);
  expect(ofEntries.reduce((sum, each) => sum + each, 0) / count).toBeLessThan(3);
}, 900_000);
