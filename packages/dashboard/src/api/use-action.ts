import type { Client } from '@media-jobs/client';
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { notifyFailure } from '../ui/action-button.tsx';
import { useApi } from './api-context.tsx';

type Options<Result, Given> = {
  act: (client: Client, given: Given) => Promise<Result>;
  /** The queries that are read again after it. */
  changes: QueryKey;
  /** The title of a notice if it fails. Without one the caller shows the error. */
  failure?: string;
  onDone?: (result: Result) => void;
};

/** A mutation by the API, after which queries are read again. */
export function useAction<Result, Given = void>({ act, changes, failure, onDone }: Options<Result, Given>) {
  const { client } = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (given: Given) => act(client, given),
    onSuccess: async (result: Result) => {
      await queries.invalidateQueries({ queryKey: changes });
      onDone?.(result);
    },
    ...(failure !== undefined && { onError: notifyFailure(failure) }),
  });
}
