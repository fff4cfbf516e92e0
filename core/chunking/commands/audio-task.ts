import { commandCost } from '../../cost-model/command-cost.ts';
import { sourceFlows } from '../../cost-model/flow.ts';
import { expectedSeconds, type Processors, spread } from '../../cost-model/processors.ts';
import { selectAudio } from '../../encoding/audio/encode-audio.ts';
import type { ChunkedWork } from '../plan/chunk-plan.ts';
import { maxTaskSeconds } from '../settings.ts';
import { audioCommand } from './audio-command.ts';

type WholeAudio = Pick<ChunkedWork, 'source' | 'encoding' | 'format'>;

/** The wall seconds that the audio of an encoding in chunks is expected to take as one task. */
export function wholeAudioSeconds({ source, encoding, format }: WholeAudio, processors: Processors): number {
  const tracks = selectAudio(source, encoding);
  if (tracks.length === 0) return 0;
  const path = 'source';
  const timelineOrigin = { containerSeconds: 0, fileSeconds: 0 };
  const command = audioCommand(
    { source, encoding, format, timelineOrigin },
    { tracks },
    { source: path, outputPath: String },
  );
  return expectedSeconds(commandCost(command, new Map([[path, sourceFlows(source)]])), processors);
}

/** Why audio that is one task may need longer than a function has; undefined if it does not. */
export function longAudioReason(
  work: WholeAudio & Pick<ChunkedWork, 'audioChunks'>,
  processors: Processors,
): string | undefined {
  const seconds = work.audioChunks ? 0 : Math.ceil(wholeAudioSeconds(work, processors) * spread);
  return seconds <= maxTaskSeconds
    ? undefined
    : `its audio would take up to ${seconds} s as one task, and a function has ${maxTaskSeconds} s`;
}
