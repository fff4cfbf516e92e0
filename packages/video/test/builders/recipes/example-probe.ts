import type { Probe } from '../../../src/media/probe/probe.ts';
import { anAudioStream, anImageProbe, aProbe, aSubtitleStream, aVideoStream } from '../media/a-probe.ts';

const minute = { durationSeconds: 60 };

/** An input that suits the example of a recipe: a minute of video, unless the recipe takes something else. */
export function exampleProbe(recipeName: string): Probe {
  if (recipeName === 'image') return anImageProbe();
  const hdrTransfer = recipeName === 'hdr-to-sdr' ? { hdrTransfer: 'pq' as const } : {};
  const subtitles = recipeName === 'extract-subtitles' ? [aSubtitleStream()] : [];
  return aProbe([aVideoStream({ ...minute, ...hdrTransfer }), anAudioStream(minute), ...subtitles], minute);
}
