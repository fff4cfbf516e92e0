import '@mantine/core/styles/Code.css';
import { Anchor, Button, Code, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useApi } from '../api/api-context.tsx';
import { curlSnippet } from '../job/request-snippets.ts';
import { useRecipes } from '../job/use-recipes.ts';
import { CopyTextButton } from '../ui/copy-buttons.tsx';
import classes from './no-jobs.module.css';
import { SampleJob } from './sample-job.tsx';

/** Shown for an account without jobs: how to create the first one, here or from a shell. */
export function NoJobs() {
  const { origin } = useApi();
  const { data: [recipe] = [] } = useRecipes();
  const command = recipe === undefined ? '' : curlSnippet(recipe.exampleRequest, origin);
  return (
    <Paper withBorder p={{ base: 'md', sm: 'xl' }}>
      <Stack align="flex-start" gap="md" maw={640}>
        <div>
          <Title order={2} size="h4">
            No jobs yet
          </Title>
          <Text c="dimmed" size="sm" mt={4}>
            A job takes a video, audio or image file and a recipe that defines the result. Create one in the
            dashboard, try it with a clip that your browser records, or send a request from your own code.
          </Text>
        </div>
        <Group gap="sm" className={classes.start}>
          <Button component={Link} to="/new" leftSection={<Plus size={16} aria-hidden />}>
            Create your first job
          </Button>
          {recipe === undefined ? null : <SampleJob recipe={recipe} />}
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
        <Anchor renderRoot={(props) => <Link to="/keys" {...props} />} underline="always">
          API key
        </Anchor>
        :
      </Text>
      <Code block w="100%" tabIndex={0}>
        {command}
      </Code>
      <CopyTextButton text={command} what="the request" />
    </>
  );
}
