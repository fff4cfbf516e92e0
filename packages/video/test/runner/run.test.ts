import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expectNoProcessIn, processesIn } from '@media-jobs/testing/processes-in';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Command } from '../../src/media/ffmpeg/command.ts';
import type { CommandProgress } from '../../src/media/ffmpeg/ffmpeg-output.ts';
import { EncodeError, type RunOptions } from '../../src/media/ffmpeg/ports.ts';
import { clipWith } from '../builders/media/clips.ts';
import { anEncoder } from '../builders/recipes/encode.ts';

const options = (directory: string, differences: Partial<RunOptions> = {}): RunOptions => ({
  directory,
  signal: new AbortController().signal,
  timeLimitSeconds: 120,
  stallSeconds: 120,
  ...differences,
});

/** An endless command: it reads its input in a loop in real time. */
async function endless(...outputArguments: string[]): Promise<Command> {
  const loop = { path: await clipWith(), options: ['-stream_loop', '-1', '-re'] };
  return { inputs: [loop], outputArguments, durationSeconds: 1000 };
}

const intoNothing = ['-c', 'copy', '-f', 'null', '-'];

describe('a run', () => {
  it('returns the exact arguments and the log, and reports progress up to 99', async () => {
    const directory = await aTemporaryFolder();
    const seen: CommandProgress[] = [];
    const command: Command = {
      inputs: [{ path: await clipWith() }],
      outputArguments: ['-c:v', 'libx264', '-c:a', 'aac', 'output.mp4'],
      durationSeconds: 2,
    };
    const record = await anEncoder().run(
      command,
      options(directory, { onProgress: (progress) => seen.push(progress) }),
    );
    // On any machine the log has the number of threads.
    const [codec, encoder, ...others] = command.outputArguments;
    const threads = ['-threads:v', expect.stringMatching(/^[1-9]\d*$/)];
    expect(record.arguments.slice(-7)).toEqual([codec, encoder, ...threads, ...others]);
    expect(record.log).toContain('Stream mapping:');
    expect(seen.at(-1)?.percent).toBeGreaterThan(90);
    expect(seen.at(-1)?.percent).toBeLessThanOrEqual(99);
    expect((await anEncoder().probe(`${directory}/output.mp4`)).durationSeconds).toBeCloseTo(2, 1);
  });

  it('fails with the message of ffmpeg, and carries the run record', async () => {
    const command = {
      inputs: [{ path: await clipWith() }],
      outputArguments: ['-c:v', 'nosuch', 'output.mp4'],
    };
    const failure = anEncoder().run(command, options(await aTemporaryFolder()));
    await expect(failure).rejects.toBeInstanceOf(EncodeError);
    await expect(failure).rejects.toMatchObject({
      code: 'INTERNAL_ERROR',
      runRecord: {
        arguments: expect.arrayContaining(['nosuch']),
        log: expect.stringContaining("Unknown encoder 'nosuch'"),
      },
    });
  });

  it('fails permanently if the disk is full, and states its size', async () => {
    const directory = await aTemporaryFolder();
    await symlink('/dev/full', join(directory, 'output'));
    const command = { inputs: [{ path: await clipWith() }], outputArguments: ['-f', 'matroska', 'output'] };
    const failure = anEncoder().run(command, options(directory));
    const message = expect.stringContaining('which is 10 GB for a Lambda function');
    await expect(failure).rejects.toMatchObject({ code: 'INPUT_TOO_LARGE', message, retryable: false });
  });

  it.each(['jpg', 'png', 'webp'])('reads the intermediate of an earlier step, named output.%s', async (extension) => {
    const directory = await aTemporaryFolder();
    const path = join(directory, `output.${extension}`);
    const still = ['-frames:v', '1', '-update', '1', '-f', 'image2', path];
    await anEncoder().run({ inputs: [{ path: await clipWith() }], outputArguments: still }, options(directory));
    const { log } = await anEncoder().run(
      { inputs: [{ path }], outputArguments: ['-f', 'null', '-'] },
      options(directory),
    );
    expect(log).toContain('320x180');
  });

  it('does not inherit the environment', async () => {
    vi.stubEnv('FFREPORT', 'file=report.log');
    onTestFinished(() => void vi.unstubAllEnvs());
    const directory = await aTemporaryFolder();
    const { log } = await anEncoder().run(
      { inputs: [{ path: await clipWith() }], outputArguments: intoNothing },
      options(directory),
    );
    expect(log).not.toContain('report.log');
  });

  it('reports a missing ffmpeg', async () => {
    const encoder = anEncoder({ ffmpegPath: '/nonexistent/ffmpeg' });
    await expect(encoder.version()).rejects.toThrow('ffmpeg does not start from /nonexistent/ffmpeg');
  });

  it('reports the version of ffmpeg', async () => {
    expect(await anEncoder().version()).toMatch(/^ffmpeg version \S+$/);
  });
});

