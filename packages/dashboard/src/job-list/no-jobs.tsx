import '@mantine/core/styles/Code.css';
import { Anchor, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useApi } from '../api/api-context.tsx';
import { curlSnippet } from '../job/request-snippets.ts';
import { useRecipes } from '../job/use-recipes.ts';
import { CodeBlock } from '../ui/code-block.tsx';
import { CopyTextButton } from '../ui/copy-buttons.tsx';
import classes from './no-jobs.module.css';
import { SampleJob } from './sample-job.tsx';

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
          <Text c="dimmed" size="sm" mt={4}>
            A job takes a video, audio or image file and a recipe that defines the result. Run one now with a clip that
            your browser records, choose your own file, or send a request from your own code.
          </Text>
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
        <Anchor renderRoot={(props) => <Link to="/keys" {...props} />} underline="always">
          API key
        </Anchor>
        :
      </Text>
      <CodeBlock w="100%" label="Request as curl">
        {command}
      </CodeBlock>
      <CopyTextButton text={command} what="the request" />
    </>
  );
}
