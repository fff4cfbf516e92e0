import { formatDollars } from '../../formatting/quantities.ts';
import { workerTimeoutSeconds } from '../../lib/settings/workers.ts';
import { table } from '../markdown/table.ts';
import { type ChunkFunctions, encodeSeconds, longVideoCost, longVideoSteps } from './long-video.ts';
import { longVideoInChunks } from './long-video-in-chunks.ts';
import { publishedParallelEncoding } from './published-parallel-encoding.ts';

/** Resources of the long video with such functions. */
export function longVideoTable(stages: readonly ChunkFunctions[]): string {
  return table(
    [
      '>Memory of a function, MB',
      '>Chunks at once',
      '>Chunks',
      '>Minutes',
      '>GB-seconds of Lambda',
      '>Transitions',
      '>Requests to S3',
      '>Dollars',
    ],
    stages.map((functions) => {
      const { chunks, minutes, gbSeconds, transitions, s3Requests, dollars } = longVideoInChunks(functions);
      return [
        functions.memoryMb.toLocaleString('en'),
        String(functions.executions),
        String(chunks),
        minutes.toFixed(1),
        Math.round(gbSeconds).toLocaleString('en'),
        String(transitions),
        s3Requests.toLocaleString('en'),
        formatDollars(dollars),
      ];
    }),
  );
}

/** Duration of each function, compared with a single pass. */
export function longVideoStepsTable(stages: readonly ChunkFunctions[]): string {
  const timesOf = (functions: ChunkFunctions) => {
    const { prepare, chunk, join, chunks } = longVideoSteps(functions);
    const singlePass = encodeSeconds(longVideoCost.cpuSeconds, functions);
    return [
      seconds(prepare),
      `${chunks} × ${seconds(chunk)}`,
      seconds(join),
      seconds({ seconds: singlePass }),
    ];
  };
  const columns = stages.map(timesOf);
  const names = [
    '`transcode`: index and plan, by ranges',
    '`encode-chunk`: a chunk with its audio',
    '`join-chunks`: assemble and verify',
    `single pass (a function is limited to ${workerTimeoutSeconds} s)`,
  ];
  return table(
    [
      'Seconds of each function',
      ...stages.map(
        ({ memoryMb, executions }) => `>${memoryMb.toLocaleString('en')} MB, ${executions} at once`,
      ),
    ],
    names.map((name, row) => [name, ...columns.map((column) => column[row] ?? '')]),
  );
}

function seconds(step: { seconds: number }): string {
  return Math.round(step.seconds).toLocaleString('en');
}

/** Published figures of other services. */
export function publishedParallelTable(): string {
  return table(
    ['', 'What was encoded', 'Duration', 'Cost', 'Difference', 'Source'],
    publishedParallelEncoding.map(({ name, work, duration, cost, difference, source }) => [
      name,
      work,
      duration,
      cost,
      difference,
      `<${source}>`,
    ]),
  );
}
