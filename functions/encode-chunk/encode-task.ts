import { createHash } from 'node:crypto';
import {
  type Chunk,
  type ChunkResult,
  type ChunkTarget,
  type ChunkTask,
  encodeFileTimes,
  type FirstResults,
  type FragmentTable,
  type FrameIndex,
  frameTicksOf,
  measureChunk,
  passCommand,
  type RetimedFragment,
  rateOfBytes,
  retimeFragments,
  type TaskFiles,
  type TaskWork,
  targetOf,
  targetOfChunk,
  taskCommand,
  taskFileCount,
} from '@media-jobs/video/chunking';
import { aimBytesOf, nextKbps, type SizeSearch, type SizeTrial } from '@media-jobs/video/encoding';
import { JobError } from '@media-jobs/video/errors';
import type { FileRewriter } from '@media-jobs/video/ffmpeg';
import {
  bytesOf,
  carriesCaptions,
  type Fragment,
  fragmentHead,
  fragmentSamples,
  maxBitrateKbps,
  type ReadAt,
  readBoxes,
  readBytes,
  readFragmentedFile,
  requireBox,
  type Sample,
  sampleDescriptionOf,
  segmentIndex,
  twoPassCodecs,
  viewOf,
  withBitRates,
  withMediaTime,
} from '@media-jobs/video/media';
import { mapConcurrent } from '../../core/async.ts';
import type { ChunkRunner } from '../../core/chunked/chunk-runner.ts';
import type { JobRef } from '../../core/jobs/ports.ts';
import type { ChunkKeys } from '../../core/jobs/stored-file.ts';
import type { WorkerPorts } from '../../core/worker/ports.ts';

/** Paths of the encoded files by their numbers, and their measurements. */
export type EncodedTask = { paths: string[]; result: Omit<ChunkResult, 'runId' | 'runs'> };

// Each is a short, single-threaded ffprobe process.
const maxConcurrentReads = 2;

/**
 * Encodes one chunk task and measures the files for the verification of the join.
 * @param first the results of the tasks that `runsFirst` tells, in the order of their numbers
 */
export async function encodeTask(
  runner: ChunkRunner,
  { work, task, files, first = [] }: { work: TaskWork; task: ChunkTask; files: TaskFiles; first?: FirstResults },
  onPercent?: (percent: number) => void,
): Promise<EncodedTask> {
  const paths = Array.from({ length: taskFileCount(task) }, (_, file) => files.outputPath(file));
  if (task.kind === 'chunk' && targetOf(work.encoding) !== undefined) {
    const target = targetOfChunk(work, task.chunk, first);
    const index = await encodeToBudget(runner, { work, chunk: task.chunk, files, target }, onPercent);
    return { paths, result: { renditions: [measureChunk(index)] } };
  }
  await runner.run(taskCommand(work, task, files), onPercent);
  if (task.kind === 'measurement') {
    const { sizeBytes } = await runner.readFrameIndex(files.outputPath(0));
    return { paths, result: { measuredBytes: sizeBytes } };
  }
  if (task.kind === 'audio') {
    return { paths, result: { audio: await mapConcurrent(paths, maxConcurrentReads, runner.readAudioRange) } };
  }
  const { chunk } = task;
  const renditions = await mapConcurrent(paths, maxConcurrentReads, async (path) => {
    if (!work.hasFinalFragments) return measureChunk(await runner.readFrameIndex(path));
    const retimed = await retimeChunk(runner.rewriter, path, { work, chunk });
    const index = await runner.readFrameIndex(path);
    return { ...measureChunk(index), fragmentTable: { ...retimed, frameTimes: encodeFileTimes(index) } };
  });
  return { paths, result: { renditions } };
}

type ChunkAtRate = { work: TaskWork; chunk: Chunk; files: TaskFiles; target: ChunkTarget };

/** The smallest accepted share of its bytes: larger than that of the whole file, whose container is estimated. */
const minShare = 0.985;

/**
 * Encodes a chunk in two passes, where the encoder can, at the bit rate that its budget allows. A chunk of a file of a given
 * size is encoded again at a corrected bit rate until it fits. Returns the index of the encoded file.
 * @throws JobError `TRANSCODE_ERROR` if no bit rate is low enough
 */
export async function encodeToBudget(
  runner: ChunkRunner,
  { work, chunk, files, target: { bytes, limit } }: ChunkAtRate,
  onPercent?: (percent: number) => void,
): Promise<FrameIndex> {
  const { codec, hasSize } = targetOfWork(work);
  const hasTwoPasses = twoPassCodecs.includes(codec);
  const statisticsPath = `${files.outputPath(0)}.passes`;
  const run = (kbps: number, pass: 1 | 2) => {
    const twoPass = hasTwoPasses ? { pass, statisticsPath } : undefined;
    const report = (percent: number) => onPercent?.(hasTwoPasses ? 50 * (pass - 1) + percent / 2 : percent);
    const quality = { bitrateKbps: kbps, twoPass, ...(hasTwoPasses && limit) };
    return runner.run(passCommand(work, chunk, { ...files, quality }), report);
  };
  const encode = async (kbps: number) => {
    await run(kbps, 2);
    return runner.readFrameIndex(files.outputPath(0));
  };
  const initialKbps = rateOfBytes(hasSize ? aimBytesOf({ targetBytes: bytes, minShare }) : bytes, chunk);
  if (hasTwoPasses) await run(initialKbps, 1);
  if (!hasSize) return encode(initialKbps);
  const maxKbps = maxBitrateKbps[codec];
  const search: SizeSearch = { targetBytes: bytes, minShare, initialKbps, maxKbps, fixedBytes: 0 };
  const trials: SizeTrial[] = [];
  let index: FrameIndex | undefined;
  for (let kbps: number | undefined = initialKbps; kbps !== undefined; kbps = nextKbps(trials, search)) {
    index = await encode(kbps);
    trials.push({ kbps, sizeBytes: index.sizeBytes });
  }
  if (index === undefined || index.sizeBytes > bytes) {
    const message = `A chunk could not be encoded into ${Math.round(bytes)} bytes: the last file had ${index?.sizeBytes}`;
    throw new JobError('TRANSCODE_ERROR', message);
  }
  return index;
}

