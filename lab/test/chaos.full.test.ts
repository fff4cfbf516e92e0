// @module-tag nightly
// @module-tag jobs
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { attacks } from '../../test/hostile/attacks.ts';

const program = join(import.meta.dirname, '../chaos/chaos.ts');

it('200 real jobs all end, each with one event, on a stage with faults that is killed three times', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [program, '--jobs', '200', '--json']);
  expect(JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
    jobs: 200,
    ended: 200,
    withoutOneEvent: 0,
    unreadableFiles: 0,
    crashes: 3,
  });
});

it('the jobs of an owner all complete beside another who attacks by every row of the table', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...'--hostile --jobs 10 --json'.split(' ')]);
  const { besideAttacks, attacks: found } = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '');
  expect(besideAttacks).toMatchObject({ states: { completed: 10 }, attempts: { 1: 10 }, unreadableFiles: 0 });
  expect(Object.keys(found)).toEqual(attacks.map(({ name }) => name));
  expect(Object.values(found)).toEqual(attacks.map(() => expect.objectContaining({ unexpected: 0 })));
});

it('accepted jobs complete after at most one requeue while one service after another fails', async () => {
  const options = ['--outages', '--jobs', '24', '--seconds', '10', '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...options]);
  expect(JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '')).toEqual({
    jobs: 24,
    completed: 24,
    webhooksDelivered: 24,
    requeuedTwice: 0,
    services: ['s3', 'dynamodb', 'sqs', 'sfn', 'kms', 'eventbridge'],
  });
});
