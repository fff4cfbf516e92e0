import { aVirtualClock } from '@media-jobs/testing/virtual-clock';
import { expect, it } from 'vitest';
import { settleDelivery } from '../../../core/jobs/delivery-transitions.ts';
import type { JobIn } from '../../../core/jobs/record.ts';
import { deleteJob } from '../../../core/jobs/removal-transitions.ts';
import type { JobRequestRecord } from '../../../core/jobs/request-record.ts';
import { availableFiles, endOfFile, outputPrefix, ruledEnd } from '../../../core/jobs/retention.ts';
import { fileKey, type StoredFile } from '../../../core/jobs/stored-file.ts';
import { complete } from '../../../core/jobs/termination.ts';
import { claim, create } from '../../../core/jobs/transitions.ts';
import { reconcile } from '../../../functions/reconcile/app.ts';
import { memoryJobTable } from '../../../lab/simulation/memory/job-table.ts';
import { aCompletedJob } from '../../builders/jobs/ended-jobs.ts';
import { aJobId, aRequest, urlSecret } from '../../builders/jobs/jobs.ts';
import { reconcileDeps } from '../../builders/jobs/reconcile-deps.ts';

const second = 1_000;
const hour = 3_600 * second;
const day = 24 * hour;
const stageDays = 30;
const { output: aFile } = aCompletedJob().files;

/** A stage whose bucket has the lifecycle rule of `jobs/`: S3 rounds its days up to the next midnight. */
function aStage() {
  const clock = aVirtualClock(new Date('2026-01-01T00:00:00.000Z'));
  const jobs = memoryJobTable();
  const objects = new Map<string, Date>();
  let isOutage = false;
  const deps = reconcileDeps({
    jobs,
    clock: { ...clock, sleep: () => new Promise(() => undefined) },
    files: {
      list: async () => [],
      readText: async () => undefined,
      removeAll: async (prefix, { except = [] } = {}) => {
        if (isOutage) throw new Error('S3 does not respond');
        for (const key of [...objects.keys()].filter((each) => each.startsWith(prefix))) {
          if (!except.some((kept) => key.startsWith(kept))) objects.delete(key);
        }
        return 'complete';
      },
    },
    onFailure: () => undefined,
  });
  const applyRule = () => {
    for (const [key, storedAt] of objects) {
      const end = Math.ceil((storedAt.getTime() + stageDays * day) / day) * day;
      if (key.startsWith('jobs/') && end <= clock.now().getTime()) objects.delete(key);
    }
  };
  const store = (job: JobIn<'processing'>, folder: string): StoredFile => {
    const key = fileKey(outputPrefix(job, folder), { folder, filename: 'output.mp4' });
    objects.set(key, clock.now());
    if (aFile === undefined) throw new TypeError('A completed job has a file');
    return { ...aFile, key };
  };
  return {
    clock,
    jobs,
    objects,
    fail: (fails: boolean) => {
      isOutage = fails;
    },
    /** Runs a job that stores its files ten seconds before its end, after `lost` attempts that stored some too. */
    async run(number: number, asked: Partial<JobRequestRecord>, folders = ['output'], lost = 0) {
      const request = { ...aRequest, ...asked };
      const ref = { ownerId: 'owner-1', jobId: aJobId(number) };
      let { job } = create({ ...ref, request, urlSecret, now: clock.now() });
      for (let attempt = 0; attempt < lost; attempt++) {
        const claimed = claim(job, `lost-${attempt}`, clock.now()).job;
        for (const folder of folders) store(claimed, folder);
        job = { ...job, attempt: claimed.attempt };
      }
      const claimed = claim(job, 'lease', clock.now()).job;
      const files = Object.fromEntries(folders.map((folder) => [folder, store(claimed, folder)]));
      clock.pass(10 * second);
      const now = clock.now();
      const result = { files, filesExpireAt: ruledEnd(claimed, now, stageDays * day) };
      const ended = complete(claimed, result, { now, webhookTarget: null, deliveryId: 'delivery' }).job;
      const settled = settleDelivery(ended, 'delivery', 'none').job as JobIn<'completed'>;
      await jobs.write({ job: settled, guard: { absent: true } });
      return settled;
    },
    /** The rule of S3, then a run of reconcile, which comes every minute. */
    async reconcile() {
      applyRule();
      await reconcile(deps)(new Date(clock.now().getTime() + 40 * second));
    },
  };
}

