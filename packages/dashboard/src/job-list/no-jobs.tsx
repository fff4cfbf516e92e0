import '@mantine/core/styles/Code.css';
import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Clapperboard, Plus } from 'lucide-react';
import { useApi } from '../api/api-context.tsx';
import { curlSnippet } from '../job/request-snippets.ts';
import { type RecipeDescription, useRecipes } from '../job/use-recipes.ts';
import { newDraft } from '../new-job/draft.ts';
import { SubmitStatus } from '../new-job/submit-status.tsx';
import { UploadCancelled } from '../new-job/upload-file.ts';
import { useSubmitJob } from '../new-job/use-submit-job.ts';
import { ActionButton } from '../ui/action-button.tsx';
import { CodeBlock } from '../ui/code-block.tsx';
import { CopyTextButton } from '../ui/copy-buttons.tsx';
import { Note } from '../ui/text.tsx';
import { TextLink } from '../ui/text-link.tsx';
import classes from './no-jobs.module.css';
import { recordSampleVideo } from './sample-video.ts';

/** A public video, the trailer of Big Buck Bunny: the command works as it is copied. */
const input = { url: 'https://download.blender.org/peach/trailer/trailer_480p.mov' };

/** Shown for an account without jobs: how to create the first one, here or from a shell. */
export function NoJobs() {
  const { origin } = useApi();
  const { data: [recipe] = [], isPending } = useRecipes();
  const command = recipe === undefined ? '' : curlSnippet({ ...recipe.exampleRequest, input }, origin);
  return (
    <Paper withBorder p={{ base: 'md', sm: 'xl' }}>
      <Stack align="flex-start" gap="md" maw={640}>
        <div>
          <Title order={2} size="h4">
            No jobs yet
          </Title>
          <Note mt={4}>
            A job takes a video, audio or image file and a recipe that defines the result. Run one now with a clip that
            your browser records, choose your own file, or send a request from your own code.
          </Note>
        </div>
        <Group gap="sm" className={classes.start}>
          {recipe === undefined && !isPending ? null : <SampleJob recipe={recipe} />}
          <Button component={Link} to="/new" variant="default" leftSection={<Plus size={16} aria-hidden />}>
            Use your own file
          </Button>
        </Group>
        {command === '' ? null : <CurlExample command={command} />}
      </Stack>
    </Paper>
  );
}

function CurlExample({ command }: { command: string }) {
  return (
    <>
      <Text size="sm">
        Or use a shell and an{' '}
        <TextLink inherit to="/keys">
          API key
        </TextLink>
        :
      </Text>
      <CodeBlock w="100%" label="Request as curl">
        {command}
      </CodeBlock>
      <CopyTextButton text={command} what="the request" />
    </>
  );
}

/** Runs a recipe, undefined until it is loaded, on a clip that the browser records: a first job by one click. */
function SampleJob({ recipe }: { recipe: RecipeDescription | undefined }) {
  const { submit, progress, cancel } = useSubmitJob();
  const run = useMutation({
    mutationFn: async (loaded: RecipeDescription) => {
      const draft = { ...newDraft(loaded), sources: [await recordSampleVideo()] };
      return submit.mutateAsync({ draft, idempotencyKey: crypto.randomUUID() });
    },
  });
  const isCancelled = run.error instanceof UploadCancelled;
  return (
    <>
      <ActionButton
        leftSection={<Clapperboard size={16} aria-hidden />}
        isBusy={run.isPending}
        disabled={recipe === undefined}
        onClick={() => recipe && run.mutate(recipe)}
      >
        Try it with a sample video
      </ActionButton>
      {run.isPending && progress === undefined ? (
        <Note role="status">Your browser records a clip of two seconds…</Note>
      ) : null}
      <SubmitStatus
        progress={progress}
        isPending={run.isPending}
        problem={isCancelled ? undefined : run.error?.message}
        isCancelled={isCancelled}
        onCancel={cancel}
      />
    </>
  );
}
