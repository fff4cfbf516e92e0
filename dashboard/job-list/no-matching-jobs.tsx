import { Anchor, Paper, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';

/** What a list shows whose filters leave nothing. */
export function NoMatchingJobs() {
  return (
    <Paper withBorder p="xl">
      <Stack align="flex-start" gap="xs">
        <Title order={2} size="h4">
          No jobs match
        </Title>
        <Text c="dimmed" size="sm">
          There are none in this state, or from these days.
        </Text>
        <Anchor renderRoot={(props) => <Link to="/jobs" {...props} />} size="sm" underline="always">
          Show all jobs
        </Anchor>
      </Stack>
    </Paper>
  );
}
