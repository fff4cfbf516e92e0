import { readdir } from 'node:fs/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { partResultSchema } from '../../../core/chunks/part-result.ts';
import { partKeys } from '../../../core/chunks/work-keys.ts';
import { JobError } from '../../../core/errors.ts';
import type { JobIn } from '../../../core/jobs/job.ts';
import { cancel, claim, requeue } from '../../../core/jobs/transitions.ts';
import { EncodeError } from '../../../core/media/encode-error.ts';
import type { PartsStage } from '../../builders/a-parts-stage.ts';
import type { InParts } from '../../builders/in-parts.ts';
import { processesIn } from '../../builders/processes-in.ts';
import { aSteppedClock } from '../../builders/stepped-clock.ts';
import { waitingParts } from '../../builders/waiting-parts.ts';
import { aWebServer } from '../../builders/web-server.ts';

async function cancelled({ ports: { jobs } }: PartsStage, work: InParts): Promise<void> {
  const ending = { now: new Date(), webhookTarget: null, deliveryId: 'delivery-1' };
  await jobs.write(cancel((await work.job()) as JobIn<'processing'>, ending));
}

async function takenOver({ ports: { jobs } }: PartsStage, work: InParts): Promise<void> {
  const { job } = requeue((await work.job()) as JobIn<'processing'>, new Date());
  await jobs.write({ guard: { leaseId: work.input.leaseId }, job });
  await jobs.write(claim(job, 'lease-of-another', new Date()));
}

describe('a part', () => {
  it('lies beside the plan when it is done, with what was measured, and leaves the disk empty', async () => {
    const { stage, work } = await waitingParts();
    const { files } = stage.ports;
    const held: string[] = [];
    const upload: typeof files.upload = async (file) => {
      held.push(...(await readdir(stage.disk, { recursive: true })));
      await files.upload(file);
    };
    const before = await stage.keys('');
    expect(await work.encode(3, { files: { ...files, upload } })).toBe('done');
    const { fileOf, result } = partKeys(work.input.planKey, 3);
    expect(await stage.keys('')).toEqual([...before, fileOf(0), result].sort());
    expect(held.map((name) => name.split('/').slice(1).join('/'))).toEqual(['', 'part', 'part/part-0']);
    expect(await readdir(stage.disk)).toEqual([]);
    const { sound, sizes } = partResultSchema.parse(JSON.parse((await stage.read(result)).toString()));
    expect([sizes, sound?.endSeconds]).toEqual([undefined, expect.closeTo(12, 1)]);
    expect(await work.job()).toMatchObject({ partProgress: { 3: 100 } });
  });

  it('that lies there already is not encoded again', async () => {
    const { stage, work } = await waitingParts();
    await work.encode(3);
    const run = () => Promise.reject(new Error('It is done'));
    expect(await work.encode(3, { encoder: { ...stage.ports.encoder, run } })).toBe('done');
  });

  it('that no plan has fails', async () => {
    const { work } = await waitingParts();
    await expect(work.encode(9)).rejects.toThrow('has no part 9');
  });
});

describe('where the job is lost while a part is encoded', () => {
  /** Lets the job be lost while ffmpeg waits for the source; what it was worth, and the processes that are left. */
  async function lost({ ports }: PartsStage, work: InParts, lose: () => Promise<void>) {
    const silent = await aWebServer(() => undefined);
    onTestFinished(silent.close);
    const { clock, wake } = aSteppedClock();
    let directory = '';
    const encoding = work.encode(0, {
      clock: { ...clock, now: ports.clock.now },
      openDoor: async (...request) => ({ ...(await ports.openDoor(...request)), urlOf: () => silent.origin }),
      encoder: {
        ...ports.encoder,
        run: (command, options) => {
          directory = options.directory;
          return ports.encoder.run(command, options);
        },
      },
    });
    await silent.seen(1);
    expect(processesIn(directory)).not.toEqual([]);
    await lose();
    await wake();
    return { result: await encoding, left: processesIn(directory) };
  }

  it('ffmpeg ends, and a cancelled job leaves nothing', async () => {
    const { stage, work } = await waitingParts();
    await work.encode(3);
    expect(await lost(stage, work, () => cancelled(stage, work))).toEqual({ result: 'lost', left: [] });
    expect([await stage.keys(''), await readdir(stage.disk)]).toEqual([[], []]);
  });

  it('ffmpeg ends, and what another attempt may use stays', async () => {
    const { stage, work } = await waitingParts();
    const before = await stage.keys('');
    expect(await lost(stage, work, () => takenOver(stage, work))).toEqual({ result: 'lost', left: [] });
    expect(await stage.keys('')).toEqual(before);
  });
});

it.each([
  ['has ended', cancelled, 0],
  ["is another attempt's", takenOver, 2],
])('begins no part of a job that %s', async (_, lose, left) => {
  const { stage, work } = await waitingParts();
  await lose(stage, work);
  const run = () => Promise.reject(new Error('Nobody wants it'));
  expect(await work.encode(0, { encoder: { ...stage.ports.encoder, run } })).toBe('lost');
  expect(await stage.keys('')).toHaveLength(left);
});

describe('where an encoding fails', () => {
  const run = { arguments: ['-i', 'input'], log: '[error] no more' };

  it.each([
    ['for good', false],
    ['for the moment', true],
  ])('%s, the part says so, and what ffmpeg said', async (_, retryable) => {
    const { stage, work } = await waitingParts();
    const failure = { code: 'TRANSCODE_ERROR', message: 'The encoder stopped', retryable } as const;
    const encoder = { ...stage.ports.encoder, run: () => Promise.reject(new EncodeError(failure, run)) };
    await expect(work.encode(0, { encoder })).rejects.toMatchObject(failure);
    const told = await stage.read(partKeys(work.input.planKey, 0).failure);
    expect(JSON.parse(told.toString())).toEqual({ message: failure.message, runs: [run] });
  });

  it('since the source is gone, it says that', async () => {
    const { stage, work } = await waitingParts();
    for (const key of await stage.keys('work/')) if (key.endsWith('/source')) await stage.remove(key);
    await expect(work.encode(0)).rejects.toMatchObject({ code: 'INPUT_UNREACHABLE', retryable: false });
  });

  it('unnoticed by ffmpeg, which took what came for all there is, nothing is left of it', async () => {
    const { stage, work } = await waitingParts();
    const before = await stage.keys('');
    const openDoor: typeof stage.ports.openDoor = async (...request) => ({
      ...(await stage.ports.openDoor(...request)),
      failure: () => new Error('S3 broke off'),
    });
    await expect(work.encode(0, { openDoor })).rejects.toThrow('S3 broke off');
    expect(await stage.keys('')).toEqual(before);
  });

  it('since the stage does, the part says nothing and may be tried again', async () => {
    const { stage, work } = await waitingParts();
    const before = await stage.keys('');
    const openDoor = () => Promise.reject(new Error('S3 does not answer'));
    const failing = work.encode(0, { openDoor });
    await expect(failing).rejects.not.toBeInstanceOf(JobError);
    expect(await stage.keys('')).toEqual(before);
    expect(await work.encode(0)).toBe('done');
  });
});
