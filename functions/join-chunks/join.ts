import type { AudioMeasurements, ChunkedWork, ChunkResult } from '@media-jobs/video/chunking';
import {
  type ChunkMeasurement,
  chunkedRenditions,
  decodeFrameTimes,
  findJoinDefect,
  type JoinCommands,
  type JoinedFrames,
  type JoinedVideo,
  type JoinFiles,
  joinCommands,
} from '@media-jobs/video/chunking';
import type { ChunkRunner } from '../../core/chunked/chunk-runner.ts';

/** The chunks do not join to the file of a single pass. The message is for the job's owner. */
export class JoinMismatchError extends Error {
  override readonly name = 'JoinMismatchError';
}

export type JoinRunner = { run: ChunkRunner['run'] };

/** Reads the finished files. */
export type JoinReader = {
  readFrameIndex(path: string): Promise<JoinedFrames>;
  readAudioRange: ChunkRunner['readAudioRange'];
};

export type VerifiedJoinWork = Omit<ChunkedWork, 'encodedBy' | 'step' | 'result'>;

/** Results of all tasks in the order of their numbers. */
export type TaskResults = readonly Omit<ChunkResult, 'runId' | 'runs'>[];

type OnPercent = (percent: number) => void;

/**
 * Joins encoded chunks to the finished files and verifies them.
 * @throws JoinMismatchError if a joined file differs from that of a single pass
 */
export async function joinChunks(
  runner: JoinRunner & JoinReader,
  { work, results, files }: { work: VerifiedJoinWork; results: TaskResults; files: JoinFiles },
  onPercent?: OnPercent,
): Promise<void> {
  const { commands, videos } = joinCommands(work, files);
  await runJoin(runner, commands, onPercent);
  await verifyJoin(runner, { work, results, videos });
}

/** Runs the commands one after the other. They are the first half of the join's progress. */
export async function runJoin(
  runner: JoinRunner,
  commands: JoinCommands['commands'],
  onPercent?: OnPercent,
): Promise<void> {
  for (const [index, command] of commands.entries()) {
    await runner.run(command, (percent) => onPercent?.((50 * index + percent / 2) / commands.length));
  }
}

export type JoinToVerify = {
  work: VerifiedJoinWork;
  results: TaskResults;
  /** Ranges of the encoded audio: of each of its chunks, those of its tracks. Default: those of the results. */
  audio?: AudioMeasurements['encoded'];
  videos: readonly JoinedVideo[];
};

/**
 * Compares each joined rendition with the plan and with the results of its chunks.
 * @throws JoinMismatchError for the first difference
 */
export async function verifyJoin(reader: JoinReader, { work, results, audio, videos }: JoinToVerify): Promise<void> {
  const encoded = audio ?? results.flatMap((result) => (result.audio === undefined ? [] : [result.audio]));
  const keyframeIntervalSeconds = work.encoding.segmenting?.keyframeIntervalSeconds;
  const source = decodeFrameTimes(work.frameTimes);
  const renditions = chunkedRenditions(work);
  for (const [index, { name, path, audioPath }] of videos.entries()) {
    const defect = findJoinDefect({
      chunks: (renditions[index]?.chunks ?? []).map(({ chunk, task, file }) => ({
        chunk,
        measured: measurementOf(results, task, file),
      })),
      source,
      keyframeIntervalSeconds,
      joined: await reader.readFrameIndex(path),
      audio: audioPath
        ? { encoded, chunks: work.audioChunks, joined: await reader.readAudioRange(audioPath) }
        : undefined,
    });
    const prefix = videos.length === 1 ? '' : `${name}: `;
    if (defect !== undefined) throw new JoinMismatchError(`${prefix}${defect}`);
  }
}

function measurementOf(results: TaskResults, task: number, file: number): ChunkMeasurement {
  const measurement = results[task]?.renditions?.[file];
  if (measurement === undefined) throw new TypeError(`Chunk task ${task} has no result for its file ${file}`);
  return measurement;
}
