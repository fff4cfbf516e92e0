import { Button, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Clapperboard } from 'lucide-react';
import type { RecipeDescription } from '../job/use-recipes.ts';
import { newDraft } from '../new-job/draft.ts';
import { SubmitStatus } from '../new-job/submit-status.tsx';
import { useSubmitJob } from '../new-job/use-submit-job.ts';
import { recordSampleVideo } from './sample-video.ts';

/** Runs a recipe on a clip that the browser records: a first job by one click. */
export function SampleJob({ recipe }: { recipe: RecipeDescription }) {
  const { submit, progress, cancel } = useSubmitJob();
  const run = useMutation({
    mutationFn: async () => {
      const draft = { ...newDraft(recipe), sources: [await recordSampleVideo()] };
      return submit.mutateAsync({ draft, idempotencyKey: crypto.randomUUID() });
    },
  });
  return (
    <>
      <Button
        variant="default"
        leftSection={<Clapperboard size={16} aria-hidden />}
        loading={run.isPending}
        onClick={() => run.mutate()}
      >
        Try it with a sample video
      </Button>
      {run.isPending && progress === undefined ? (
        <Text size="sm" c="dimmed" role="status">
          Your browser records a clip of two seconds…
        </Text>
      ) : null}
      <SubmitStatus
        progress={progress}
        isPending={run.isPending}
        problem={run.error?.message}
        onCancel={cancel}
      />
    </>
  );
}
