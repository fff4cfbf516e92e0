import { encodingsByCodec } from '../../encoding/encoding.ts';
import { addDamage, type Damage, damageOfRuns } from '../../media/damage.ts';
import type { ChunkedWork } from '../plan/chunk-plan.ts';
import type { ChunkResult } from '../plan/chunk-result.ts';
import { type ChunkTask, chunkTasks } from '../plan/chunk-tasks.ts';

/**
 * What the tasks lost of the source: once for each codec, since each decodes the whole video, and once for the audio.
 * @param results in the order of the tasks' numbers
 */
export function damageOfTasks(work: ChunkedWork, results: readonly Pick<ChunkResult, 'runs'>[]): Damage[] {
  const { source, clips, sourceFrames } = work;
  const tasks = [...chunkTasks(work).entries()];
  const lostBy = (isOf: (task: ChunkTask) => boolean): Damage[] => {
    const ofTasks = tasks.flatMap(([number, task]) => {
      // Earlier runs of a task decode the same frames for a measurement.
      const runs = isOf(task) ? (results[number]?.runs ?? []).slice(-1) : [];
      const clip = task.kind === 'audio' ? undefined : task.chunk.clip;
      const probe = clips?.[clip ?? 0]?.source ?? source;
      // Those of the video are counted in its index.
      const countsMissing = task.kind === 'audio';
      return runs.map((run) => ({ run, damage: damageOfRuns([run], { probe, countsMissing }) }));
    });
    // Packets may be missing, not only damaged.
    const isBroken = ofTasks.some(({ run }) => run.decoding?.hasContainerErrors);
    return addDamage(ofTasks.flatMap(({ damage }) => damage)).map((damage) => {
      if (damage.kind === 'audio' || sourceFrames === undefined) return damage;
      // Chunks overlap: a task reads some packets of the next one.
      const { indexed, stated } = sourceFrames;
      const frames = isBroken ? stated : indexed;
      return { ...damage, frames, lost: Math.min(indexed, damage.lost) + frames - indexed };
    });
  };
  const videos = encodingsByCodec(work.encoding).flatMap(({ codec }) =>
    lostBy((task) => task.kind === 'chunk' && task.encoding.codec === codec),
  );
  return [...videos, ...lostBy(({ kind }) => kind === 'audio')];
}
