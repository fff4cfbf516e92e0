import { readdir, readFile, writeFile } from 'node:fs/promises';
import { expectNoProcessIn, processesIn } from '@media-jobs/testing/processes-in';
import { aWebServer } from '@media-jobs/testing/web-server';
import { chunkResultSchema } from '@media-jobs/video/chunking';
import { JobError } from '@media-jobs/video/errors';
import { EncodeError } from '@media-jobs/video/ffmpeg';
import { describe, expect, it } from 'vitest';
import type { JobIn } from '../../../core/jobs/record.ts';
import { chunkKeys } from '../../../core/jobs/stored-file.ts';
import { cancel } from '../../../core/jobs/termination.ts';
import { claim, requeue } from '../../../core/jobs/transitions.ts';
import type { ChunkedStage } from '../../builders/chunking/a-chunked-stage.ts';
import type { ChunkedJob } from '../../builders/chunking/chunked-job.ts';
import { waitingChunks } from '../../builders/chunking/waiting-chunks.ts';
import { aSteppedClock } from '../../builders/jobs/stepped-clock.ts';

async function cancelled({ ports: { jobs } }: ChunkedStage, work: ChunkedJob): Promise<void> {
  const ending = { now: new Date(), webhookTarget: null, deliveryId: 'delivery-1' };
  await jobs.write(cancel((await work.job()) as JobIn<'processing'>, ending));
}

async function takenOver({ ports: { jobs } }: ChunkedStage, work: ChunkedJob): Promise<void> {
  const { job } = requeue((await work.job()) as JobIn<'processing'>, new Date());
  await jobs.write({ guard: { leaseId: work.input.leaseId }, job });
  await jobs.write(claim(job, 'lease-of-another', new Date()));
}

describe('a chunk task', () => {
  it('encodes nothing once its job has cost what it may, and fails for good', async () => {
    const { stage, work } = await waitingChunks();
    const job = (await work.job()) as JobIn<'processing'>;
    const limited = { ...job, request: { ...job.request, maxCostUsd: 0.00001 } };
    await stage.ports.jobs.write({ guard: { leaseId: job.leaseId }, job: limited });
    const before = await stage.keys('');
    await expect(work.encode(3)).rejects.toMatchObject({ code: 'COST_LIMIT', retryable: false });
    expect(await stage.keys('')).toEqual(before);
  });

  it('stores its files and its result beside the plan, and leaves the disk empty', async () => {
    const { stage, work } = await waitingChunks();
    const { files } = stage.ports;
    const held: string[] = [];
    const upload: typeof files.upload = async (file) => {
      held.push(...(await readdir(stage.disk, { recursive: true })));
      await files.upload(file);
    };
    const before = await stage.keys('');
    expect(await work.encode(3, { files: { ...files, upload } })).toBe('done');
    const { resultKey } = chunkKeys(work.input.planKey, 3);
    expect(await stage.keys('')).toEqual([...before, await work.fileKey(3), resultKey].sort());
    expect(held.map((name) => name.split('/').slice(1).join('/'))).toEqual(['', 'chunk', 'chunk/encoded-0']);
    expect(await readdir(stage.disk)).toEqual([]);
    const { audio, renditions } = chunkResultSchema.parse(JSON.parse((await stage.read(resultKey)).toString()));
    expect([renditions, audio?.[0]?.endSeconds]).toEqual([undefined, expect.closeTo(12, 1)]);
    expect(await work.job()).toMatchObject({ chunkProgress: { 3: 100 } });
  });

  it('is not encoded again if its result exists', async () => {
    const { stage, work } = await waitingChunks();
    await work.encode(3);
    const run = () => Promise.reject(new Error('It is done'));
    expect(await work.encode(3, { media: { ...stage.ports.media, run } })).toBe('done');
  });

  it('that ends after another run of it keeps the result of that one, and removes its own files', async () => {
    const { stage, work } = await waitingChunks();
    const { files } = stage.ports;
    let both: string[] = [];
    let first = '';
    const upload: typeof files.upload = async (file) => {
      await files.upload(file);
      await work.encode(3);
      both = await stage.keys('');
      first = await work.fileKey(3);
    };
    expect(await work.encode(3, { files: { ...files, upload } })).toBe('done');
    const left = await stage.keys('');
    expect(both).toHaveLength(left.length + 1);
    expect([await work.fileKey(3), left.includes(first)]).toEqual([first, true]);
  });

  it('fails if the plan has no such task', async () => {
    const { work } = await waitingChunks();
    await expect(work.encode(9)).rejects.toThrow('has no chunk task 9');
  });
});