function targetOfWork({ encoding }: TaskWork) {
  const target = targetOf(encoding);
  if (target === undefined) throw new TypeError('The encoding has no target bit rate');
  return { codec: encoding.codec, hasSize: target.fileBytes !== undefined };
}

type EncodedRun = {
  /** Of the encoded files, by their numbers. */
  paths: readonly string[];
  result: Omit<ChunkResult, 'runId'>;
  keys: ChunkKeys;
  signal: AbortSignal;
};

/**
 * Stores the files of a run of a chunk task, and then its result, which marks the task as complete. If another run has
 * stored a result meanwhile, that one stays. Removes the files that no result names.
 */
export async function storeRun(
  { files, newId, onUnexpected }: WorkerPorts,
  job: JobRef,
  { paths, result, keys, signal }: EncodedRun,
): Promise<void> {
  const runId = newId();
  // A cleanup that fails is reported: reconcile removes what is left after the end of the job.
  const removeFiles = () => files.removeAll(keys.runPrefix(runId)).catch((cause: unknown) => onUnexpected(job, cause));
  try {
    for (const [file, path] of paths.entries()) {
      const key = keys.fileKey(runId, file);
      await files.upload({ key, path, mimeType: 'application/octet-stream', signal });
    }
    signal.throwIfAborted();
  } catch (cause) {
    await removeFiles();
    throw cause;
  }
  // After an error the result may be stored, so the files stay.
  const isFirst = await files.createText(keys.resultKey, JSON.stringify({ runId, ...result }));
  if (!isFirst) await removeFiles();
}

/** Everything about the file of a chunk but what ffprobe reads from it. */
type RetimedFile = Omit<FragmentTable, 'frameTimes'>;

type EncodedFragment = Fragment & { samples: Sample[] };

/**
 * Rewrites the file of a chunk of a stream so that its fragments have the times that they have in the finished file. Their
 * frames stay as they are.
 */
async function retimeChunk(
  rewriter: FileRewriter,
  path: string,
  { work, chunk }: { work: TaskWork; chunk: Chunk },
): Promise<RetimedFile> {
  await using open = await rewriter.openFile(path);
  const { readAt } = open;
  const file = await readFragmentedFile(readAt);
  const { initBytes, codec, ticksPerSecond } = file;
  const encoded: EncodedFragment[] = [];
  for (const fragment of file.fragments)
    encoded.push({ ...fragment, samples: await fragmentSamples(readAt, fragment) });
  const before = work.chunks.filter(({ startSeconds }) => startSeconds < chunk.startSeconds);
  const { fragments, mediaTime } = retimeFragments(
    encoded.map(({ seconds, samples }) => ({ ticks: Math.round(seconds * ticksPerSecond), samples })),
    { firstFrame: before.reduce((sum, { frames }) => sum + frames, 0), frames: frameTicksOf(work, ticksPerSecond) },
  );
  const sizes = fragments.map((fragment) => {
    const head = fragmentHead(fragment).length;
    const media = fragment.samples.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    return { head, sizeBytes: head + media, ticks: fragment.ticks };
  });
  const init = await readBytes(readAt, { offset: 0, sizeBytes: initBytes });
  const index = segmentIndex(sizes, ticksPerSecond);
  const mayHaveCaptions = work.outputs.some(({ track }) => track?.kind === 'video' && track.hasCaptions);
  const hasCaptions = mayHaveCaptions && (await carriesCaptions(readAt, { initBytes, fragments: encoded }));
  const head = [withMediaTime(init, mediaTime), index];
  await rewriter.replaceFile(path, fileBytes(readAt, { head, encoded, fragments }));
  const description = sampleDescriptionOf(requireBox(readBoxes(viewOf(init)), 'moov'));
  return {
    initBytes,
    codec,
    ticksPerSecond,
    mediaTime,
    mediaOffset: initBytes + index.length,
    descriptionHash: createHash('sha256')
      .update(bytesOf(withBitRates(description, { average: 0, max: 0 })))
      .digest('hex'),
    fragments: sizes.map(({ head, sizeBytes, ticks }, at) => {
      const { samples } = fragments[at] ?? { samples: [] };
      return { sizeBytes, ticks, frames: samples.length, keyframeBytes: head + (samples[0]?.sizeBytes ?? 0) };
    }),
    ...(hasCaptions && { hasCaptions }),
  };
}

async function* fileBytes(
  readAt: ReadAt,
  {
    head,
    encoded,
    fragments,
  }: { head: readonly Uint8Array[]; encoded: readonly EncodedFragment[]; fragments: readonly RetimedFragment[] },
): AsyncGenerator<Uint8Array> {
  yield* head;
  for (const [number, fragment] of fragments.entries()) {
    yield fragmentHead(fragment);
    const { offset = 0, sizeBytes = 0, samples: [first] = [] } = encoded[number] ?? {};
    const skipped = first?.offset ?? 0;
    yield await readBytes(readAt, { offset: offset + skipped, sizeBytes: sizeBytes - skipped });
  }
}
