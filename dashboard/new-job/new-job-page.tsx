import '../styles/deferred.ts';
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useApi } from '../api/api-context.tsx';
import { ErrorCallout } from '../ui/error-callout.tsx';
import { Page } from '../ui/page.tsx';
import { draftFromJob, newDraft } from './draft.ts';
import { NewJobForm } from './new-job-form.tsx';

/** A form for a new job, empty or filled in like another job. */
export function NewJobPage() {
  const { like } = useSearch({ from: '/new' });
  const { recipes, model, error, refetch } = useBeginning(like);
  const [plain] = recipes ?? [];
  const first = (model && recipes && draftFromJob(model, recipes)) ?? (plain && newDraft(plain));
  const isReady = like === undefined || model !== undefined;
  return (
    <Page title="New job">
      {error === null ? null : (
        <ErrorCallout title="The form could not be made ready" error={error} onRetry={refetch} />
      )}
      {error === null && !(first && isReady) ? (
        <Skeleton height={520} aria-label="Loading the recipes" />
      ) : null}
      {error === null && recipes && first && isReady ? (
        <NewJobForm key={like} recipes={recipes} first={first} />
      ) : null}
    </Page>
  );
}

/** What the form begins with: the recipes, and the job that it is to be like. */
function useBeginning(like: string | undefined) {
  const { client } = useApi();
  const recipes = useQuery({
    queryKey: ['recipes'],
    queryFn: async ({ signal }) => (await client.listRecipes({ signal })).recipes,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const model = useQuery({
    queryKey: ['model', like],
    queryFn: ({ signal }) => client.getJob({ params: { id: like ?? '' }, signal }),
    enabled: like !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const refetch = () => {
    if (recipes.error !== null) void recipes.refetch();
    if (model.error !== null) void model.refetch();
  };
  return { recipes: recipes.data, model: model.data, error: recipes.error ?? model.error, refetch };
}