describe.concurrent('an endless run is ended', () => {
  it('by its signal, immediately, with its reason and without leftover processes', async () => {
    const directory = await aTemporaryFolder();
    const stop = new AbortController();
    const cancelled = new Error('cancelled');
    const onProgress = () => stop.abort(cancelled);
    const run = anEncoder().run(await endless(...intoNothing), options(directory, { signal: stop.signal, onProgress }));
    await expect(run).rejects.toBe(cancelled);
    await expectNoProcessIn(directory);
  });

  it('before it starts, if the signal has already aborted', async () => {
    const run = anEncoder().run(
      await endless(...intoNothing),
      options('/nonexistent', { signal: AbortSignal.abort(new Error('gone')) }),
    );
    await expect(run).rejects.toThrow('gone');
  });

  it('by SIGKILL if a stopped process ignores SIGTERM', async () => {
    const directory = await aTemporaryFolder();
    const stop = new AbortController();
    const onProgress = () => {
      for (const id of processesIn(directory)) process.kill(id, 'SIGSTOP');
      stop.abort(new Error('cancelled'));
    };
    const encoder = anEncoder({ graceSeconds: 0.2 });
    const run = encoder.run(await endless(...intoNothing), options(directory, { signal: stop.signal, onProgress }));
    await expect(run).rejects.toThrow('cancelled');
    await expectNoProcessIn(directory);
  });

  it('by the time limit, as TIMEOUT', async () => {
    const run = anEncoder().run(
      await endless(...intoNothing),
      options(await aTemporaryFolder(), { timeLimitSeconds: 0.5 }),
    );
    await expect(run).rejects.toMatchObject({
      code: 'TIMEOUT',
      message: 'The encoding was stopped after 0.5 s, its time limit',
    });
  });

  it('when it writes far more than its command lasts, as INPUT_UNSUPPORTED', async () => {
    const loop = { path: await clipWith(), options: ['-stream_loop', '-1'] };
    const command: Command = { inputs: [loop], outputArguments: intoNothing, durationSeconds: 1 };
    const run = anEncoder().run(command, options(await aTemporaryFolder(), { lengthLimit: { maxFps: 120 } }));
    await expect(run).rejects.toMatchObject({
      code: 'INPUT_UNSUPPORTED',
      message: expect.stringContaining('twice the expected 1.0 s and a minute'),
      retryable: false,
    });
  });

  it('when it stalls, with its last percentage', async () => {
    const directory = await aTemporaryFolder();
    const percents: number[] = [];
    const onProgress = ({ percent }: CommandProgress) => {
      percents.push(percent);
      for (const id of processesIn(directory)) process.kill(id, 'SIGSTOP');
    };
    const run = anEncoder().run(await endless(...intoNothing), options(directory, { stallSeconds: 5, onProgress }));
    await expect(run).rejects.toMatchObject({
      code: 'TRANSCODE_ERROR',
      message: 'The encoding was stopped because it made no progress for 5 s',
      retryable: true,
    });
    expect(percents).toHaveLength(1);
    await expectNoProcessIn(directory);
  });

  it('by the file size limit', async () => {
    const loop = { path: await clipWith(), options: ['-stream_loop', '-1'] };
    const command: Command = { inputs: [loop], outputArguments: ['-c', 'copy', 'output.mkv'] };
    const encoder = anEncoder({ limits: { fileSizeBytes: 1_000_000 } });
    await expect(encoder.run(command, options(await aTemporaryFolder()))).rejects.toMatchObject({
      code: 'TRANSCODE_ERROR',
      message: 'The output exceeded the maximum file size',
      retryable: false,
    });
  });

  it('by the memory limit of the worker, before the worker itself reaches it', async () => {
    const loop = { path: await clipWith(), options: ['-stream_loop', '-1'] };
    // The filter keeps every frame.
    const command: Command = {
      inputs: [loop],
      outputArguments: ['-vf', 'scale=1920:-2,reverse', '-an', '-f', 'null', '-'],
    };
    const megabytes = Math.ceil(process.memoryUsage.rss() / 2 ** 20) + 500;
    const encoder = anEncoder({ limits: { memoryBytes: megabytes * 2 ** 20 } });
    await expect(encoder.run(command, options(await aTemporaryFolder()))).rejects.toMatchObject({
      code: 'TRANSCODE_ERROR',
      message: expect.stringContaining(`needs more than the ${megabytes} MB of memory of the worker`),
      retryable: false,
    });
  });

  it('by another process, which is distinguished from the watchdog', async () => {
    const directory = await aTemporaryFolder();
    const onProgress = () => {
      for (const id of processesIn(directory)) process.kill(id, 'SIGKILL');
    };
    const run = anEncoder().run(await endless(...intoNothing), options(directory, { onProgress }));
    await expect(run).rejects.toMatchObject({
      code: 'TRANSCODE_ERROR',
      message: expect.stringContaining('was killed'),
    });
  });
});

it('a run may reserve more address space than the memory of the worker', async () => {
  const memoryBytes = process.memoryUsage.rss() + 400 * 2 ** 20;
  const command: Command = {
    inputs: [{ path: await clipWith() }],
    // Each decoding thread reserves stack and arena: several gigabytes that are never touched.
    outputArguments: ['-c:v', 'libx264', '-threads', '64', '-an', '-f', 'null', '-'],
  };
  const encoder = anEncoder({ limits: { memoryBytes } });
  const { log } = await encoder.run(command, options(await aTemporaryFolder()));
  expect(log).toContain('Stream mapping:');
});
