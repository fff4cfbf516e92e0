import type { Encoder, RunRecord } from '@media-jobs/video/ffmpeg';
import { EncodeError, recordRuns } from '@media-jobs/video/ffmpeg';
import { aProbe } from '@media-jobs/video/testing';
import { describe, expect, it } from 'vitest';
import type { AttemptLog, JobLogs } from '../../../core/jobs/attempt-log.ts';
import { version } from '../../../core/version.ts';
import { storeRunLog } from '../../../core/worker/run-log.ts';
import { memoryJobLogs } from '../../../lab/simulation/memory/job-logs.ts';
import { aProcessingJob } from '../../builders/jobs/jobs.ts';
import { workerPorts } from '../../builders/jobs/worker-ports.ts';

const failure = { code: 'TRANSCODE_ERROR', message: 'It broke.', retryable: false } as const;
const options = { directory: '/tmp', signal: new AbortController().signal, timeLimitSeconds: 60, stallSeconds: 60 };

/** An encoder whose runs end with these results, in turn. */
function anEncoder(ends: (RunRecord | Error)[]): Encoder {
  return {
    version: async () => 'ffmpeg version 7.1',
    canCompare: async () => true,
    readText: async () => '',
    writeText: async () => undefined,
    compare: async () => {
      const end = ends.shift();
      if (end === undefined || end instanceof Error) throw end;
      return { runs: [end], frameScores: [90] };
    },
    probe: async () => aProbe(),
    run: async () => {
      const end = ends.shift();
      if (end === undefined || end instanceof Error) throw end;
      return end;
    },
  };
}

const input = { name: 'input-1', bytes: 1_000, sha256: '0'.repeat(64) };

/** Runs as many commands and returns the stored log. */
async function kept(ends: (RunRecord | Error)[]): Promise<AttemptLog | undefined> {
  const commands = ends.length;
  const { encoder, runs } = recordRuns(anEncoder(ends));
  for (let run = 0; run < commands; run += 1) {
    await encoder.run({ inputs: [], outputArguments: [] }, options).catch(() => undefined);
  }
  let stored: AttemptLog | undefined;
  const logs: JobLogs = {
    ...memoryJobLogs(),
    put: async (_: object, log: AttemptLog) => {
      stored = log;
    },
  };
  await storeRunLog(workerPorts({ logs, media: encoder, isolation: ['seccomp'] }), aProcessingJob(), {
    inputs: [input],
    runs,
  });
  return stored;
}

describe('the log of an attempt', () => {
  it('has the downloaded files and every command, the failed one included', async () => {
    const first = { arguments: ['-i', 'input', 'a.jpg'], log: 'frame=1' };
    const second = { arguments: ['-i', 'input', 'b.jpg'], log: '[error] no frame' };
    expect(await kept([first, new EncodeError(failure, second)])).toEqual({
      attempt: 1,
      ffmpegVersion: 'ffmpeg version 7.1',
      serviceVersion: version,
      isolation: ['seccomp'],
      inputs: [input],
      commands: [first.arguments, second.arguments],
      log: 'frame=1\n[error] no frame',
    });
  });

  it("has the last 64 KiB of ffmpeg's output", async () => {
    const long = { arguments: [], log: `${'x'.repeat(50_000)}` };
    const log = (await kept([long, { arguments: [], log: `${'y'.repeat(50_000)}the end` }]))?.log ?? '';
    expect(Buffer.byteLength(log)).toBe(64 * 1024);
    expect(log.endsWith('the end')).toBe(true);
  });

  it('has the first commands that fit, and the last', async () => {
    const long = (name: string) => ({ arguments: [name, 'x'.repeat(50_000)], log: '' });
    const log = await kept(['first', 'second', 'third', 'fourth', 'last'].map(long));
    expect(log?.commands.map(([name]) => name)).toEqual(['first', 'last']);
  });

  it('is not stored if ffmpeg never ran', async () => expect(await kept([])).toBeUndefined());
});
