import { viewOf } from '../boxes.ts';
import type { Fragment } from '../fragments/segment-index.ts';
import type { Sample } from '../fragments/track-run.ts';
import { type ReadAt, readBytes } from '../read-at.ts';
import { hasCaptionPairs } from './captions.ts';
import { nalFormatOf } from './nal-format.ts';

/** Whether a frame of a file of H.264 or H.265 has captions. Reads up to the first one. */
export async function carriesCaptions(
  readAt: ReadAt,
  { initBytes, fragments }: { initBytes: number; fragments: readonly (Fragment & { samples: Sample[] })[] },
): Promise<boolean> {
  const format = nalFormatOf(viewOf(await readBytes(readAt, { offset: 0, sizeBytes: initBytes })));
  if (format === undefined) return false;
  for (const fragment of fragments) {
    const bytes = await readBytes(readAt, fragment);
    const hasSome = fragment.samples.some(({ offset, sizeBytes }) =>
      hasCaptionPairs(bytes.subarray(offset, offset + sizeBytes), format),
    );
    if (hasSome) return true;
  }
  return false;
}