describe('a chunk that is damaged after it was encoded', () => {
  it.each([
    ['at its start', 0.1],
    ['at its end', 0.99],
  ])('%s is not stored; the task may be retried, and says why', async (_, position) => {
    const { stage, work } = await waitingChunks({ format: 'mp4' });
    const before = await stage.keys('');
    const { media: encoder } = stage.ports;
    const failing = work.encode(0, {
      media: {
        ...encoder,
        run: async (command, options) => {
          const record = await encoder.run(command, options);
          const path = String(command.outputArguments.at(-1));
          if (path !== '-') await damageVideo(path, position);
          return record;
        },
      },
    });
    const message = expect.stringMatching(/^Its start or its end cannot be decoded: /);
    await expect(failing).rejects.toMatchObject({ code: 'TRANSCODE_ERROR', message, retryable: true });
    const { failureKey } = chunkKeys(work.input.planKey, 0);
    expect(await stage.keys('')).toEqual([...before, failureKey].sort());
    expect(await work.encode(0)).toBe('done');
  });

  /** Inverts bytes of the media of an MP4, whose index stays. */
  async function damageVideo(path: string, position: number): Promise<void> {
    const bytes = await readFile(path);
    const media = bytes.indexOf('mdat') + 4;
    const from = media + Math.floor(position * (bytes.length - media));
    for (let at = from; at < from + 400 && at < bytes.length; at += 1) bytes[at] = 255 - (bytes[at] ?? 0);
    await writeFile(path, bytes);
  }
});

describe('a chunk task that runs twice', () => {
  it('stops the run that has not ended first, whose files are removed', async () => {
    const { stage, work } = await waitingChunks();
    const { clock, wake } = aSteppedClock();
    const { files } = stage.ports;
    const uploaded: string[] = [];
    const slow = await work.encode(0, {
      clock: { ...clock, now: stage.ports.clock.now },
      files: {
        ...files,
        upload: async (file) => {
          await files.upload(file);
          uploaded.push(file.key);
          expect(await work.encode(0, { isSecondRun: true })).toBe('done');
          await wake();
          await expect.poll(() => file.signal.aborted).toBe(true);
        },
      },
    });
    expect(slow).toBe('done');
    const left = await stage.keys('');
    expect([uploaded.length, left.filter((key) => uploaded.includes(key))]).toEqual([1, []]);
    expect(left).toContain(await work.fileKey(0));
  });

  it('starts the second run once it is late, and neither before nor twice', async () => {
    const { stage, work } = await waitingChunks();
    const { media: encoder } = stage.ports;
    let seconds = 0;
    const now = () => new Date(Date.now() + seconds * 1_000);
    const run: typeof encoder.run = async (...command) => {
      seconds += 3;
      return encoder.run(...command);
    };
    const slower = { clock: { ...stage.ports.clock, now }, media: { ...encoder, run } };
    for (const chunk of [1, 2]) await work.encode(chunk, slower);
    seconds = 0;
    const { clock, beat } = aSteppedClock();
    const ended = Promise.withResolvers<void>();
    const starts: number[] = [];
    let begun = false;
    const late = work.encode(0, {
      clock: { ...clock, now },
      media: {
        ...encoder,
        run: async (command, options) => {
          begun = true;
          await ended.promise;
          return encoder.run(command, options);
        },
      },
      secondRun: { start: async () => void starts.push(seconds), isStarted: () => starts.length > 0 },
    });
    await expect.poll(() => begun).toBe(true);
    await beat();
    seconds = 60;
    await beat();
    ended.resolve();
    expect(await late).toBe('done');
    expect(starts).toEqual([60]);
  });
});

