import '../styles/deferred.ts';
import { Skeleton } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { useRead } from '../api/use-read.ts';
import { useRecipes } from '../job/use-recipes.ts';
import { ErrorCallout } from '../ui/error-callout.tsx';
import { Page } from '../ui/page.tsx';
import { draftFromJob, newDraft } from './draft.ts';
import { NewJobForm } from './new-job-form.tsx';
import { originalMedia } from './original-media.ts';

/** The form for a new job, empty or filled with the request of another job. */
export function NewJobPage() {
  const { duplicateOf, preset } = useSearch({ from: '/new' });
  const { recipes, original, error, refetch } = useInitialData(duplicateOf);
  const [firstRecipe] = recipes ?? [];
  const copy = original && recipes && draftFromJob(original, recipes);
  const chosen = preset === undefined ? {} : { preset: { preset, parameters: {} } };
  const initialDraft = copy ?? (firstRecipe && { ...newDraft(firstRecipe), ...chosen });
  const media = original && recipes && originalMedia(original, recipes);
  const [source] = copy?.sources ?? [];
  const isReady = duplicateOf === undefined || original !== undefined;
  return (
    <Page title="New job">
      {error === null ? null : <ErrorCallout title="Could not load the form" error={error} onRetry={refetch} />}
      {error === null && !(initialDraft && isReady) ? <Skeleton height={520} aria-label="Loading recipes" /> : null}
      {error === null && recipes && initialDraft && isReady ? (
        <NewJobForm
          key={duplicateOf ?? preset}
          recipes={recipes}
          initialDraft={initialDraft}
          duplicateOf={duplicateOf}
          known={source === undefined ? undefined : { source, media, url: original?.input?.signedUrl }}
        />
      ) : null}
    </Page>
  );
}

function useInitialData(duplicateOf: string | undefined) {
  const recipes = useRecipes();
  const original = useRead({
    key: ['original-job', duplicateOf],
    read: (client, signal) => client.getJob({ params: { id: duplicateOf ?? '' }, query: { expand: 'input' }, signal }),
    enabled: duplicateOf !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const refetch = () => {
    if (recipes.error !== null) void recipes.refetch();
    if (original.error !== null) void original.refetch();
  };
  return { recipes: recipes.data, original: original.data, error: recipes.error ?? original.error, refetch };
}
