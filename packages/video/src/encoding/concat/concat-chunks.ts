import { mainAudio } from '../../media/probe/streams.ts';
import { audioFormatChanged, decodeAudio, mayChangeAudioFormat } from '../audio/uniform-audio.ts';
import type { ClipEncoding, PendingPlan, Plan, PlannedOutput } from '../plan.ts';

/**
 * The plan of clips that are encoded in chunks: their encodings. The audio of files whose audio format may change is decoded
 * first. If it does change, the plan needs an intermediate file.
 */
export function planClipsInChunks(clips: readonly ClipEncoding[], outputs: PlannedOutput[]): Plan | PendingPlan {
  const encoding = clips[0]?.encoding;
  const plan = { commands: [], outputs, encoding, clips };
  const measure = clips.flatMap(({ file }) => {
    const audio = mainAudio(file.probe);
    return audio && mayChangeAudioFormat(file.probe) ? [decodeAudio(file, [audio])] : [];
  });
  if (measure.length === 0) return plan;
  const intermediate = encoding && { ...encoding, audioSource: { path: 'uniform-audio' } };
  return {
    measure,
    progressAfter: 0,
    outputs,
    encoding,
    clips,
    decide: (_, results) =>
      results.some(({ log = '' }) => audioFormatChanged(log)) ? { ...plan, encoding: intermediate } : plan,
    expected: () => plan,
  };
}
