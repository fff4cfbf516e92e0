import type { OperationRequest, OperationResult } from '@media-jobs/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useApi } from '../api/api-context.tsx';
import { useRead } from '../api/use-read.ts';

const settingsKey = ['settings'];

export function useSettings({ enabled = true } = {}) {
  return useRead({ key: settingsKey, read: (client, signal) => client.getSettings({ signal }), enabled });
}

export function useSaveSettings(onSaved: (settings: OperationResult<'updateSettings'>) => void) {
  const { client } = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: OperationRequest<'updateSettings'>['body']) => client.updateSettings({ body }),
    onSuccess: (settings) => {
      queries.setQueryData(settingsKey, settings);
      onSaved(settings);
    },
  });
}
