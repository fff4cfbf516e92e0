import { createHash } from 'node:crypto';
import type { Chunk, FragmentTable, TaskWork } from '@media-jobs/video/chunking';
import { frameTicksOf, type RetimedFragment, retimeFragments } from '@media-jobs/video/chunking';
import type { FileRewriter } from '@media-jobs/video/ffmpeg';
import type { Sample } from '@media-jobs/video/media';
import {
  bytesOf,
  carriesCaptions,
  type Fragment,
  fragmentHead,
  fragmentSamples,
  type ReadAt,
  readBoxes,
  readBytes,
  readFragmentedFile,
  requireBox,
  sampleDescriptionOf,
  segmentIndex,
  viewOf,
  withBitRates,
  withMediaTime,
} from '@media-jobs/video/media';

/** Everything about the file of a chunk but what ffprobe reads from it. */
export type RetimedFile = Omit<FragmentTable, 'frameTimes'>;

type EncodedFragment = Fragment & { samples: Sample[] };

/**
 * Rewrites the file of a chunk of a stream so that its fragments have the times that they have in the finished file. Their
 * frames stay as they are.
 */
export async function retimeChunk(
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