const anOutput = { recipe: { name: 'compress' }, format: 'mp4' };

const kept = [1, 7, 30, 90, 250, 365, null, undefined];

/** A job every five days, every other one with outputs of their own days; the ends of some are after the year. */
function submissionOf(number: number): [Partial<JobRequestRecord>, string[]?] {
  const days = kept[number % kept.length];
  if (number % 2 === 0) return [{ keepDays: days }];
  const outputs = {
    a: { ...anOutput, keepDays: days },
    b: { ...anOutput, keepDays: kept[(number + 3) % kept.length] },
    c: anOutput,
  };
  return [{ outputs }, Object.keys(outputs)];
}

it('in a year, every file goes on its day and none before', async () => {
  const stage = aStage();
  const { clock, objects } = stage;
  const start = clock.now().getTime();
  const made: JobIn<'completed'>[] = [];
  let gone = 0;
  const expectFiles = () => {
    const now = clock.now().getTime();
    gone = 0;
    for (const job of made) {
      const available = new Set(availableFiles(job, clock.now()).map(([name]) => name));
      for (const [name, file] of Object.entries(job.files)) {
        const end = Date.parse(endOfFile(job, file) ?? '9999-01-01');
        const mayGo = end <= now;
        const mustGo = file.key.startsWith('kept/') ? mayGo : end + day <= now;
        const isStored = objects.has(file.key);
        expect({ name, isListed: available.has(name), isStored }).toEqual({
          name,
          isListed: !mayGo,
          isStored: mustGo ? false : !mayGo || isStored,
        });
        gone += objects.has(file.key) ? 0 : 1;
      }
    }
  };
  // Every fourth job runs over midnight.
  const submissions = Array.from(
    { length: 73 },
    (_, number) => start + 5 * number * day + (number % 4 === 3 ? day - 5 * second : 7 * hour),
  );
  const checks = new Set(Array.from({ length: 366 }, (_, number) => start + number * day));
  const nextTime = () => Math.min(...checks, ...submissions.slice(made.length, made.length + 1));
  for (let at = nextTime(); at !== Number.POSITIVE_INFINITY; at = nextTime()) {
    clock.pass(Math.max(0, at - clock.now().getTime()));
    checks.delete(at);
    if (at === submissions[made.length]) {
      const job = await stage.run(made.length, ...submissionOf(made.length));
      made.push(job);
      const ends = Object.values(job.files).map((file) => Date.parse(endOfFile(job, file) ?? ''));
      for (const end of ends.filter((each) => each < start + 365 * day)) checks.add(end - 1).add(end);
    }
    await stage.reconcile();
    expectFiles();
  }
  const files = made.flatMap((job) => Object.values(job.files));
  expect([made.length, gone, files.length - gone, objects.size]).toMatchInlineSnapshot(`
    [
      73,
      99,
      46,
      46,
    ]
  `);
});

it('an outage of S3 at the end of a file delays its removal until the next run', async () => {
  const stage = aStage();
  await stage.run(1, { keepDays: 1 });
  stage.clock.pass(day);
  stage.fail(true);
  await stage.reconcile();
  expect(stage.objects.size).toBe(1);
  stage.fail(false);
  stage.clock.pass(60 * second);
  await stage.reconcile();
  expect(stage.objects.size).toBe(0);
});

it('files of lost attempts go with the sweep, those of the result stay', async () => {
  const stage = aStage();
  const job = await stage.run(1, { keepDays: null }, ['output'], 2);
  expect(stage.objects.size).toBe(3);
  stage.clock.pass(hour);
  await stage.reconcile();
  expect([...stage.objects.keys()]).toEqual([job.files.output?.key]);
  expect(job.filesExpireAt).toBeNull();
});

it('a deleted job leaves none of its files', async () => {
  const stage = aStage();
  const job = await stage.run(1, { keepDays: null, outputs: { b: { ...anOutput, keepDays: 7 }, c: anOutput } }, [
    'output',
    'b',
    'c',
  ]);
  await stage.jobs.write(deleteJob(job, stage.clock.now()));
  await stage.reconcile();
  expect(stage.objects.size).toBe(0);
});
