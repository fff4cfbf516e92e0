import type { Client } from '@media-jobs/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useApi } from '../api/api-context.tsx';

export function useSaveSettings(onSaved: (settings: Awaited<ReturnType<Client['updateSettings']>>) => void) {
  const { client } = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (changes: Parameters<Client['updateSettings']>[0]['body']) => client.updateSettings({ body: changes }),
    onSuccess: (settings) => {
      queries.setQueryData(['settings'], settings);
      onSaved(settings);
    },
  });
}
