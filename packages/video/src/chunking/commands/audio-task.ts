import { commandCost } from '../../cost-model/command-cost.ts';
import { sourceFlows } from '../../cost-model/filter-cost.ts';
import { expectedSeconds, type Processors, spread } from '../../cost-model/processors.ts';
import type { ChunkedWork } from '../plan/chunk-plan.ts';
import { outputTracks } from '../plan/chunked-clips.ts';
import { maxTaskSeconds } from '../settings.ts';
import { audioCommand } from './audio-command.ts';
import type { TaskWork } from './task-files.ts';

export type WholeAudio = Pick<ChunkedWork, 'source' | 'encoding' | 'format'> & Pick<TaskWork, 'clips'>;

/** The wall seconds that the audio of an encoding in chunks is expected to take as one task. */
export function wholeAudioSeconds(work: WholeAudio, processors: Processors): number {
  const tracks = outputTracks(work);
  if (tracks.length === 0) return 0;
  const probes = work.clips?.map(({ source }) => source) ?? [work.source];
  const sources = [...probes.keys()].map(String);
  const timelineOrigin = { containerSeconds: 0, fileSeconds: 0 };
  const command = audioCommand({ ...work, timelineOrigin }, { tracks }, { sources, outputPath: String });
  const flows = new Map(probes.map((probe, number) => [String(number), sourceFlows(probe)]));
  return expectedSeconds(commandCost(command, flows), processors);
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
