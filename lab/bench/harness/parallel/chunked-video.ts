import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type ChunkSettings,
  type ChunkTask,
  chunkSettingsSchema,
  chunkTasks,
  encodeFrameTimes,
  type FrameIndex,
  joinCommands,
  planChunks,
  timelineOriginSeconds,
} from '@media-jobs/video/chunking';
import { requireVideo } from '@media-jobs/video/probe';
import { fileRewriter } from '@media-jobs/video/runner';
import type { ChunkRunner } from '../../../../core/chunked/chunk-runner.ts';
import { type EncodedTask, encodeTask } from '../../../../functions/encode-chunk/encode-task.ts';
import { runJoin, type VerifiedJoinWork, verifyJoin } from '../../../../functions/join-chunks/join.ts';
import type { PlannedVideo } from './planned-video.ts';

type VideoTask = Extract<ChunkTask, { kind: 'chunk' }>;

/** A video that is cut into chunks, and the remaining steps of its encoding. */
export type ChunkedVideo = {
  /** Of the joined file. */
  path: string | undefined;
  chunks: readonly VideoTask[];
  /** Encodes a chunk and measures its file, as encode-chunk does. */
  encodeChunk(task: VideoTask): Promise<void>;
  /** Does nothing for a silent video. */
  encodeAudio(): Promise<void>;
  join(): Promise<void>;
  /** Verifies the joined file. @throws JoinMismatchError */
  check(): Promise<void>;
};

/** Reads the frame index of a video and cuts it, for encoders of so many threads. @throws Error if it cannot be cut */
export async function chunkVideo(
  video: PlannedVideo,
  { threads, ...settings }: Partial<ChunkSettings> & { threads: number },
): Promise<ChunkedVideo> {
  const { path, probe, encoding, outputs, directory } = video;
  const index = await readIndex(video);
  // Chunks of the requested length, whatever their work is.
  const policy = {
    settings: chunkSettingsSchema.parse(settings),
    speed: 'fast',
    work: { cpuSeconds: 1, chunksSeconds: 1, expectedSeconds: 1 },
    remainingSeconds: Number.POSITIVE_INFINITY,
  } as const;
  const source = { probe, video: requireVideo(probe), index, encoding };
  const decision = planChunks([source], policy);
  if (decision.chunks === undefined) throw new Error(decision.reason);
  const { chunks, timelineOrigin, frameTimes } = decision;
  const work: VerifiedJoinWork = {
    source: probe,
    format: 'mp4',
    encoding,
    outputs,
    chunks: [...chunks],
    timelineOrigin,
    frameTimes: encodeFrameTimes(frameTimes),
  };
  const joined = join(directory, 'joined');
  await mkdir(joined, { recursive: true });
  const runner = runnerOf(video);
  const tasks = chunkTasks(work);
  const pathOf = (task: number, file: number) => join(directory, `task-${task}-${file}`);
  const { commands, videos } = joinCommands(work, { taskFile: pathOf, directory: joined });
  const encoded = new Map<ChunkTask, EncodedTask>();
  const encode = async (task: ChunkTask) => {
    const number = tasks.indexOf(task);
    const outputPath = (file: number) => pathOf(number, file);
    const files = { sources: [path], overlay: encoding.overlay?.path, threads, outputPath };
    encoded.set(task, await encodeTask(runner, { work, task, files }));
  };
  return {
    path: videos[0]?.path,
    chunks: tasks.filter((task) => task.kind === 'chunk'),
    encodeChunk: encode,
    async encodeAudio() {
      const audio = tasks.find(({ kind }) => kind === 'audio');
      if (audio) await encode(audio);
    },
    join: () => runJoin(runner, commands),
    check: () => verifyJoin(runner, { work, results: tasks.map((task) => encoded.get(task)?.result ?? {}), videos }),
  };
}

function runnerOf({ run, packets, reading }: PlannedVideo): ChunkRunner {
  const options = { ...reading, role: 'output' } as const;
  return {
    run: async (command) => void (await run(command)),
    readFrameIndex: (path) => packets.readFrameIndex(path, { stream: 0, fileSeconds: 0 }, options),
    readAudioRange: (path) => packets.readAudioRange(path, options),
    rewriter: fileRewriter,
  };
}

function readIndex({ path, probe, encoding, packets, reading }: PlannedVideo): Promise<FrameIndex> {
  const video = requireVideo(probe);
  const fileSeconds = timelineOriginSeconds(probe, encoding);
  return packets.readFrameIndex(path, { stream: video.index, fileSeconds }, reading);
}
