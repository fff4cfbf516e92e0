import type { OperationResult } from '@media-jobs/client';
import { useRead } from '../api/use-read.ts';

export type Key = OperationResult<'listKeys'>['keys'][number];

export const keysKey = ['keys'];

export function useKeys() {
  return useRead({ key: keysKey, read: async (client, signal) => (await client.listKeys({ signal })).keys });
}
