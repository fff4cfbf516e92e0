import '@mantine/core/styles/Code.css';
import { Anchor, Button, Code, Paper, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useApi } from '../api/api-context.tsx';
import { curlSnippet } from '../job/request-snippets.ts';
import { CopyTextButton } from '../ui/copy-buttons.tsx';

const exampleJob = {
  mode: 'recipe',
  input: { url: 'https://example.com/film.mp4' },
  output: { format: 'mp4' },
  recipe: { name: 'compress', crf: 28 },
};

/** What an account without jobs sees: how to make the first one, here or from a shell. */
export function NoJobs() {
  const { origin } = useApi();
  const line = curlSnippet(exampleJob, origin);
  return (
    <Paper withBorder p={{ base: 'md', sm: 'xl' }}>
      <Stack align="flex-start" gap="md" maw={640}>
        <div>
          <Title order={2} size="h4">
            No jobs yet
          </Title>
          <Text c="dimmed" size="sm" mt={4}>
            A job takes one film, sound or picture, and a recipe that says what to make of it. Drop a file
            here in the dashboard, or send a request from your own code.
          </Text>
        </div>
        <Button component={Link} to="/new" leftSection={<Plus size={16} aria-hidden />}>
          Make the first job
        </Button>
        <Text size="sm">
          Or from a shell, with an{' '}
          <Anchor renderRoot={(props) => <Link to="/keys" {...props} />} underline="always">
            API key
          </Anchor>
          :
        </Text>
        <Code block w="100%" tabIndex={0}>
          {line}
        </Code>
        <CopyTextButton text={line} what="the request" />
      </Stack>
    </Paper>
  );
}
