import { Anchor, Paper, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';

export function NoMatchingJobs() {
  return (
    <Paper withBorder p="xl">
      <Stack align="flex-start" gap="xs">
        <Title order={2} size="h4">
          No matching jobs
        </Title>
        <Text c="dimmed" size="sm">
          No jobs have this state or were created on these days.
        </Text>
        <Anchor renderRoot={(props) => <Link to="/jobs" {...props} />} size="sm" underline="always">
          Show all jobs
        </Anchor>
      </Stack>
    </Paper>
  );
}
