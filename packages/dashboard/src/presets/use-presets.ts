import type { OperationResult } from '@media-jobs/client';
import { useRead } from '../api/use-read.ts';

/** A version of a preset, and how a job names it. */
export type PresetVersion = OperationResult<'listPresets'>['presets'][number] & { label: string };

export const presetsKey = ['presets'];

/** All versions of all presets, by name, the newest of each first. */
export function usePresets() {
  return useRead({
    key: presetsKey,
    read: async (client, signal) => {
      const { presets } = await client.listPresets({ query: { all: 'true' }, signal });
      return presets.map((each): PresetVersion => ({ ...each, label: `${each.name}@${each.version}` }));
    },
    staleTime: 60_000,
    retry: false,
  });
}
