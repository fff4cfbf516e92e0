/** What ffmpeg's filter of this name needs to be there. */
export const vmafFilter = 'libvmaf';

type Compared = {
  /** Labels of the two pictures in the graph, such as `0:0`. */
  encoded: string;
  source: string;
  /** What the source passed on its way to the encoder, so that size and colours are the same. */
  filters: readonly string[];
};

/**
 * A filter graph that scores an encoded picture against its source by VMAF (Netflix, model vmaf_v0.6.1). Frames are
 * compared by their number, not by times that a container rounds.
 */
export function vmafGraph({ encoded, source, filters }: Compared): string {
  const counted = 'format=yuv420p,setpts=N/(25*TB)';
  return [
    `[${encoded}]${counted}[encoded]`,
    `[${source}]${[...filters, counted].join(',')}[source]`,
    `[encoded][source]${vmafFilter}=n_threads=4:ts_sync_mode=nearest`,
  ].join(';');
}

/**
 * Reads the score, 0 to 100, from ffmpeg's log.
 * @throws Error where it holds none
 */
export function readVmaf(log: string): number {
  const score = Number(log.match(/VMAF score: ([\d.]+)/)?.[1]);
  if (Number.isFinite(score)) return score;
  throw new Error('ffmpeg did not say how good the picture is');
}
