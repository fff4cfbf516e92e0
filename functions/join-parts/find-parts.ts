import { type PartResult, partFailureSchema, partResultSchema } from '../../core/chunks/part-result.ts';
import { type PartsPlan, partsOf, type StoredObject } from '../../core/chunks/parts-plan.ts';
import type { WorkFiles } from '../../core/chunks/ports.ts';
import { partKeys } from '../../core/chunks/work-keys.ts';
import type { RunRecord } from '../../core/media/ports.ts';
import { sideBySide } from '../transcode/side-by-side.ts';
import { JoinFlaw } from './join-flaw.ts';

export type FindPartsPorts = { workFiles: Pick<WorkFiles, 'find' | 'readText'> };

/** A part that is finished: where its file lies, and what was measured of it. */
export type FoundPart = { object: StoredObject; result: PartResult };

type Given = { plan: PartsPlan; planKey: string };

/** Each takes two requests. */
const foundAtOnce = 16;

/**
 * The finished parts of a plan, in their order.
 * @throws JoinFlaw where one is missing, or is not what a part leaves
 */
export function findParts({ workFiles }: FindPartsPorts, { plan, planKey }: Given): Promise<FoundPart[]> {
  const parts = [...partsOf(plan.work).entries()];
  return sideBySide(parts, foundAtOnce, async ([part, { kind }]) => {
    const keys = partKeys(planKey, part);
    const [text, file] = await Promise.all([workFiles.readText(keys.result), workFiles.find(keys.file)]);
    if (text === undefined || file === undefined) throw new JoinFlaw(`${nameOf(part, kind)} is missing`);
    const result = read(text);
    const measured = kind === 'sound' ? result?.sound : result?.picture;
    if (result === undefined || measured === undefined) {
      throw new JoinFlaw(`${nameOf(part, kind)} was left without being measured`);
    }
    return { object: { key: keys.file, etag: file.etag }, result };
  });
}

/** Why the parts of a plan were not all encoded, as far as they say so, and what ffmpeg was asked and said for them. */
export async function findFailures(
  { workFiles }: FindPartsPorts,
  { plan, planKey }: Given,
): Promise<{ reasons: string[]; runs: RunRecord[] }> {
  const parts = [...partsOf(plan.work).entries()];
  const found = await sideBySide(parts, foundAtOnce, async ([part, { kind }]) => {
    const keys = partKeys(planKey, part);
    const [result, failure] = await Promise.all([
      workFiles.readText(keys.result),
      workFiles.readText(keys.failure),
    ]);
    if (result !== undefined || failure === undefined) return { runs: (result && read(result)?.runs) || [] };
    const { message, runs } = partFailureSchema.parse(JSON.parse(failure));
    return { reason: `${nameOf(part, kind)} could not be encoded: ${message}`, runs };
  });
  return {
    reasons: found.flatMap(({ reason }) => reason ?? []),
    runs: found.flatMap(({ runs }) => runs),
  };
}

function nameOf(part: number, kind: 'chunk' | 'sound'): string {
  return kind === 'sound' ? 'The sound' : `Chunk ${part + 1}`;
}

/** Undefined for a text that no part leaves. */
function read(text: string): PartResult | undefined {
  try {
    return partResultSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