describe('if the lease is lost during an encoding', () => {
  /** Loses the lease while ffmpeg waits for the source. Expects that ffmpeg ends. Returns the result. */
  async function lost({ ports }: ChunkedStage, work: ChunkedJob, lose: () => Promise<void>) {
    const silent = await aWebServer(() => undefined);
    const { clock, wake } = aSteppedClock();
    let directory = '';
    const encoding = work.encode(0, {
      clock: { ...clock, now: ports.clock.now },
      openRangeProxy: async (...request) => ({
        ...(await ports.openRangeProxy(...request)),
        urlOf: () => silent.origin,
      }),
      media: {
        ...ports.media,
        run: (command, options) => {
          directory = options.directory;
          return ports.media.run(command, options);
        },
      },
    });
    await silent.seen(1);
    expect(processesIn(directory)).not.toEqual([]);
    await lose();
    await wake();
    const result = await encoding;
    await expectNoProcessIn(directory);
    return result;
  }

  it('ffmpeg ends, and a cancelled job leaves no files', async () => {
    const { stage, work } = await waitingChunks();
    await work.encode(3);
    expect(await lost(stage, work, () => cancelled(stage, work))).toBe('lost');
    expect([await stage.keys(''), await readdir(stage.disk)]).toEqual([[], []]);
  });

  it('ffmpeg ends, and the files that another attempt may use stay', async () => {
    const { stage, work } = await waitingChunks();
    const before = await stage.keys('');
    expect(await lost(stage, work, () => takenOver(stage, work))).toBe('lost');
    expect(await stage.keys('')).toEqual(before);
  });
});

it.each([
  ['has ended', cancelled, 0],
  ["is another attempt's", takenOver, 2],
])('no chunk task starts for a job that %s', async (_, lose, left) => {
  const { stage, work } = await waitingChunks();
  await lose(stage, work);
  const run = () => Promise.reject(new Error('Nobody wants it'));
  expect(await work.encode(0, { media: { ...stage.ports.media, run } })).toBe('lost');
  expect(await stage.keys('')).toHaveLength(left);
});

describe('if an encoding fails', () => {
  const run = { arguments: ['-i', 'input'], log: '[error] no more' };

  it.each([
    ['permanently', false],
    ['transiently', true],
  ])('%s, the task stores the message and the log of ffmpeg', async (_, retryable) => {
    const { stage, work } = await waitingChunks();
    const failure = { code: 'TRANSCODE_ERROR', message: 'The encoder stopped', retryable } as const;
    const encoder = { ...stage.ports.media, run: () => Promise.reject(new EncodeError(failure, run)) };
    await expect(work.encode(0, { media: encoder })).rejects.toMatchObject(failure);
    const failureFile = await stage.read(chunkKeys(work.input.planKey, 0).failureKey);
    expect(JSON.parse(failureFile.toString())).toEqual({ message: failure.message, runs: [run] });
  });

  it('because the source is missing, the error reports that', async () => {
    const { stage, work } = await waitingChunks();
    for (const key of await stage.keys('work/')) if (key.endsWith('/source-0')) await stage.remove(key);
    await expect(work.encode(0)).rejects.toMatchObject({ code: 'INPUT_UNREACHABLE', retryable: false });
  });

  it('by a read error that ffmpeg took for the end of the file, nothing is stored', async () => {
    const { stage, work } = await waitingChunks();
    const before = await stage.keys('');
    const openRangeProxy: typeof stage.ports.openRangeProxy = async (...request) => ({
      ...(await stage.ports.openRangeProxy(...request)),
      failure: () => new Error('S3 broke off'),
    });
    await expect(work.encode(0, { openRangeProxy })).rejects.toThrow('S3 broke off');
    expect(await stage.keys('')).toEqual(before);
  });

  it('by an error of the service, nothing is stored and a retry succeeds', async () => {
    const { stage, work } = await waitingChunks();
    const before = await stage.keys('');
    const openRangeProxy = () => Promise.reject(new Error('S3 does not answer'));
    const failing = work.encode(0, { openRangeProxy });
    await expect(failing).rejects.not.toBeInstanceOf(JobError);
    expect(await stage.keys('')).toEqual(before);
    expect(await work.encode(0)).toBe('done');
  });
});
