import { type PartResult, partFailureSchema, partResultSchema } from '../../core/chunks/part-result.ts';
import {
  filesOf,
  type Part,
  type PartsPlan,
  partsOf,
  type StoredObject,
} from '../../core/chunks/parts-plan.ts';
import type { WorkFiles } from '../../core/chunks/ports.ts';
import { partKeys } from '../../core/chunks/work-keys.ts';
import type { RunRecord } from '../../core/media/ports.ts';
import { sideBySide } from '../transcode/side-by-side.ts';
import { JoinFlaw } from './join-flaw.ts';

export type FindPartsPorts = { workFiles: Pick<WorkFiles, 'find' | 'readText'> };

/** A part that is finished: where its files lie, by their numbers, and what was measured of them. */
export type FoundPart = { files: StoredObject[]; result: PartResult };

type Given = { plan: PartsPlan; planKey: string };

/** Each takes a request for its result and one for each of its files. */
const foundAtOnce = 16;

/**
 * The finished parts of a plan, in their order.
 * @throws JoinFlaw where one is missing, or is not what a part leaves
 */
export function findParts({ workFiles }: FindPartsPorts, { plan, planKey }: Given): Promise<FoundPart[]> {
  const parts = [...partsOf(plan.work).entries()];
  return sideBySide(parts, foundAtOnce, async ([number, part]) => {
    const { fileOf, result: resultKey } = partKeys(planKey, number);
    const keys = Array.from({ length: filesOf(plan.work, part) }, (_, file) => fileOf(file));
    const [text, ...found] = await Promise.all([
      workFiles.readText(resultKey),
      ...keys.map(async (key) => ({ key, etag: (await workFiles.find(key))?.etag })),
    ]);
    const files = found.flatMap(({ key, etag }) => (etag === undefined ? [] : { key, etag }));
    if (text === undefined || files.length < keys.length) {
      throw new JoinFlaw(`${nameOf(number, part)} is missing`);
    }
    const result = read(text);
    if (result === undefined || measuredFiles(result, part) !== files.length) {
      throw new JoinFlaw(`${nameOf(number, part)} was left without being measured`);
    }
    return { files, result };
  });
}

/** Why the parts of a plan were not all encoded, as far as they say so, and what ffmpeg was asked and said for them. */
export async function findFailures(
  { workFiles }: FindPartsPorts,
  { plan, planKey }: Given,
): Promise<{ reasons: string[]; runs: RunRecord[] }> {
  const parts = [...partsOf(plan.work).entries()];
  const found = await sideBySide(parts, foundAtOnce, async ([number, part]) => {
    const keys = partKeys(planKey, number);
    const [result, failure] = await Promise.all([
      workFiles.readText(keys.result),
      workFiles.readText(keys.failure),
    ]);
    if (result !== undefined || failure === undefined) return { runs: (result && read(result)?.runs) || [] };
    const { message, runs } = partFailureSchema.parse(JSON.parse(failure));
    return { reason: `${nameOf(number, part)} could not be encoded: ${message}`, runs };
  });
  return {
    reasons: found.flatMap(({ reason }) => reason ?? []),
    runs: found.flatMap(({ runs }) => runs),
  };
}

function nameOf(number: number, { kind }: Part): string {
  return kind === 'sound' ? 'The sound' : `Chunk ${number + 1}`;
}

function measuredFiles({ sound, sizes = [] }: PartResult, { kind }: Part): number {
  if (kind === 'chunk') return sizes.length;
  return sound === undefined ? 0 : 1;
}

/** Undefined for a text that no part leaves. */
function read(text: string): PartResult | undefined {
  try {
    return partResultSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
