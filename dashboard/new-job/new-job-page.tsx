import '../more-styles.ts';
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../api/api-context.tsx';
import { Page } from '../shell/page.tsx';
import { Problem } from '../shell/problem.tsx';
import { NewJobForm } from './new-job-form.tsx';

export function NewJobPage() {
  const { client } = useApi();
  const { data, error, refetch } = useQuery({
    queryKey: ['recipes'],
    queryFn: async ({ signal }) => (await client.listRecipes({ signal })).recipes,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const [first] = data ?? [];
  return (
    <Page title="New job">
      {error === null ? null : (
        <Problem title="The recipes could not be read" error={error} onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null ? (
        <Skeleton height={520} aria-label="Loading the recipes" />
      ) : null}
      {data === undefined || first === undefined ? null : <NewJobForm recipes={data} first={first} />}
    </Page>
  );
}
