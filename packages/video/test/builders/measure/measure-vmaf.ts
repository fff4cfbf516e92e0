import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { filter, formatFilter } from '../../../src/media/filters/filter.ts';
import type { Size } from '../../../src/media/frame-size.ts';
import { anEncoder } from '../recipes/encode.ts';

/** The VMAF score of a video against its source, frame by frame, at their own size or at that of a display. */
export async function measureVmaf(path: string, source: string, display?: Size): Promise<number> {
  const scale = display ? [filter('scale', `${display.width}:${display.height}:flags=bicubic`)] : [];
  const side = (file: string) => ({
    input: { path: file, isTrusted: true },
    stream: 0,
    filters: [...scale, formatFilter('yuv420p'), filter('settb', '1/25'), filter('setpts', 'N')],
  });
  const { frameScores } = await anEncoder().compare(
    { encoded: side(path), source: side(source), model: 'vmaf_v0.6.1', frameInterval: 1, durationSeconds: 1 },
    {
      directory: await aTemporaryFolder(),
      signal: new AbortController().signal,
      timeLimitSeconds: 1_800,
      stallSeconds: 300,
    },
  );
  return frameScores.reduce((sum, score) => sum + score, 0) / frameScores.length;
}
