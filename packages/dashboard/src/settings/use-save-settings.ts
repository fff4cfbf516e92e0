import type { Client } from '@media-jobs/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useApi } from '../api/api-context.tsx';

type Changes = Parameters<Client['updateSettings']>[0]['body'];
type Settings = Awaited<ReturnType<Client['updateSettings']>>;

export function useSaveSettings(onSaved: (settings: Settings) => void) {
  const { client } = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (changes: Changes) => client.updateSettings({ body: changes }),
    onSuccess: (settings) => {
      queries.setQueryData(['settings'], settings);
      onSaved(settings);
    },
  });
}
