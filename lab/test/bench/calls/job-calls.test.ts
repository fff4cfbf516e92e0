import { describe, expect, it } from 'vitest';
import { callsOfJob, costOfCalls } from '../../../../core/pricing/per-job.ts';
import { defaultPrices, dollarsOf } from '../../../../core/pricing/region-prices.ts';
import { itemBytes } from '../../../bench/harness/calls/item-size.ts';
import { jobCalls } from '../../../bench/harness/calls/job-calls.ts';
import { type ObservedCall, readCall } from '../../../bench/harness/calls/observed-call.ts';
import { tableUnits } from '../../../bench/harness/calls/table-units.ts';

const key = { pk: { S: 'OWNER#a' }, sk: { S: 'JOB#1' } };
const put = (item: object): ObservedCall => ({
  service: 'dynamodb',
  operation: 'PutItem',
  at: 0,
  input: { Item: { ...key, ...item } },
});
const get = (input: object): ObservedCall => ({
  service: 'dynamodb',
  operation: 'GetItem',
  at: 0,
  input: { Key: key, ...input },
});

it('the size of an item is that of its names and values, plus three bytes for each collection and one for each member', () => {
  expect(itemBytes({ name: { S: 'größe' } })).toBe(4 + 7);
  expect(itemBytes({ b: { B: Buffer.from('12345').toString('base64') as never } })).toBe(1 + 5);
  expect(itemBytes({ n: { N: '-12.345' }, yes: { BOOL: true }, no: { NULL: true } })).toBe(1 + 4 + 3 + 1 + 2 + 1);
  expect(itemBytes({ l: { L: [{ S: 'ab' }, { S: 'c' }] }, m: { M: { k: { S: 'v' } } } })).toBe(
    1 + 3 + 2 + 3 + 1 + 3 + 1 + 2,
  );
});

describe('units of the table', () => {
  it('are one for each started kilobyte of the larger version, before or after the write', () => {
    const { charge } = tableUnits();
    expect(charge(put({ text: { S: 'x'.repeat(2_000) } })).table).toBe(2);
    expect(charge(put({})).table).toBe(2);
    expect(charge(put({})).table).toBe(1);
  });

  it('count for the owner if the item is in the partition of all its jobs', () => {
    const { charge } = tableUnits();
    expect(charge(put({}))).toMatchObject({ table: 1, owner: 1 });
    expect(charge(put({ pk: { S: 'OWNER#a#1' } }))).toMatchObject({ table: 1, owner: 0 });
    const update = { ...get({}), operation: 'UpdateItem' };
    expect(charge(update)).toMatchObject({ table: 1, owner: 1 });
  });

  it('of an index are one for an added or removed entry, two for a moved one, none for an unchanged one', () => {
    const { charge } = tableUnits();
    const dueOf = (item: object) => charge(put(item)).due;
    const entry = (dueAt: string, kind = 'waiting') => ({ dueAt: { S: dueAt }, duePartition: { S: kind } });
    expect(dueOf(entry('1'))).toBe(1);
    expect(dueOf(entry('1'))).toBe(0);
    expect(dueOf(entry('2'))).toBe(2);
    expect(dueOf(entry('2', 'running'))).toBe(2);
    expect(dueOf({})).toBe(1);
    expect(dueOf({})).toBe(0);
  });

  it('of a read are one for each started four kilobytes, and half of that if it may be stale', () => {
    const { charge } = tableUnits();
    expect(charge(get({})).read).toBe(0.5);
    charge(put({ text: { S: 'x'.repeat(5_000) } }));
    expect(charge(get({ ConsistentRead: true })).read).toBe(2);
  });
});

describe('the calls of a job', () => {
  const work = (call: ObservedCall, at: number) => ({
    functionName: 'media-jobs-local-transcode',
    call: { ...call, at },
  });
  const ofJob = get({ ConsistentRead: true });
  const processing = put({ state: { S: 'processing' } });

  it('keep the worker apart from its heartbeats, of which the first counts', () => {
    const seen = [ofJob, processing, ofJob, processing, ofJob, ofJob, processing].map(work);
    const { work: own, heartbeat } = jobCalls(seen);
    expect(own.calls).toEqual({ 'dynamodb.GetItem': 1, 'dynamodb.PutItem': 1 });
    expect(heartbeat.calls).toEqual({ 'dynamodb.GetItem': 1, 'dynamodb.PutItem': 1 });
  });

  it('leave out other functions and the record of a key’s last use', () => {
    const update: ObservedCall = { service: 'dynamodb', operation: 'UpdateItem', at: 0 };
    const { create } = jobCalls([
      { functionName: 'media-jobs-local-submission', call: update },
      { functionName: 'media-jobs-local-reconcile', call: get({}) },
    ]);
    expect(create.calls).toEqual({});
  });

  it('are parsed from a log with other lines', () => {
    expect(readCall('{"level":"INFO"}')).toBeUndefined();
    expect(readCall(`observed-call ${JSON.stringify(ofJob)}`)).toEqual(ofJob);
  });
});

describe('the cost of calls', () => {
  const prices = dollarsOf(defaultPrices);

  it('is their number times their price, plus the units of the table times theirs', () => {
    const units = { read: 4, table: 1, owner: 1, byState: 2, byName: 1, due: 3, waiting: 0 };
    expect(costOfCalls({ calls: { 'sqs.SendMessage': 2, 'dynamodb.PutItem': 9 }, units }, prices)).toBeCloseTo(
      2 * (prices.queueRequest + prices.messageGroup) + 4 * prices.tableRead + 7 * prices.tableWrite,
      12,
    );
  });

  it('has a price for every call of a job', () => {
    for (const spent of Object.values(callsOfJob)) expect(costOfCalls(spent, prices)).toBeGreaterThan(0);
    expect(() => costOfCalls({ ...callsOfJob.read, calls: { 'sns.Publish': 1 } }, prices)).toThrow('sns.Publish');
  });
});
